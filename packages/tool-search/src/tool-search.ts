import type { Embedder, Tool, ToolContext } from '@adorn/core';

import { MeaningIndex } from './meaning-index.js';
import { fused } from './ranked-tool.js';
import { WordIndex } from './word-index.js';

/** Where and how much is searched. */
interface SearchOptions {
  readonly limit: number;
  readonly context: Pick<ToolContext, 'logger'>;
}

/** Finds tools by words, and by meaning if there is an embedder. */
export class ToolSearch {
  /** An index for each list of tools, which is another array once it has changed. */
  private readonly indexes = new WeakMap<readonly Tool[], WordIndex>();
  private readonly meanings: MeaningIndex | undefined;

  constructor(embedder: Embedder | undefined) {
    this.meanings = embedder && new MeaningIndex(embedder);
  }

  /** The tools that fit a query, best first. A query of names alone finds the tools with these names before all others. */
  async find(query: string, tools: readonly Tool[], { limit, context }: SearchOptions): Promise<Tool[]> {
    const index = this.indexes.get(tools) ?? new WordIndex(tools);
    this.indexes.set(tools, index);
    const rankings = [index.find(query)];
    try {
      if (this.meanings) rankings.push(await this.meanings.find(query, tools));
    } catch (error) {
      context.logger.warn('tools were searched by words alone, because the embedder has failed', { error });
    }
    const all = [...namedIn(query, tools), ...fused(rankings)];
    return [...new Set(all)].slice(0, limit);
  }
}

/** The tools that a query of names names; none for a query with any other word, such as "add two numbers". */
function namedIn(query: string, tools: readonly Tool[]): Tool[] {
  const words = query.split(/[\s,;"'`()]+/).filter((word) => word !== '');
  const named = words.flatMap((word) => tools.find(({ name }) => name === word) ?? []);
  return named.length === words.length ? named : [];
}
