import { readFileSync } from 'node:fs';

import { PAGES, REPOSITORY, ROOT, SITE, WORKSHOP } from './folders.js';
import { headingAnchor } from './heading-anchor.js';
import { followConventions, type MarkdownIt } from './markdown.js';
import { listPagePaths, siteAddress, sitePath } from './page-paths.js';
import { indexOptions, searchOptions } from './site-search.js';
import { sidebarOf } from './sidebar.js';

const paths = listPagePaths(ROOT);
const pages = new Map(paths.map((path) => [path, readFileSync(ROOT + path, 'utf8')]));

/** The configuration of VitePress. */
export const siteConfig = {
  title: 'Adorn',
  description: 'An agent development kit for TypeScript',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  srcDir: PAGES,
  outDir: SITE,
  cacheDir: `${WORKSHOP}/cache`,
  // findDeadLinks finds them all, also those to headings and files.
  ignoreDeadLinks: true,
  rewrites: Object.fromEntries(paths.map((path) => [path, sitePath(path)])),
  markdown: {
    // Those of GitHub have comments with too little contrast to be read by everybody.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Text like `<T>` is text, and `{…}` behind a heading is no list of attributes.
    html: false,
    attrs: { disable: true },
    anchor: { slugify: headingAnchor },
    config: (markdown: MarkdownIt) => followConventions(markdown, { folder: PAGES, pages: new Set(paths) }),
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { options: indexOptions, searchOptions } } },
    outline: [2, 3],
    sidebar: sidebarOf(pages),
    nav: [
      { text: 'First program', link: siteAddress('packages/docs/first-program.md') },
      { text: 'Documents', link: siteAddress('packages/docs/README.md') },
      { text: 'Reference', link: '/reference/' },
      { text: 'Commands', link: siteAddress('packages/docs/command-line.md') },
      { text: 'Errors', link: siteAddress('packages/docs/errors.md') },
    ],
    editLink: { pattern: `${REPOSITORY}:path`, text: 'This page at GitHub' },
  },
  // The index of the search is one file, loaded by who searches.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
};
