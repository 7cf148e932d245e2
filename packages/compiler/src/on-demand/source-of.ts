import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { packageRoot } from '../cache/package-root.js';

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;

/** webpack names its sources from the folder it was started in, which is the package's: `webpack://shop/./src/a.ts?1a2b`. */
const WEBPACK = /^webpack:\/\/[^/]*\/([^?]*)/;

interface SourceMap {
  readonly sourceRoot?: string;
  readonly sources?: readonly (string | null)[];
  readonly sections?: readonly { readonly map: SourceMap }[];
}

/**
 * The TypeScript source of a file: the file itself, or the one in its source map. If a bundle has several sources,
 * the one that declares the class or makes the function a tool; undefined if several do.
 */
export function sourceOf(
  file: string,
  name: string,
  kind: 'class' | 'function' = 'class',
): string | undefined {
  if (SOURCE.test(file)) return existsSync(file) ? file : undefined;
  const sources = mappedSources(file).filter(
    (source) => SOURCE.test(source) && !/[\\/]node_modules[\\/]/.test(source),
  );
  const present = [...new Set(sources)].filter((source) => existsSync(source));
  return present.length === 1 ? present[0] : declaring(name, kind, present);
}

function mappedSources(file: string): string[] {
  const found = readMap(file);
  if (!found) return [];
  const folder = dirname(found.path);
  const ofWebpack = packageRoot(found.path) ?? folder;
  return namesIn(found.map).map((name) => {
    const [, below] = WEBPACK.exec(name) ?? [];
    return below === undefined ? resolve(folder, name) : resolve(ofWebpack, below);
  });
}

/** The source map in the last `sourceMappingURL` comment of the file, or in the file next to it. */
function readMap(file: string): { readonly map: SourceMap; readonly path: string } | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const url = [...text.matchAll(/^\/\/[#@] sourceMappingURL=(\S+)\s*$/gm)].at(-1)?.[1] ?? `${file}.map`;
    const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url);
    if (inline !== null) return { map: parse(decode(inline[2] ?? '', inline[1] !== undefined)), path: file };
    const map = resolve(dirname(file), decodeURIComponent(url));
    return { map: parse(readFileSync(map, 'utf8')), path: map };
  } catch {
    return undefined;
  }
}

function decode(data: string, base64: boolean): string {
  return base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
}

function parse(text: string): SourceMap {
  return JSON.parse(text) as SourceMap;
}

function namesIn({ sourceRoot = '', sources = [], sections = [] }: SourceMap): string[] {
  const root = sourceRoot === '' || sourceRoot.endsWith('/') ? sourceRoot : `${sourceRoot}/`;
  const own = sources.flatMap((source) => (source === null ? [] : [pathOf(root + source)]));
  return [...own, ...sections.flatMap(({ map }) => namesIn(map))];
}

function pathOf(source: string): string {
  if (!source.startsWith('file://')) return source;
  const path = decodeURIComponent(source.slice('file://'.length));
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function declaring(name: string, kind: 'class' | 'function', files: readonly string[]): string | undefined {
  const escaped = name.replace(/\W/g, '\\$&');
  const marks =
    kind === 'class'
      ? [new RegExp(`\\bclass\\s+${escaped}\\b`)]
      : [new RegExp(`\\b${escaped}\\b`), /\b(?:defineTool|defineAgent|agent)(?:\s*[(<]|\s+as\b)/];
  const [found, ...others] = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return marks.every((mark) => mark.test(text));
  });
  return others.length === 0 ? found : undefined;
}
