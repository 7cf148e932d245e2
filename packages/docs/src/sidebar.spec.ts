import { readFileSync } from 'node:fs';

import { ROOT } from './folders.js';
import { listPagePaths, siteAddress } from './page-paths.js';
import { type SidebarItem, sidebarOf } from './sidebar.js';

const INDEX = `# Documents

## Start

1. [One](first-program.md): starts.

## Tools

2. [Two](tools.md): is about tools.

## To look things up

- [Three](errors.md): codes.
- [Four](../adorn/README.md): options.

## For contributors

- [Five](how/README.md): mechanisms.
- [Six](decisions/README.md): reasons.
`;

const PAGES = new Map([
  ['README.md', '# Adorn\n'],
  ['packages/docs/README.md', INDEX],
  ['packages/docs/first-program.md', '# First program\n'],
  ['packages/docs/tools.md', '# Tools of all kinds\n'],
  ['packages/docs/errors.md', '# Errors\n'],
  [
    'packages/docs/how/README.md',
    '# How it works\n\n- [Turn](turn.md): a turn.\n- [Call](call.md): a call.\n',
  ],
  ['packages/docs/how/call.md', '# A call\n'],
  ['packages/docs/how/turn.md', '# A turn\n'],
  ['packages/docs/how/words.md', '# Words\n'],
  [
    'packages/docs/decisions/README.md',
    '# Decisions\n\n### Tools\n\n- [010](010-b.md): B\n- [001](001-a.md): A\n',
  ],
  ['packages/docs/decisions/002-c.md', '# 002. C\n'],
  ['packages/docs/decisions/010-b.md', '# 010. B\n'],
  ['packages/docs/decisions/001-a.md', '# 001. A\n'],
  ['packages/adorn/README.md', '# adorn\n'],
  ['packages/core/README.md', '# @adorn/core\n'],
]);

/** Titles, those of a section behind its own. */
function outline({ text, items }: SidebarItem): unknown {
  return items === undefined ? text : [text, ...items.map(outline)];
}

function linksOf({ link, items = [] }: SidebarItem): string[] {
  return [...(link === undefined ? [] : [link]), ...items.flatMap(linksOf)];
}

describe('sidebarOf', () => {
  it('has the order and the groups of the index and the overviews, and the titles of the pages', () => {
    expect(sidebarOf(PAGES).map(outline)).toEqual([
      ['Start', 'First program', 'Adorn', 'Documents'],
      ['Tools', 'Tools of all kinds'],
      ['How it works', 'Overview', 'A turn', 'A call', 'Words'],
      ['Reference', 'Errors', 'adorn', ['READMEs of the packages', '@adorn/core']],
      ['Decisions', 'Overview', ['Tools', '010. B', '001. A'], '002. C'],
    ]);
  });

  it('fails if the index lists a page that is not there', () => {
    const pages = new Map(PAGES);
    pages.delete('packages/docs/tools.md');

    expect(() => sidebarOf(pages)).toThrow('There is no page packages/docs/tools.md');
  });

  it('fails if the index has no reference', () => {
    const index = INDEX.replace('## To look things up', '## Other');

    expect(() => sidebarOf(new Map([...PAGES, ['packages/docs/README.md', index]]))).toThrow(
      'packages/docs/README.md has no list below "## To look things up".',
    );
  });

  it('leads to every page of the repository once', () => {
    const paths = listPagePaths(ROOT);
    const links = sidebarOf(new Map(paths.map((path) => [path, readFileSync(ROOT + path, 'utf8')]))).flatMap(
      linksOf,
    );

    expect(links.toSorted()).toEqual(paths.map(siteAddress).sort());
  });
});
