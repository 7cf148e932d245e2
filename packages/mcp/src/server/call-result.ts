import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ServedOutcome } from './served-call.js';

type Response = Readonly<Record<string, unknown>>;

/** The result of a call, as the protocol has it. */
export function callResult(response: Response): CallToolResult {
  const blocks = contentOf(response);
  if (blocks !== undefined) return blocks;
  const { error, result } = response;
  if (typeof error === 'string') return errorResult(textOf(response, error));
  const isLone = 'result' in response && Object.keys(response).length === 1;
  const value = isLone ? result : response;
  const content = [
    { type: 'text' as const, text: typeof value === 'string' ? value : JSON.stringify(value) },
  ];
  return isLone ? { content } : { content, structuredContent: { ...response } };
}

/** The result of a failed call. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Why a call has no result, as a sentence for the client's model. */
export function unansweredText({ unanswered, result }: ServedOutcome): string {
  switch (unanswered?.kind) {
    case 'credential':
      return `The tool "${unanswered.tool}" needs a credential of the user, which this server does not ask clients for.`;
    case 'input':
      return `The tool "${unanswered.tool}" needs an answer of the user, and there is none.`;
    case 'result':
      return `The tool "${unanswered.tool}" has begun, and its result comes later. Nobody can be told of it over this connection.`;
    case 'confirmation':
      return `The tool "${unanswered.tool}" waits for the approval of a person.`;
    default:
      return result.error?.message ?? 'The call was not answered.';
  }
}

/** An error with what else a response says, such as the reason of a refusal. */
function textOf({ reason }: Response, error: string): string {
  return typeof reason === 'string' ? `${error}: ${reason}` : error;
}

const BLOCKS: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** A response that is a list of content blocks already; undefined for any other. */
function contentOf(response: Response): CallToolResult | undefined {
  const { content, structuredContent, isError } = response;
  if (!Array.isArray(content) || content.length === 0 || !content.every(isBlock)) return undefined;
  return {
    content: content as CallToolResult['content'],
    ...(structuredContent !== undefined && {
      structuredContent: structuredContent as Record<string, unknown>,
    }),
    ...(isError === true && { isError }),
  };
}

function isBlock(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, text, data, mimeType, resource, uri } = value as Readonly<Record<string, unknown>>;
  if (!BLOCKS.has(type)) return false;
  if (type === 'text') return typeof text === 'string';
  if (type === 'resource') return typeof resource === 'object' && resource !== null && 'uri' in resource;
  if (type === 'resource_link') return typeof uri === 'string';
  return typeof data === 'string' && typeof mimeType === 'string';
}
