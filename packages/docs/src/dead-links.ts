import { REPOSITORY } from './folders.js';

/** The pages of a built site: HTML by path, as in `how/tool-call.html`. */
export type BuiltPages = ReadonlyMap<string, string>;

export interface DeadLinkSearch {
  readonly pages: BuiltPages;
  /** Whether the site has a file that is no page: an image, a script. */
  readonly hasFile: (path: string) => boolean;
  /** Whether the repository has a file or a folder. */
  readonly hasSource: (path: string) => boolean;
}

const TARGET = /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

/** One sentence for each link of a built site to a page, a heading, a file of the site or of the repository that is not there. */
export function findDeadLinks(search: DeadLinkSearch): string[] {
  const ids = new Map([...search.pages].map(([path, html]) => [path, idsOf(html)]));
  return [...search.pages].flatMap(([page, html]) =>
    [...new Set(valuesOf(html, TARGET))]
      .filter((target) => isDead(target, page, ids, search))
      .map((target) => `${page} links to ${target}, which is not there.`),
  );
}

function isDead(
  target: string,
  page: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  { hasFile, hasSource }: DeadLinkSearch,
): boolean {
  if (target.startsWith(REPOSITORY)) return !hasSource(pathOf(target.slice(REPOSITORY.length)));
  if (/^([a-z]+:|\/\/)/i.test(target)) return false;
  const { pathname, hash } = new URL(target, `http://site/${page}`);
  const path = pathOf(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html');
  const anchors = ids.get(path);
  if (anchors === undefined) return !hasFile(path);
  return hash !== '' && !anchors.has(decodeURIComponent(hash.slice(1)));
}

function pathOf(address: string): string {
  return decodeURIComponent(address.replace(/[?#].*$/, ''));
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set(valuesOf(html, ID));
}

function valuesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));
}
