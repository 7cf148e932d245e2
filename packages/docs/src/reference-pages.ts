import { posix } from 'node:path';

import { headingAnchor } from './heading-anchor.js';

/** The beginning of a generated page: nobody edits it. */
export const NOT_EDITED = '---\neditLink: false\n---\n\n';
const HEADING = /^#+ (.+)$/gm;
/** What TypeDoc puts before a name in a table: HTML, which is text on our site. */
const TABLE_ANCHOR = /(?<=^\| )<a id="([^"]*)"><\/a> /gm;
/** A link to a name in a table. */
const LINK_TO_ROW = /(?<=\]\()([^)#\s]*)#(property-[^)\s]+)(?=\))/g;
/** What a page declares. Its parts, such as its properties, have smaller headings. */
const DECLARATION = /^### (.+)$/;
/** A link to the second or a later heading of one name, which TypeDoc numbers. */
const NUMBERED = /(?<=\]\()([^)#\s]*)#([^)\s]+?)-(\d+)(?=\))/g;

/**
 * The pages of TypeDoc for our site: without a link for editing and anchors in tables, and with links that lead to a heading. TypeDoc numbers headings that
 * differ in more than the site's anchors do; a number too high is left out, so that the link leads to the first of the name. A link to
 * a row of a table leads to the heading above it.
 *
 * @param pages texts by their paths
 */
export function referencePages(pages: ReadonlyMap<string, string>): Map<string, string> {
  const headings = new Map([...pages].map(([path, text]) => [path, countAnchors(text)]));
  const tables = new Map([...pages].map(([path, text]) => [path, findTables(text)]));
  const pageOf = (path: string, target: string): string =>
    target === '' ? path : posix.join(posix.dirname(path), target);
  return new Map(
    [...pages].map(([path, text]) => [
      path,
      NOT_EDITED +
        text
          .replaceAll(TABLE_ANCHOR, '')
          .replaceAll(LINK_TO_ROW, (_, target: string, row: string) => {
            const declaration = tables.get(pageOf(path, target))?.get(row) ?? '';
            return `${target}#${declaration}`;
          })
          .replaceAll(NUMBERED, (link, target: string, anchor: string, number: string) => {
            const count = headings.get(pageOf(path, target))?.get(anchor) ?? 0;
            return count > Number(number) ? link : `${target}#${anchor}`;
          }),
    ]),
  );
}

/** The anchors of the declarations in whose tables the rows are, by the anchors of the rows. */
function findTables(text: string): Map<string, string> {
  const tables = new Map<string, string>();
  let declaration = '';
  for (const line of text.split('\n')) {
    const [, heading] = DECLARATION.exec(line) ?? [];
    if (heading !== undefined) declaration = headingAnchor(heading.replaceAll('\\', ''));
    for (const [, row = ''] of line.matchAll(TABLE_ANCHOR)) tables.set(row, declaration);
  }
  return tables;
}

/** How many headings have an anchor, before the site numbers them. */
function countAnchors(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, heading = ''] of text.matchAll(HEADING)) {
    const anchor = headingAnchor(heading.replaceAll('\\', ''));
    counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  }
  return counts;
}
