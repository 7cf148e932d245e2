import { ROOT } from './folders.js';
import { listPagePaths, siteAddress, sitePath } from './page-paths.js';

describe('listPagePaths', () => {
  it('has the README, the documents, and the READMEs and changelogs of the packages, each once', () => {
    const paths = listPagePaths(ROOT);

    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        'packages/docs/README.md',
        'packages/docs/a2a.md',
        'packages/docs/how/README.md',
        'packages/core/README.md',
        'packages/adorn/CHANGELOG.md',
      ]),
    );
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => /node_modules|vitepress|\/build\//.test(path))).toEqual([]);
  });

  it('gives each page an address of its own', () => {
    const addresses = listPagePaths(ROOT).map(siteAddress);

    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

describe('sitePath and siteAddress', () => {
  it.each([
    ['README.md', 'index.md', '/'],
    ['packages/docs/README.md', 'documents.md', '/documents'],
    ['packages/docs/a2a.md', 'a2a.md', '/a2a'],
    ['packages/docs/how/README.md', 'how/index.md', '/how/'],
    ['packages/docs/how/tool-call.md', 'how/tool-call.md', '/how/tool-call'],
    ['packages/core/README.md', 'packages/core/index.md', '/packages/core/'],
    ['packages/adorn/CHANGELOG.md', 'packages/adorn/changelog.md', '/packages/adorn/changelog'],
  ])('puts %s at %s', (page, path, address) => {
    expect([sitePath(page), siteAddress(page)]).toEqual([path, address]);
  });
});
