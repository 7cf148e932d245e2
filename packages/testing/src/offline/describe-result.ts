import type { FunctionResponse } from '@adorn/core';

import { describeValue } from './describe-value.js';

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
  if (!text.includes('rejected by the user')) return `${name} did not work: ${text}`;
  const why = typeof reason === 'string' && reason !== '' ? ` You said: ${reason}.` : '';
  return `You declined ${name}, so it was not done.${why}`;
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
