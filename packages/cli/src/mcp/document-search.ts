import { stemOf } from '@adorn/core/backend';
import MiniSearch from 'minisearch';

import { type PageSection, sectionsOf } from './page-sections.js';
import type { DocumentFolder } from './document-folder.js';

/** How much a word counts by where it is: a heading is chosen to say what a section is about. */
const BOOST = { title: 3, heading: 3, text: 1 };

/** Finds sections of the documents by the words that they share with a query (BM25). */
export class DocumentSearch {
  private readonly sections: readonly PageSection[];
  private readonly index = new MiniSearch<PageSection & { readonly id: number }>({
    fields: Object.keys(BOOST),
    processTerm: (word) => stemOf(word.toLowerCase()),
    searchOptions: { boost: BOOST, prefix: (word) => word.length > 3 },
  });

  constructor(documents: DocumentFolder) {
    this.sections = documents.pages.flatMap((path) => sectionsOf(path, documents.read(path)));
    this.index.addAll(this.sections.map((section, id) => ({ id, ...section })));
  }

  /** The sections that share a word with the query, best first. */
  find(query: string, limit: number): PageSection[] {
    return this.index
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => this.sections[id as number] ?? []);
  }
}
