import type { Tool } from '@adorn/core';
import MiniSearch from 'minisearch';

import type { RankedTool } from './ranked-tool.js';
import { toolText } from './tool-text.js';
import { wordsOf } from './words.js';

/** How much a word counts by where it is: a name is chosen to say what a tool does, a parameter only what it needs. */
const BOOST = { name: 2, description: 1, parameters: 0.5 };

/** Ranks tools by the words that they share with a query (BM25). */
export class WordIndex {
  private readonly index = new MiniSearch<{ readonly id: number }>({
    fields: Object.keys(BOOST),
    tokenize: wordsOf,
    // `wordsOf` has done it.
    processTerm: (term) => term,
    searchOptions: { boost: BOOST },
  });

  constructor(private readonly tools: readonly Tool[]) {
    this.index.addAll(tools.map((tool, id) => ({ id, ...toolText(tool) })));
  }

  /** The tools that share a word with the query, best first. */
  find(query: string): RankedTool[] {
    const results = this.index.search(query);
    const best = results[0]?.score ?? 1;
    return results.flatMap(({ id, score }) => {
      const tool = this.tools[id as number];
      return tool === undefined ? [] : [{ tool, score: score / best }];
    });
  }
}
