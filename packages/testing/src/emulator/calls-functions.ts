import { answersWith } from './answers-with.js';
import type { GeminiStep } from './gemini-step.js';

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
