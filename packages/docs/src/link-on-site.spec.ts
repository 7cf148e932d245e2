import { REPOSITORY } from './folders.js';
import { linkOnSite } from './link-on-site.js';

const PAGES = new Set([
  'README.md',
  'packages/docs/README.md',
  'packages/docs/a2a.md',
  'packages/docs/how/README.md',
  'packages/core/README.md',
]);
const linked = (target: string, page = 'packages/docs/models.md') => linkOnSite(target, page, PAGES);

describe('linkOnSite', () => {
  it('leads to the page of the site, and keeps the heading', () => {
    expect(linked('a2a.md')).toBe('/a2a');
    expect(linked('a2a.md#errors')).toBe('/a2a#errors');
    expect(linked('../core/README.md#turns')).toBe('/packages/core/#turns');
    expect(linked('packages/docs/a2a.md', 'README.md')).toBe('/a2a');
    expect(linked('../../README.md')).toBe('/');
  });

  it('leads from a folder to its README, where that is a page', () => {
    expect(linked('how')).toBe('/how/');
    expect(linked('../core/')).toBe('/packages/core/');
  });

  it('leads to GitHub for a file of the repository that is no page', () => {
    expect(linked('../../samples/guides/src/a2a.ts')).toBe(`${REPOSITORY}samples/guides/src/a2a.ts`);
    expect(linked('../core/src/index.ts#L3')).toBe(`${REPOSITORY}packages/core/src/index.ts#L3`);
    expect(linked('src/index.ts', 'packages/core/README.md')).toBe(`${REPOSITORY}packages/core/src/index.ts`);
  });

  it('leads back from GitHub to the site', () => {
    expect(linked(`${REPOSITORY}packages/docs/a2a.md#errors`)).toBe('/a2a#errors');
    expect(linked(`${REPOSITORY}LICENSE`)).toBe(`${REPOSITORY}LICENSE`);
  });

  it.each(['#errors', 'https://nodejs.org/a.md#b', 'mailto:a@b.org', '/a2a', '../../../outside.md', ''])(
    'leaves %p as it is',
    (target) => {
      expect(linked(target)).toBe(target);
    },
  );
});
