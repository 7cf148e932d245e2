import { posix } from 'node:path';

import { linkOnSite } from './link-on-site.js';
import { findListing } from './listing.js';
import { giveRowHeaders } from './row-headers.js';

/** What is used here of a token of markdown-it. */
export interface Token {
  readonly type: string;
  /** Of the element. */
  tag: string;
  /** Its text in Markdown. */
  readonly content: string;
  /** What stands behind the backticks of a fence. */
  info: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

type Render = (tokens: readonly Token[], index: number, ...rest: unknown[]) => string;

/** What is used here of markdown-it, which is installed with VitePress. */
export interface MarkdownIt {
  disable(rules: string[]): unknown;
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: PageEnvironment }) => void): void;
    };
  };
  readonly renderer: { readonly rules: Record<string, Render | undefined> };
}

/** Where the page is that is rendered: absolute paths; VitePress's index for the search gives `path` only. */
interface PageEnvironment {
  readonly realPath?: string;
  readonly path: string;
}

/** Where the pages are. */
export interface PageFolder {
  readonly folder: string;
  /** Paths in the repository, which are those below `folder`. */
  readonly pages: ReadonlySet<string>;
}

/** Teaches markdown-it the conventions of our pages: links into the repository, headers of tables, programs of files, text in braces. */
export function followConventions(markdown: MarkdownIt, { folder, pages }: PageFolder): void {
  // ":)" and ":/" are punctuation on our pages.
  markdown.disable(['emoji']);
  markdown.core.ruler.push('adorn_links', ({ tokens, env }) => {
    const page = posix.relative(folder, env.realPath ?? env.path);
    if (pages.has(page)) for (const token of linksOf(tokens)) leadToSite(token, page, pages);
  });
  markdown.core.ruler.push('adorn_tables', ({ tokens }) => {
    giveRowHeaders(tokens);
  });
  const { rules } = markdown.renderer;
  const fence = ruleOf(rules, 'fence');
  rules['fence'] = withCaption(fence);
  // Indented code: VitePress gives colours, and keeps Vue away, in fences only.
  rules['code_block'] = fence;
  for (const name of ['text', 'code_inline']) rules[name] = withoutInterpolation(ruleOf(rules, name));
}

function linksOf(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) =>
    token.type === 'link_open' ? [token] : token.children === null ? [] : linksOf(token.children),
  );
}

function leadToSite(link: Token, page: string, pages: ReadonlySet<string>): void {
  const target = link.attrGet('href');
  if (target !== null) link.attrSet('href', linkOnSite(target, page, pages));
}

/** A fence that names a file gets its path as a caption, which leads to the file. */
export function withCaption(fence: Render): Render {
  return (tokens, index, ...rest) => {
    const token = tokens[index];
    const listing = findListing(token?.info ?? '');
    if (token === undefined || listing === undefined) return fence(tokens, index, ...rest);
    const { language, href, caption } = listing;
    // VitePress takes a number in the path, as in `samples/01-hello`, for a line to highlight.
    token.info = language;
    const link = `<a href="${href}" target="_blank" rel="noreferrer">${caption}</a>`;
    const code = fence(tokens, index, ...rest);
    return `<figure class="listing"><figcaption>${link}</figcaption>${code}</figure>`;
  };
}

/** Vue replaces `{{ … }}` in text by a value. */
export function withoutInterpolation(text: Render): Render {
  return (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
}

function ruleOf(rules: Record<string, Render | undefined>, name: string): Render {
  const rule = rules[name];
  if (rule === undefined) throw new Error(`markdown-it has no rule for ${name}.`);
  return rule;
}
