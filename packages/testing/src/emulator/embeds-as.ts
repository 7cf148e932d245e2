import { answersJson } from './answers-with.js';
import type { GeminiStep } from './gemini-step.js';

/** One vector for each text that was asked for, as the Gemini API gives them. */
export function embedsAs(...vectors: readonly (readonly number[])[]): GeminiStep {
  return answersJson({ embeddings: vectors.map((values) => ({ values })) });
}
