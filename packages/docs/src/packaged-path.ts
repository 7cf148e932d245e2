import { posix } from 'node:path';

import { REPOSITORY } from './folders.js';
import { DOCS } from './page-paths.js';

/** Where programs read the pages of the repository as text. */
const RAW = 'https://raw.githubusercontent.com/adorn-kit/adorn/main/';
/** Is in the package already, beside the folder of the documents. */
const CHANGELOG = 'packages/adorn/CHANGELOG.md';
/** A fence as a whole, or a link. What a fence holds is left alone. */
const FENCE_OR_LINK = /^```[\s\S]*?^```|(?<=\]\()[^)\s]+/gm;

/**
 * Where a file of the repository is in the documents of the package `adorn`, by its path from their folder.
 *
 * @example
 * packagedPath('packages/docs/how/tool-call.md'); // 'how/tool-call.md'
 * packagedPath('packages/core/README.md'); // 'packages/core.md'
 * packagedPath('samples/guides/src/mcp.ts'); // 'samples/guides/src/mcp.ts'
 */
export function packagedPath(path: string): string {
  if (path === CHANGELOG) return '../CHANGELOG.md';
  if (path.startsWith(DOCS)) return path.slice(DOCS.length);
  return path.replace(/^(packages\/[^/]+)\/README\.md$/, '$1.md');
}

/**
 * The text of a page with links that resolve in the package: to a packaged file by a relative path, to any other file of the
 * repository at GitHub.
 *
 * @param text the page's
 * @param page its path in the repository
 * @param packaged paths in the repository of all packaged files
 */
export function withPackagedLinks(text: string, page: string, packaged: ReadonlySet<string>): string {
  return text.replace(FENCE_OR_LINK, (found) =>
    found.startsWith('```') ? found : packagedLink(found, page, packaged),
  );
}

function packagedLink(target: string, page: string, packaged: ReadonlySet<string>): string {
  const [, start = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
  const path = pathInRepository(start, page);
  if (path === undefined) return target;
  const found = [path, posix.join(path, 'README.md')].find(
    (candidate) => packaged.has(candidate) || candidate === CHANGELOG,
  );
  if (found === undefined) return REPOSITORY + path + anchor;
  return posix.relative(posix.dirname(packagedPath(page)), packagedPath(found)) + anchor;
}

/** @returns undefined for a heading of the same page, another host, and a path out of the repository */
function pathInRepository(start: string, page: string): string | undefined {
  if (start === '') return undefined;
  const host = [REPOSITORY, RAW].find((address) => start.startsWith(address));
  if (host !== undefined) return start.slice(host.length);
  if (/^([a-z][a-z\d+.-]*:|\/)/i.test(start)) return undefined;
  const path = posix.join(posix.dirname(page), start);
  return path.startsWith('../') ? undefined : path;
}
