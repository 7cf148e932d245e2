import type { RecordedExchange } from '@adorn/testing';

import { callsIn, type Json, type RecordedBody, type RecordedContent, responsesIn } from './gemini-json.js';
import type { Recording } from './recording.js';

/** Why a recording is none of Adorn's; undefined where it is. */
export function outOfScope({ path, exchanges }: Recording): string | undefined {
  if (/(^|[/\\])schema[/\\]/.test(path)) return 'a schema, no answer';
  return exchanges.map(reasonOf).find((reason) => reason !== undefined);
}

function reasonOf({ request, response }: RecordedExchange): string | undefined {
  if (!request) return foreignAnswer(response.body.toString('utf8'));
  if (!/:(generateContent|streamGenerateContent)(\?|$)/.test(request.path)) return 'another method';
  const { contents = [] } = (request.body ?? {}) as RecordedBody;
  return leavesCallsOpen(contents) ? 'it leaves a call unanswered' : undefined;
}

/** Token counts and generated images are answers to other methods than `generateContent`. */
function foreignAnswer(text: string): string | undefined {
  const answer = parseObject(text);
  if (!answer || 'candidates' in answer) return undefined;
  if ('totalTokens' in answer) return 'token counting';
  return 'predictions' in answer ? 'image generation' : undefined;
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function leavesCallsOpen(contents: readonly RecordedContent[]): boolean {
  return contents.some(
    (content, index) => callsIn(content).length !== responsesIn(contents[index + 1]).length,
  );
}
