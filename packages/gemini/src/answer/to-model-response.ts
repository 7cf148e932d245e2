import type { ModelResponse } from '@adorn/core';

import type { GeminiPiece } from './gemini-piece.js';

/** Finish reasons whose answers must not be used, although parts may be present. */
const BLOCKING: ReadonlySet<string> = new Set([
  'BLOCKLIST',
  'IMAGE_OTHER',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_SAFETY',
  'LANGUAGE',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'OTHER',
  'PROHIBITED_CONTENT',
  'RECITATION',
  'SAFETY',
  'SPII',
  'TOO_MANY_TOOL_CALLS',
  'UNEXPECTED_TOOL_CALL',
]);

const UNREMARKABLE: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED']);

export function isBlocking(finishReason: string | undefined): boolean {
  return finishReason !== undefined && BLOCKING.has(finishReason);
}

/** Converts a complete answer, and adds its error code. Unknown finish reasons are passed on. */
export function toModelResponse(piece: GeminiPiece): ModelResponse {
  const { parts, finishReason, usageMetadata, groundingMetadata, citationMetadata, modelVersion } = piece;
  const { urlContextMetadata, responseId } = piece;
  return {
    ...(parts.length > 0 && { content: { role: 'model', parts: [...parts] } }),
    ...(finishReason !== undefined && { finishReason }),
    ...faultOf(piece),
    ...(usageMetadata && { usageMetadata }),
    ...(groundingMetadata && { groundingMetadata }),
    ...(citationMetadata && { citationMetadata }),
    ...(urlContextMetadata && { urlContextMetadata }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(responseId !== undefined && { responseId }),
  };
}

type Fault = Pick<ModelResponse, 'errorCode' | 'errorMessage'>;

function faultOf({ parts, finishReason, finishMessage, blockReason, blockMessage }: GeminiPiece): Fault {
  if (blockReason !== undefined) {
    return fault(blockReason, blockMessage ?? `The prompt was blocked (${blockReason}): rephrase it.`);
  }
  if (isBlocking(finishReason)) {
    return fault(
      finishReason,
      finishMessage ?? `The model stopped for ${String(finishReason)}; its answer is not usable.`,
    );
  }
  if (parts.length > 0) return {};
  if (finishReason !== undefined && !UNREMARKABLE.has(finishReason)) {
    return fault(
      finishReason,
      finishMessage ?? `The model stopped for ${finishReason} before it said anything.`,
    );
  }
  return fault('EMPTY_RESPONSE', 'The model answered without any content: ask again, or say more.');
}

function fault(errorCode: string | undefined, errorMessage: string): Fault {
  return { errorCode: errorCode ?? 'OTHER', errorMessage };
}
