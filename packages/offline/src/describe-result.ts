import type { FunctionResponse } from '@adorn/core/backend';

import { tokensOf } from './words.js';

/** Describes a tool's response to the user. */
export function describeResult({ name = 'The tool', response = {} }: FunctionResponse): string {
  const { error } = response;
  if (error !== undefined) return describeError(name, error, response['reason']);
  const { status, ...rest } = response;
  const saying = rest['message'] ?? rest['text'];
  if (typeof saying === 'string') return saying;
  if (typeof status === 'string' && Object.keys(rest).length === 0) return `${name} says: ${status}.`;
  return describeContent(name, isPlain(status) ? rest : response);
}

/** True if a tool's response says that it did not do the task. */
export function isFailure({ response = {} }: FunctionResponse): boolean {
  return response['error'] !== undefined || !isPlain(response['status']);
}

function describeError(name: string, error: unknown, reason: unknown): string {
  const text = describeValue(error);
  if (text.includes('rejected by the user')) return `You declined ${name}, so it was not done.`;
  if (text !== 'tool call was rejected' || typeof reason !== 'string') return `${name} did not work: ${text}`;
  return `${name} was declined, so it was not done: ${reason}`;
}

function describeContent(name: string, content: Readonly<Record<string, unknown>>): string {
  const values = Object.values(content);
  const only = values.length === 1 ? values[0] : undefined;
  const said = only === undefined ? describeValue(content) : describeValue(only);
  return said.startsWith('\n') ? `${name} found:${said}` : `${name}: ${said}.`;
}

/** A status that says no more than that all went well. */
function isPlain(status: unknown): boolean {
  return (
    status === undefined ||
    (typeof status === 'string' && /^(?:ok|success|succeeded|done|completed)$/i.test(status))
  );
}

/** A JSON value in a line of plain words, or for a list of objects in a line for each. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return describeList(value as unknown[]);
  if (typeof value === 'object' && value !== null) return describeObject(value);
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeList(values: readonly unknown[]): string {
  if (values.length === 0) return 'none';
  if (!values.some((value) => typeof value === 'object' && value !== null))
    return joinPlain(values.map(describeValue));
  return values.map((value) => `\n- ${describeValue(value)}`).join('');
}

/** Values that hold commas themselves are kept apart by semicolons. */
function joinPlain(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(',')) ? '; ' : ', ');
}

function describeObject(value: object): string {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return 'nothing';
  return entries.map(([key, entry]) => describeEntry(key, entry)).join(', ');
}

function describeEntry(key: string, value: unknown): string {
  const words = tokensOf(key).join(' ');
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isNested ? `${words} (${describeValue(value)})` : `${words}: ${describeValue(value)}`;
}
