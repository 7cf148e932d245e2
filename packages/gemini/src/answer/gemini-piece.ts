import type { Candidate, GenerateContentResponse, Part } from '@google/genai';
import type { ModelResponse } from '@adorn/core';

/** The contents of a Gemini answer, or of one chunk of a streamed answer. */
export interface GeminiPiece extends Pick<
  ModelResponse,
  | 'usageMetadata'
  | 'groundingMetadata'
  | 'citationMetadata'
  | 'urlContextMetadata'
  | 'modelVersion'
  | 'responseId'
  | 'finishReason'
> {
  /** The unchanged parts: a signature belongs to exactly its part. */
  readonly parts: readonly Part[];
  readonly finishMessage?: string;
  /** Why the prompt was not answered at all. */
  readonly blockReason?: string;
  readonly blockMessage?: string;
}

/** Reads what came over the wire, and holds nothing for certain. */
export function readPiece(response: GenerateContentResponse): GeminiPiece {
  const candidate = firstOf(response.candidates);
  const { promptFeedback, usageMetadata, modelVersion, responseId } = response;
  return {
    parts: partsOf(candidate),
    ...(candidate?.finishReason && { finishReason: candidate.finishReason }),
    ...(candidate?.finishMessage && { finishMessage: candidate.finishMessage }),
    ...(candidate?.groundingMetadata && { groundingMetadata: candidate.groundingMetadata }),
    ...(candidate?.citationMetadata?.citations && { citationMetadata: candidate.citationMetadata }),
    ...(Array.isArray(candidate?.urlContextMetadata?.urlMetadata) && {
      urlContextMetadata: candidate.urlContextMetadata,
    }),
    ...(promptFeedback?.blockReason && { blockReason: promptFeedback.blockReason }),
    ...(promptFeedback?.blockReasonMessage && { blockMessage: promptFeedback.blockReasonMessage }),
    ...(usageMetadata && { usageMetadata }),
    ...(modelVersion && { modelVersion }),
    ...(responseId && { responseId }),
  };
}

function firstOf(candidates: unknown): Candidate | undefined {
  return Array.isArray(candidates) ? ((candidates as (Candidate | null)[])[0] ?? undefined) : undefined;
}

/**
 * The parts without empty ones, which Gemini rejects when they are sent back. A field that is null counts as absent.
 */
function partsOf(candidate: Candidate | undefined): Part[] {
  const parts: unknown = candidate?.content?.parts;
  return Array.isArray(parts) ? (parts as unknown[]).flatMap(readPart) : [];
}

function readPart(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const isClean = !Object.values(value).includes(null);
  const part = isClean
    ? value
    : Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
  return Object.keys(part).length === 0 ? [] : [part];
}
