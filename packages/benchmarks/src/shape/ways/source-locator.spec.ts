import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

import { SourceLocator } from './source-locator.js';

let root: string;

beforeEach(() => {
  root = `${realpathSync(mkdtempSync(join(tmpdir(), 'adorn-locator-')))}/`;
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Compiles a source of the package `core` and tells where its output is, and where in it a text begins. */
function emit(source: string, text: string): { url: string; offset: number } {
  const compilerOptions = { sourceMap: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText, sourceMapText = '' } = ts.transpileModule(source, {
    compilerOptions,
    fileName: '../src/run.ts',
  });
  const map = JSON.parse(sourceMapText) as object;
  mkdirSync(join(root, 'core/build'), { recursive: true });
  const path = join(root, 'core/build/run.js');
  writeFileSync(path, outputText);
  writeFileSync(`${path}.map`, JSON.stringify({ ...map, sources: ['../src/run.ts'] }));
  return { url: pathToFileURL(path).href, offset: outputText.indexOf(text) };
}

const SOURCE =
  'interface Gone {\n  a: string;\n}\nexport function run(): void {}\nfunction walk(): void {}\n';

it('finds the file and the line in which a function was written', () => {
  const { url, offset } = emit(SOURCE, 'function walk');

  expect(new SourceLocator(root, 'core/src/').placeOf(url, offset)).toEqual({
    path: 'core/src/run.ts',
    line: 5,
  });
});

it('knows nothing of sources that are not wanted, of scripts without a map, and of those elsewhere', () => {
  const { url, offset } = emit(SOURCE, 'function walk');
  const plain = join(root, 'core/build/plain.js');
  writeFileSync(plain, 'export function run() {}\n');

  expect(new SourceLocator(root, 'gemini/src/').placeOf(url, offset)).toBeUndefined();
  expect(new SourceLocator(root, 'core/src/').placeOf(pathToFileURL(plain).href, 0)).toBeUndefined();
  expect(new SourceLocator(join(root, 'core/src/'), '').placeOf(url, offset)).toBeUndefined();
  expect(new SourceLocator(root, '').placeOf('node:internal/modules', 0)).toBeUndefined();
});
