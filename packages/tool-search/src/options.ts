import { Embedder } from '@adorn/core';
import { optionFault, type OptionRules, rule, TEXT } from '@adorn/core/backend';

import { ToolSearchOptionError } from './errors.js';

/** The options of `searchable`. */
export interface SearchableOptions {
  /** The name of the tool that searches. Default: `search_tools`. */
  readonly name?: string;
  /** What the tools are for, in a sentence that the model reads before it searches. Default: none. */
  readonly about?: string;
  /** How many tools one search finds if the model does not say it: a whole number from 1 to 20. Default: 5. */
  readonly limit?: number;
  /**
   * How many found tools a conversation keeps, a whole number from 1. A search that finds more lets those go that were found
   * first. Default: 40.
   */
  readonly keep?: number;
  /** Finds tools by meaning too, such as `new GeminiEmbedder()`. Default: none, tools are found by words. */
  readonly embedder?: Embedder;
}

/** The most tools of one search. */
export const MOST_FOUND = 20;

const isWhole = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1;

const RULES: OptionRules<SearchableOptions> = {
  name: rule(
    (value) => typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(value),
    'Pass a text of at most 64 letters, digits, _ or -, that starts with a letter or an underscore.',
  ),
  about: TEXT,
  limit: rule(
    (value) => isWhole(value) && value <= MOST_FOUND,
    `Pass a whole number from 1 to ${String(MOST_FOUND)}.`,
  ),
  keep: rule(isWhole, 'Pass a whole number from 1.'),
  embedder: rule(
    (value) => value instanceof Embedder,
    'Pass an instance of a class that extends Embedder, such as new GeminiEmbedder().',
  ),
};

/** @throws {ToolSearchOptionError} */
export function checkOptions(options: SearchableOptions): void {
  const found = optionFault(options, RULES);
  if (found) throw new ToolSearchOptionError(found.fault, found.cure);
}
