import type { Embedder, Tool } from '@adorn/core';

import type { RankedTool } from './ranked-tool.js';
import { textOfTool } from './tool-text.js';

/** How many texts are embedded by one call. */
const BATCH = 100;

/** Ranks tools by the likeness of their vectors to that of a query. A tool is embedded once. */
export class MeaningIndex {
  private readonly vectors = new WeakMap<Tool, readonly number[]>();

  constructor(private readonly embedder: Embedder) {}

  /**
   * Best first, without those that are less like the query than the embedder's `minScore`. Cosines of some models are all within
   * a tenth, so that a score says where one is between those of the least and of the most like tool.
   */
  async find(query: string, tools: readonly Tool[]): Promise<RankedTool[]> {
    await this.embedAll(tools.filter((tool) => !this.vectors.has(tool)));
    const [asked = []] = await this.embedder.embed([query], 'query');
    const all = tools
      .map((tool) => ({ tool, cosine: cosine(asked, this.vectors.get(tool) ?? []) }))
      .sort((one, other) => other.cosine - one.cosine);
    const [most, least] = [all[0]?.cosine ?? 0, all.at(-1)?.cosine ?? 0];
    return all
      .filter((found) => found.cosine > this.embedder.minScore)
      .map((found) => ({
        tool: found.tool,
        score: most === least ? 1 : (found.cosine - least) / (most - least),
      }));
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
