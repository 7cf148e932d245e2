import { filesPerFolder, importedOnce } from './layout.js';

describe('importedOnce', () => {
  const file = (path: string, ...imports: string[]): { path: string; imports: string[] } => ({
    path: `packages/core/src/${path}`,
    imports,
  });

  it('finds the files that exactly one other file imports', () => {
    const files = [
      file('index.ts', './tools/tool.js', './events/event.js'),
      file('tools/tool.ts', '../events/event.js', './describe.js'),
      file('tools/describe.ts'),
      file('events/event.ts'),
      file('events/unused.ts'),
    ];

    expect(importedOnce(files)).toEqual([
      'packages/core/src/tools/tool.ts',
      'packages/core/src/tools/describe.ts',
    ]);
  });

  it('takes two imports of one file by the same file for one, and packages for no file', () => {
    const files = [file('a.ts', './b.js', '../src/b.js', '@adorn/core'), file('b.ts')];

    expect(importedOnce(files)).toEqual(['packages/core/src/b.ts']);
  });
});

describe('filesPerFolder', () => {
  it('counts the files directly in each folder, the fullest folder first', () => {
    expect(filesPerFolder(['a/b.ts', 'a/c/d.ts', 'a/c/e.ts', 'a/c/f/g.ts'])).toEqual([
      { folder: 'a/c', files: 2 },
      { folder: 'a', files: 1 },
      { folder: 'a/c/f', files: 1 },
    ]);
  });
});
