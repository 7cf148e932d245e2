import { WatchScope } from './watch-scope.js';

describe('WatchScope', () => {
  const scope = new WatchScope(['/work/app', '/out/app'], ['/work/base.json', '/work/app/src/main.ts']);

  it('has sources, emitted files and tsconfigs, and nothing else', () => {
    for (const path of ['/work/app/a.ts', '/work/app/deep/a.mjs', '/out/app/a.d.ts', '/work/base.json'])
      expect([path, scope.hasFile(path)]).toEqual([path, true]);
    for (const path of [
      '/work/other.json',
      '/work/app/a.js.tmp',
      '/work/apple/a.ts',
      '/work/app/.tsbuildinfo',
    ])
      expect([path, scope.hasFile(path)]).toEqual([path, false]);
  });

  it('leads to what it has, but not through what is installed', () => {
    for (const path of ['/', '/work', '/work/app', '/work/app/src', '/out'])
      expect([path, scope.hasFolder(path)]).toEqual([path, true]);
    for (const path of ['/work/apple', '/work/app/node_modules', '/work/app/.git', '/out/other'])
      expect([path, scope.hasFolder(path)]).toEqual([path, false]);
  });

  it('begins where there is something, above what may come and go', () => {
    expect(scope.roots(() => true)).toEqual(['/work', '/out']);
    expect(scope.roots((path) => path !== '/out')).toEqual(['/']);
  });

  it('covers what it has already', () => {
    expect(scope.covers(new WatchScope(['/work/app/src'], ['/work/base.json', '/out/app/a.js']))).toBe(true);
    expect(scope.covers(new WatchScope(['/work'], []))).toBe(false);
    expect(scope.covers(new WatchScope([], ['/work/other.json']))).toBe(false);
  });
});
