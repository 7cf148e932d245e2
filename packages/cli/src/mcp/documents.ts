import { inject, type Integer, tool, ToolError } from 'adorn';

import { DocumentFolder } from './document-folder.js';
import { DocumentSearch } from './document-search.js';
import { sectionsOf } from './page-sections.js';

const FOUND = 8;
const MOST_FOUND = 30;
/** How much of a section a search shows. */
const EXCERPT = 300;
const ERROR_ROW = /^\| `([A-Z][A-Z0-9_]+)` \| (.+?) \| (.+?) \|$/gm;

/** Tools over the documents of Adorn. */
export class Documents {
  private readonly folder: DocumentFolder;
  private search: DocumentSearch | undefined;

  constructor(@inject(DocumentFolder) folder: DocumentFolder) {
    this.folder = folder;
  }

  /**
   * Searches the documents of Adorn, the agent development kit for TypeScript, by words: guides, how it works, options, errors, and the words of
   * other kits. Gives the path, the heading and the beginning of each section that fits, best first.
   *
   * @param query words, such as "approval by a manager" or the name of an option
   * @param limit how many sections at most, up to 30
   */
  @tool({ effect: 'read' })
  searchDocuments(query: string, limit: Integer = FOUND): string {
    this.search ??= new DocumentSearch(this.folder);
    const found = this.search.find(query, Math.min(Math.max(limit, 1), MOST_FOUND));
    if (found.length === 0)
      return 'No section has one of these words. Search for other words, or read llms.txt.';
    return found
      .map(({ path, title, heading, text }) => `${path} · ${title} · ${heading}\n${excerptOf(text)}`)
      .join('\n\n');
  }

  /**
   * Reads a page of the documents, or one section of it, or a program that a page shows.
   *
   * @param path as search_documents gives it, such as "confirmation.md"; "llms.txt" lists all pages, "samples/guides/src/mcp.ts" is a program
   * @param heading only the section with this heading
   */
  @tool({ effect: 'read' })
  readDocument(path: string, heading?: string): string {
    const text = this.folder.read(path);
    if (heading === undefined) return text;
    const sections = sectionsOf(path, text);
    const found = sections.find((section) => section.heading.toLowerCase() === heading.toLowerCase());
    if (found !== undefined) return found.text;
    const headings = sections.map((section) => `"${section.heading}"`).join(', ');
    throw new ToolError(`${path} has no heading "${heading}". It has ${headings}.`);
  }

  /**
   * Says what an error code of Adorn means and what to do, and which pages are about it.
   *
   * @param code such as "TOOL_NOT_FOUND"
   */
  @tool({ effect: 'read' })
  lookUpError(code: string): string {
    const entries = [...this.folder.read('errors.md').matchAll(ERROR_ROW)];
    const wanted = code.trim().toUpperCase();
    const entry = entries.find(([, known]) => known === wanted);
    if (entry === undefined)
      throw new ToolError(
        unknownCode(
          wanted,
          entries.map(([, known = '']) => known),
        ),
      );
    const [, name, happened, cure] = entry;
    const pages = this.folder.pages.filter(
      (path) => path !== 'errors.md' && new RegExp(`\\b${wanted}\\b`).test(this.folder.read(path)),
    );
    const also = pages.length === 0 ? [] : [`Pages: ${pages.join(', ')}`];
    return [`${String(name)}: ${String(happened)}`, `What to do: ${String(cure)}`, ...also].join('\n');
  }
}

/** The beginning of a section without its heading. */
function excerptOf(text: string): string {
  const body = text.replace(/^#.*\n+/, '').trim();
  return body.length > EXCERPT ? `${body.slice(0, EXCERPT)}…` : body;
}

function unknownCode(wanted: string, codes: readonly string[]): string {
  const words = wanted.split('_');
  const distance = (code: string): number => Math.abs(code.length - wanted.length);
  const near = codes
    .filter((code) => words.filter((word) => code.split('_').includes(word)).length > 1)
    .sort((one, other) => distance(one) - distance(other));
  const hint = near.length > 0 ? ` Do you mean ${near.slice(0, 5).join(', ')}?` : ' errors.md has all codes.';
  return `Adorn has no error code "${wanted}".${hint}`;
}
