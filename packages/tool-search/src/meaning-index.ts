import type { Embedder, Tool } from '@adorn/core';

import { textOfTool } from './tool-text.js';

/** How many texts are embedded by one call. */
const BATCH = 100;

/** Ranks tools by the likeness of their vectors to that of a query. A tool is embedded once. */
export class MeaningIndex {
  private readonly vectors = new WeakMap<Tool, readonly number[]>();

  constructor(private readonly embedder: Embedder) {}

  /** Best first, without those that are less like the query than the embedder's `minScore`. */
  async find(query: string, tools: readonly Tool[]): Promise<Tool[]> {
    await this.embedAll(tools.filter((tool) => !this.vectors.has(tool)));
    const [asked = []] = await this.embedder.embed([query], 'query');
    return tools
      .map((tool) => ({ tool, score: cosine(asked, this.vectors.get(tool) ?? []) }))
      .filter(({ score }) => score > this.embedder.minScore)
      .sort((one, other) => other.score - one.score)
      .map(({ tool }) => tool);
  }

  private async embedAll(tools: readonly Tool[]): Promise<void> {
    for (let start = 0; start < tools.length; start += BATCH) {
      const batch = tools.slice(start, start + BATCH);
      const vectors = await this.embedder.embed(batch.map(textOfTool), 'document');
      for (const [index, tool] of batch.entries()) this.vectors.set(tool, vectors[index] ?? []);
    }
  }
}

function cosine(one: readonly number[], other: readonly number[]): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const counterpart = other[index] ?? 0;
    product += value * counterpart;
    ofOne += value * value;
    ofOther += counterpart * counterpart;
  }
  return product === 0 ? 0 : product / Math.sqrt(ofOne * ofOther);
}
