import type { ModelResponse } from '@adorn/core';
import { judgedResponse } from '@adorn/core/backend';

import type { GeminiPiece } from './gemini-piece.js';

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

/** Why the prompt was blocked. */
function faultOf({ blockReason, blockMessage }: GeminiPiece): Fault {
  if (blockReason === undefined) return {};
  const errorMessage = blockMessage ?? `The prompt was blocked (${blockReason}): rephrase it.`;
  return { errorCode: blockReason, errorMessage };
}
