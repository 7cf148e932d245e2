import { AdornClientError } from './client-options.js';

/** @throws {AdornClientError} if it is no text, or an empty one */
export function requireText(value: unknown, field: string): void {
  if (typeof value !== 'string' || value === '') throw refusal(field, value, 'Pass a text that is not empty');
}

/** @throws {AdornClientError} if it is no object */
export function requireObject(value: unknown, field: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(field, value, 'Pass an object');
}

/** @throws {AdornClientError} if it is no message: a text, a part, parts, or a content */
export function requireMessage(value: unknown, field: string): void {
  const isMessage = typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
  if (!isMessage) throw refusal(field, value, "Pass a text, or a content such as { parts: [{ text: '…' }] }");
}

/** The error of a request that is not sent. Its code is that of the server for the same. */
function refusal(field: string, value: unknown, cure: string): AdornClientError {
  return new AdornClientError(`${field} is ${shown(value)}. ${cure}.`, 0, 'REQUEST_INVALID', field);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty text';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
