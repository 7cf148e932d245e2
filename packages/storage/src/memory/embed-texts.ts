import type { Embedder, EmbeddingPurpose } from '@adorn/core';

import { toUnitLength } from './vectors.js';

/** The maximum text length passed to an embedder: more than any embedder reads. */
const EMBEDDED = 8_000;

/** The key of an embedder's vectors: vectors of different embedders are not compared. */
export function embedderKey({ name, dimensions }: Embedder): string {
  return JSON.stringify([name, dimensions]);
}

/**
 * Vectors of length one, in the order of the texts.
 *
 * @throws {TypeError} where the embedder gives other than it says; and what it throws itself
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
): Promise<number[][]> {
  const vectors = await embedder.embed(texts.map(wellFormed), purpose);
  const isSound = vectors.length === texts.length && vectors.every((vector) => isVectorOf(embedder, vector));
  if (isSound) return vectors.map(toUnitLength);
  throw new TypeError(
    `The embedder "${embedder.name}" did not return a vector of ${String(embedder.dimensions)} numbers for each of ` +
      `${String(texts.length)} texts. Correct its embed(), or its dimensions.`,
  );
}

function isVectorOf({ dimensions }: Embedder, vector: readonly unknown[]): boolean {
  return vector.length === dimensions && vector.every((value) => Number.isFinite(value));
}

/** Half a surrogate pair, which the cut may leave too, is nothing that can be sent. */
function wellFormed(text: string): string {
  return Buffer.from(text.slice(0, EMBEDDED)).toString();
}
