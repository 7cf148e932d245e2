import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sourceOf } from './source-of.js';
import { writeBelow } from './write-below.fixture.js';

describe('sourceOf', () => {
  const root = mkdtempSync(join(tmpdir(), 'adorn-source-'));
  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  const write = (path: string, text: string): string => writeBelow(root, path, text);

  const map = (...sources: string[]): string => JSON.stringify({ version: 3, sources, mappings: '' });

  it('is a source itself', () => {
    const source = write('src/a.ts', 'class A {}');

    expect(sourceOf(source, 'A')).toBe(source);
    expect(sourceOf(join(root, 'gone.ts'), 'A')).toBeUndefined();
  });

  it('is found through the map beside an emitted file, which it names or not', () => {
    const source = write('src/b.ts', 'class B {}');
    write('build/b.js.map', map('../src/b.ts'));

    expect(sourceOf(write('build/b.js', '//# sourceMappingURL=b.js.map\n'), 'B')).toBe(source);
    expect(sourceOf(write('build/b.js', 'no comment'), 'B')).toBe(source);
  });

  it('is found through the last comment that names a map, and by nothing that is none', () => {
    const source = write('src/named.ts', 'class Named {}');
    write('build/other.js.map', map('../src/named.ts'));
    const file = write(
      'build/named.js',
      [
        '//# sourceMappingURL=gone.js.map',
        '//# sourceMappingURL=other.js.map \t',
        "const text = '//# sourceMappingURL=gone.js.map';",
        '//# sourceMappingURL=gone.js.map is what it was called.',
      ].join('\n'),
    );

    expect(sourceOf(file, 'Named')).toBe(source);
  });

  it('is found through an inline map', () => {
    const source = write('src/c.mts', 'class C {}');
    const inline = Buffer.from(map('../src/c.mts')).toString('base64');

    const file = write(
      'build/c.mjs',
      `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inline}`,
    );

    expect(sourceOf(file, 'C')).toBe(source);
  });

  it('is found below a source root, and in the sections of a bundle', () => {
    const source = write('deep/d.ts', 'class D {}');
    write(
      'build/d.js.map',
      JSON.stringify({ sections: [{ map: { sourceRoot: '../deep', sources: ['d.ts', null] } }] }),
    );

    expect(sourceOf(write('build/d.js', ''), 'D')).toBe(source);
  });

  it('is found below the package where webpack names it', () => {
    write('shop/package.json', '{}');
    const source = write('shop/src/e.ts', 'class E {}');
    write('shop/out/e.js.map', map('webpack://shop/webpack/bootstrap', 'webpack://shop/./src/e.ts?1a2b'));

    expect(sourceOf(write('shop/out/e.js', ''), 'E')).toBe(source);
  });

  it('of a bundle is not known where two declare a class of that name', () => {
    write('src/first.ts', 'class Twin {}');
    write('src/second.ts', 'class Twin {}');
    write('build/twins.js.map', map('../src/first.ts', '../src/second.ts'));

    expect(sourceOf(write('build/twins.js', ''), 'Twin')).toBeUndefined();
  });

  it('of a bundle is the one that declares the class', () => {
    write('src/one.ts', 'export class One {} // not class TwoMore');
    const two = write('src/two.ts', 'export default class Two {}');
    write('node_modules/x/two.ts', 'class Two {}');
    write(
      'build/all.js.map',
      map('../src/one.ts', '../src/two.ts', '../node_modules/x/two.ts', '../src/gone.ts'),
    );
    const file = write('build/all.js', '');

    expect(sourceOf(file, 'Two')).toBe(two);
    expect(sourceOf(file, 'Three')).toBeUndefined();
  });

  it('of a bundle is the one that makes a tool of the function, not one that only speaks of both', () => {
    const made = write('src/quote.ts', "export const quote = defineTool({ name: 'quote_price', run });");
    const renamed = write(
      'src/roll.ts',
      "import { defineTool as make } from 'adorn'; make({ name: 'roll', run });",
    );
    write('src/play.ts', "import './shop.agent.js'; calls('quote_price'); calls('roll');");
    write('build/tools.js.map', map('../src/quote.ts', '../src/play.ts', '../src/roll.ts'));
    const file = write('build/tools.js', '');

    expect(sourceOf(file, 'quote_price', 'function')).toBe(made);
    expect(sourceOf(file, 'roll', 'function')).toBe(renamed);
  });

  it('is undefined without a map, and with a broken one', () => {
    expect(sourceOf(write('plain.js', ''), 'A')).toBeUndefined();
    write('broken.js.map', '{');
    expect(sourceOf(write('broken.js', ''), 'A')).toBeUndefined();
    expect(sourceOf(join(root, 'gone.js'), 'A')).toBeUndefined();
  });
});
