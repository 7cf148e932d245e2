import { WatchScope } from './watch-scope.js';

describe('WatchScope', () => {
  const scope = new WatchScope(['/shop/app', '/out/app'], ['/shop/base.json', '/shop/app/src/main.ts']);

  it('has sources, emitted files and tsconfigs, and nothing else', () => {
    for (const path of ['/shop/app/a.ts', '/shop/app/deep/a.mjs', '/out/app/a.d.ts', '/shop/base.json'])
      expect([path, scope.hasFile(path)]).toEqual([path, true]);
    for (const path of [
      '/shop/other.json',
      '/shop/app/a.js.tmp',
      '/shop/apple/a.ts',
      '/shop/app/.tsbuildinfo',
    ])
      expect([path, scope.hasFile(path)]).toEqual([path, false]);
  });

  it('leads to what it has, but not through what is installed', () => {
    for (const path of ['/', '/shop', '/shop/app', '/shop/app/src', '/out'])
      expect([path, scope.hasFolder(path)]).toEqual([path, true]);
    for (const path of ['/shop/apple', '/shop/app/node_modules', '/shop/app/.git', '/out/other'])
      expect([path, scope.hasFolder(path)]).toEqual([path, false]);
  });

  it('begins where there is something, above what may come and go', () => {
    expect(scope.roots(() => true)).toEqual(['/shop', '/out']);
    expect(scope.roots((path) => path !== '/out')).toEqual(['/']);
  });

  it('covers what it has already', () => {
    expect(scope.covers(new WatchScope(['/shop/app/src'], ['/shop/base.json', '/out/app/a.js']))).toBe(true);
    expect(scope.covers(new WatchScope(['/shop'], []))).toBe(false);
    expect(scope.covers(new WatchScope([], ['/shop/other.json']))).toBe(false);
  });
});
