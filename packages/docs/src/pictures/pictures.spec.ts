import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { DOCS, listPagePaths } from '../page-paths.js';

const IMAGES = `${DOCS}images`;
const PICTURE = /!\[([^\]]*)\]\(([^)\s]+\.(?:svg|webp|png))\)/g;
/** More is a sentence for the page. */
const LONGEST_TEXT = 140;

const pages = listPagePaths(`${process.cwd()}/`);
const shown = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(PICTURE)].map(([, text = '', target = '']) => ({
    page,
    text,
    path: posix.join(posix.dirname(page), target),
  })),
);

describe('the pictures of the documents', () => {
  it('are all on a page', () => {
    const kept = readdirSync(IMAGES, { recursive: true, encoding: 'utf8' })
      .filter((path) => posix.extname(path) !== '')
      .map((path) => `${IMAGES}/${path}`);

    expect(kept.filter((path) => !shown.some((picture) => picture.path === path))).toEqual([]);
  });

  it('say in a short text what is to be seen', () => {
    const wrong = shown.filter(({ text }) => text === '' || text.length > LONGEST_TEXT);

    expect(shown.length).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });
});
