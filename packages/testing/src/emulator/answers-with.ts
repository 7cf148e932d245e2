import type { GeminiAnswer, GeminiStep } from './gemini-step.js';

/** The given parts of an answer; the rest of Gemini's JSON is filled in. */
export interface AnswerContent {
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** `STOP` unless said. */
  readonly finishReason?: string;
  /** Laid over the candidate: `groundingMetadata`, `citationMetadata`, `finishMessage`, … */
  readonly candidate?: Readonly<Record<string, unknown>>;
}

/** One whole answer of these parts. */
export function answersWith({ parts, finishReason = 'STOP', candidate }: AnswerContent): GeminiStep {
  return answersJson({
    candidates: [{ content: { role: 'model', parts }, finishReason, index: 0, ...candidate }],
    usageMetadata: {
      promptTokenCount: 1,
      candidatesTokenCount: parts.length,
      totalTokenCount: parts.length + 1,
    },
    modelVersion: 'gemini-emulator',
  });
}

/** One whole answer, all of its JSON given. */
export function answersJson(answer: GeminiAnswer): GeminiStep {
  return { kind: 'answer', answer };
}

/** A streamed answer, the JSON of each chunk given. */
export function streamsJson(...chunks: readonly GeminiAnswer[]): GeminiStep {
  return { kind: 'chunks', chunks };
}
