import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { SITE, WORKSHOP } from './folders.js';
import type { Search } from './missed-questions.js';
import { indexOptions, searchOptions } from './site-search.js';

/** What is used here of MiniSearch, which VitePress brings along. */
interface MiniSearch {
  search(typed: string): readonly { readonly id: string }[];
}
interface MiniSearchClass {
  loadJSON(json: string, options: object): MiniSearch;
}

/** The search of the built site, as its page runs it: the same index, library and options. */
export async function loadBuiltSearch(): Promise<Search> {
  const vitepress = createRequire(`${WORKSHOP}/package.json`).resolve('vitepress');
  const library = createRequire(vitepress)('minisearch') as MiniSearchClass;
  const chunks = `${SITE}/assets/chunks/`;
  const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'));
  if (file === undefined)
    throw new Error(`There is no index of the search in ${chunks}. Build the site first.`);
  const index = (await import(pathToFileURL(chunks + file).href)) as { default: string };
  const found = library.loadJSON(index.default, {
    fields: ['title', 'titles', 'text'],
    ...indexOptions,
    searchOptions,
  });
  return (typed) => found.search(typed).map(({ id }) => id);
}
