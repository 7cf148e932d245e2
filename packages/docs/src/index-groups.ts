import { posix } from 'node:path';

/** A heading of the index, and the pages listed below it. */
export interface IndexGroup {
  readonly title: string;
  /** Paths in the repository, in the order of the index. */
  readonly pages: readonly string[];
}

const HEADING = /^#{1,3} (.+)$/;
const ITEM = /^(?:- |\d+\. )\[[^\]]*\]\(([^)#]+\.md)\)/;

/**
 * Reads the groups of an index: each heading with a list of links to pages.
 *
 * @param markdown text of the index
 * @param index its path in the repository
 */
export function readIndexGroups(markdown: string, index: string): IndexGroup[] {
  const groups: { title: string; pages: string[] }[] = [];
  for (const line of markdown.split('\n')) {
    const [, title] = HEADING.exec(line) ?? [];
    if (title !== undefined) groups.push({ title, pages: [] });
    const [, target] = ITEM.exec(line) ?? [];
    if (target !== undefined) groups.at(-1)?.pages.push(posix.join(posix.dirname(index), target));
  }
  return groups.filter(({ pages }) => pages.length > 0);
}
