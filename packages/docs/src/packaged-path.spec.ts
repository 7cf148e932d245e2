import { REPOSITORY } from './folders.js';
import { packagedPath, withPackagedLinks } from './packaged-path.js';

const PACKAGED = new Set([
  'packages/docs/README.md',
  'packages/docs/a2a.md',
  'packages/docs/how/README.md',
  'packages/core/README.md',
  'samples/guides/src/a2a.ts',
]);
const linked = (target: string, page = 'packages/docs/models.md') =>
  withPackagedLinks(`See [\`it\`](${target}).`, page, PACKAGED).slice('See [`it`]('.length, -2);

describe('packagedPath', () => {
  it.each([
    ['packages/docs/README.md', 'README.md'],
    ['packages/docs/how/tool-call.md', 'how/tool-call.md'],
    ['packages/core/README.md', 'packages/core.md'],
    ['packages/adorn/CHANGELOG.md', '../CHANGELOG.md'],
    ['samples/guides/src/a2a.ts', 'samples/guides/src/a2a.ts'],
  ])('puts %s at %s', (path, packaged) => {
    expect(packagedPath(path)).toBe(packaged);
  });
});

describe('withPackagedLinks', () => {
  it('leads to a packaged file by a relative path, and keeps the heading', () => {
    expect(linked('a2a.md#errors')).toBe('a2a.md#errors');
    expect(linked('../core/README.md#turns')).toBe('packages/core.md#turns');
    expect(linked('how')).toBe('how/README.md');
    expect(linked('../a2a.md', 'packages/docs/how/README.md')).toBe('../a2a.md');
    expect(linked(`${REPOSITORY}packages/docs/a2a.md`, 'packages/core/README.md')).toBe('../a2a.md');
    expect(linked('../../samples/guides/src/a2a.ts')).toBe('samples/guides/src/a2a.ts');
    expect(linked('../adorn/CHANGELOG.md')).toBe('../CHANGELOG.md');
  });

  it('leads from the address of the raw text to the packaged file', () => {
    const raw = 'https://raw.githubusercontent.com/adorn-kit/adorn/main/packages/docs/a2a.md';
    expect(linked(raw, 'packages/docs/llms.txt')).toBe('a2a.md');
  });

  it('leads to GitHub for any other file of the repository', () => {
    expect(linked('decisions/001-lazy-chunks.md')).toBe(
      `${REPOSITORY}packages/docs/decisions/001-lazy-chunks.md`,
    );
    expect(linked('images/studio.webp')).toBe(`${REPOSITORY}packages/docs/images/studio.webp`);
  });

  it.each(['#errors', 'https://nodejs.org/a.md#b', 'mailto:a@b.org', '../../../outside.md'])(
    'leaves %p as it is',
    (target) => {
      expect(linked(target)).toBe(target);
    },
  );

  it('changes nothing in a program', () => {
    const program = '```ts file=samples/a.ts\n// [a](a2a.md)\n```\n';
    expect(withPackagedLinks(program, 'packages/docs/models.md', PACKAGED)).toBe(program);
  });
});
