import type { ModelResponse } from '@adorn/core';

import { isJsonObject } from '../is-json-object.js';

/** Why an answer ended, in the words of the specification and of the provider. */
export interface Finish {
  readonly unified: string;
  readonly raw: string | undefined;
}

/** Reads a finish reason: a text in v2, an object in v3 and v4. */
export function readFinish(given: unknown): Finish | undefined {
  if (typeof given === 'string') return { unified: given, raw: undefined };
  if (!isJsonObject(given) || typeof given['unified'] !== 'string') return undefined;
  return { unified: given['unified'], raw: typeof given['raw'] === 'string' ? given['raw'] : undefined };
}

/**
 * True if a stream ended without a reason: the connection was closed early. Providers then report `other` or
 * `unknown`, without words of their own.
 */
export function isCut(finish: Finish | undefined): boolean {
  if (!finish) return true;
  return ['interrupted', 'other', 'unknown'].includes(finish.unified) && finish.raw === undefined;
}

/** Reasons for which a provider refused what the model wrote, in Gemini's words, by the provider's own. */
const REFUSED: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'MALFORMED_FUNCTION_CALL',
  MALFORMED_RESPONSE: 'MALFORMED_RESPONSE',
  UNEXPECTED_TOOL_CALL: 'UNEXPECTED_TOOL_CALL',
  // Bedrock.
  malformed_model_output: 'MALFORMED_RESPONSE',
  malformed_tool_use: 'MALFORMED_FUNCTION_CALL',
};

const REASONS: Readonly<Record<string, string>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  error: 'OTHER',
};

/** Finish reasons of answers that must not be used. */
const BLOCKING: ReadonlySet<string> = new Set(['SAFETY', 'OTHER', ...Object.values(REFUSED)]);

type Outcome = Pick<ModelResponse, 'finishReason' | 'errorCode' | 'errorMessage'>;

/**
 * The finish reason in Gemini's words, and the error of an answer that is not usable. A reason that the
 * specification does not know is passed on in capitals.
 */
export function outcomeOf(finish: Finish | undefined): Outcome {
  const reason = reasonOf(finish);
  const finishReason = reason === undefined ? {} : { finishReason: reason };
  if (reason !== undefined && BLOCKING.has(reason)) {
    const cause = finish?.raw === undefined ? reason : `${reason} (${finish.raw.slice(0, 100)})`;
    return {
      ...finishReason,
      errorCode: reason,
      errorMessage: `The model stopped for ${cause}; its answer is not usable.`,
    };
  }
  return finishReason;
}

function reasonOf(finish: Finish | undefined): string | undefined {
  if (!finish) return undefined;
  const refused = finish.raw === undefined ? undefined : REFUSED[finish.raw];
  if (refused !== undefined) return refused;
  const known = REASONS[finish.unified];
  if (known !== undefined) return known;
  // Not every package knows the reason of the servers behind its vendor.
  if (finish.raw === 'content_filter') return 'SAFETY';
  return finish.raw?.toUpperCase().slice(0, 100);
}
