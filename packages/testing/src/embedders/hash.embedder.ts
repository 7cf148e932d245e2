import { Embedder } from '@adorn/core';

/**
 * A deterministic embedder for tests: the similarity of two texts depends on the words and parts of words that they
 * share, so "boating" is similar to "boats". It does not know meanings.
 */
export class HashEmbedder extends Embedder {
  readonly name: string;
  readonly dimensions: number;
  /** Every text that was embedded, in order. */
  readonly embedded: string[] = [];

  constructor({ name = 'hash', dimensions = 256 }: { name?: string; dimensions?: number } = {}) {
    super();
    this.name = name;
    this.dimensions = dimensions;
  }

  override get minScore(): number {
    return 0.3;
  }

  async embed(texts: readonly string[]): Promise<number[][]> {
    this.embedded.push(...texts);
    return texts.map((text) => this.vectorOf(text));
  }

  private vectorOf(text: string): number[] {
    const vector = new Array<number>(this.dimensions).fill(0);
    for (const piece of piecesOf(text)) {
      const hash = hashOf(piece);
      const place = hash % this.dimensions;
      vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? 1 : -1);
    }
    return toUnitLength(vector);
  }
}

/** The words, and every three letters in a row of each. */
function piecesOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => [word, ...trigramsOf(` ${word} `)]);
}

function trigramsOf(word: string): string[] {
  return Array.from({ length: word.length - 2 }, (_, start) => word.slice(start, start + 3));
}

/** FNV-1a in 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

function toUnitLength(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
