/** A tool's answer to what it cannot do, in the words that the model is told. Nothing was changed. */
export class Refusal extends Error {}

/** The answer of a tool, or `Error: ` and the reason where it refused. */
export function answerOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return `Error: ${error.message}`;
    throw error;
  }
}
