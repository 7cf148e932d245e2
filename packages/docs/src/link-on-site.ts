import { posix } from 'node:path';

import { REPOSITORY } from './folders.js';
import { siteAddress } from './page-paths.js';

/**
 * The target of a link on a page: an address of the site if it leads to a page, a file at GitHub if it leads to another file of the
 * repository. Anything else is given back as it is.
 *
 * @param target as the page has it
 * @param page path of the page in the repository
 * @param pages paths of all pages
 */
export function linkOnSite(target: string, page: string, pages: ReadonlySet<string>): string {
  const linked = pathInRepository(target, page);
  if (linked === undefined) return target;
  const { path, anchor } = linked;
  const found = [path, posix.join(path, 'README.md')].find((candidate) => pages.has(candidate));
  return (found === undefined ? REPOSITORY + path : siteAddress(found)) + anchor;
}

/** @returns undefined for a heading of the same page, for another host, and for what is not in the repository */
function pathInRepository(target: string, page: string): { path: string; anchor: string } | undefined {
  const [, start = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
  if (start === '') return undefined;
  if (start.startsWith(REPOSITORY)) return { path: start.slice(REPOSITORY.length), anchor };
  if (/^([a-z][a-z\d+.-]*:|\/)/i.test(start)) return undefined;
  const path = posix.join(posix.dirname(page), start);
  return path.startsWith('../') ? undefined : { path, anchor };
}
