import type { GeminiAnswer, GeminiStep } from './gemini-step.js';

/** The given parts of an answer; the rest of Gemini's JSON is filled in. */
export interface AnswerContent {
  readonly parts: readonly Readonly<Record<string, unknown>>[];
  /** Default: `STOP`. */
  readonly finishReason?: string;
  /** Merged into the candidate: `groundingMetadata`, `citationMetadata`, `finishMessage`, … */
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

/** An answer of plain text. With several texts, each is one chunk of a stream. */
export function saysText(...texts: readonly [string, ...string[]]): GeminiStep {
  if (texts.length === 1) return answersWith({ parts: [{ text: texts[0] }] });
  const last = texts.length - 1;
  const chunks = texts.map((text, index) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        ...(index === last && { finishReason: 'STOP' }),
        index: 0,
      },
    ],
    ...(index === last && { usageMetadata: usageOf(texts.length) }),
    modelVersion: 'gemini-emulator',
  }));
  return { kind: 'chunks', chunks };
}

function usageOf(tokens: number): Readonly<Record<string, number>> {
  return { promptTokenCount: 1, candidatesTokenCount: tokens, totalTokenCount: tokens + 1 };
}

/** A call of the model. Gemini assigns no `id`, and signs the first call of a turn. */
export interface EmulatedCall {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly thoughtSignature?: string;
}

/** An answer that calls functions, all in one turn. */
export function callsFunctions(...calls: readonly EmulatedCall[]): GeminiStep {
  return answersWith({
    parts: calls.map(({ name, args = {}, id, thoughtSignature }) => ({
      functionCall: { ...(id !== undefined && { id }), name, args },
      ...(thoughtSignature !== undefined && { thoughtSignature }),
    })),
  });
}

/** One vector for each text that was asked for, as the Gemini API gives them. */
export function embedsAs(...vectors: readonly (readonly number[])[]): GeminiStep {
  return answersJson({ embeddings: vectors.map((values) => ({ values })) });
}
