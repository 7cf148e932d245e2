import type { ModelResponse } from '@adorn/core';
import { judgedResponse } from '@adorn/core/backend';

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

export function isBlocking(finishReason: string | undefined): boolean {
  return finishReason !== undefined && BLOCKING.has(finishReason);
}

/** Converts a complete answer, and adds its error code. Unknown finish reasons are passed on. */
export function toModelResponse(piece: GeminiPiece): ModelResponse {
  const { parts, finishReason, usageMetadata, groundingMetadata, citationMetadata, modelVersion } = piece;
  const { urlContextMetadata, responseId, finishMessage } = piece;
  const judged = judgedResponse({
    ...(parts.length > 0 && { content: { role: 'model', parts: [...parts] } }),
    ...(finishReason !== undefined && { finishReason }),
    ...faultOf(piece),
    ...(usageMetadata && { usageMetadata }),
    ...(groundingMetadata && { groundingMetadata }),
    ...(citationMetadata && { citationMetadata }),
    ...(urlContextMetadata && { urlContextMetadata }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(responseId !== undefined && { responseId }),
  });
  const isExplained = finishMessage !== undefined && judged.errorCode === finishReason;
  return isExplained ? { ...judged, errorMessage: finishMessage } : judged;
}

type Fault = Pick<ModelResponse, 'errorCode' | 'errorMessage'>;

/** Why the answer was blocked. */
function faultOf({ finishReason, finishMessage, blockReason, blockMessage }: GeminiPiece): Fault {
  if (blockReason !== undefined) {
    return fault(blockReason, blockMessage ?? `The prompt was blocked (${blockReason}): rephrase it.`);
  }
  if (!isBlocking(finishReason)) return {};
  return fault(
    finishReason,
    finishMessage ?? `The model stopped for ${String(finishReason)}; its answer is not usable.`,
  );
}

function fault(errorCode: string | undefined, errorMessage: string): Fault {
  return { errorCode: errorCode ?? 'OTHER', errorMessage };
}
