import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { parseJson } from './edit-json.js';

/** The parts of a tsconfig that `adorn new` looks at. */
interface Tsconfig {
  readonly extends?: string | readonly string[];
  readonly files?: readonly string[];
  readonly include?: readonly string[];
  readonly references?: readonly { readonly path: string }[];
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
}

/**
 * The tsconfigs that are read for the files in `src`: `tsconfig.json`, and where that one only refers to others, as in a
 * project of Vite, also the first of them that includes `src`. tsc and Vite read the latter, tsx and `adorn run` the
 * former.
 */
export function findTsconfigs(root: string): string[] {
  const path = join(root, 'tsconfig.json');
  if (!existsSync(path)) return [];
  const { files, include, references = [] } = readTsconfig(path);
  const isSolution = include === undefined && files?.length === 0;
  if (!isSolution) return [path];
  const projects = references
    .map((reference) => projectFile(resolve(root, reference.path)))
    .filter(existsSync);
  const project = projects.find(includesSources) ?? projects[0];
  return project === undefined ? [path] : [path, project];
}

/** The compiler options of a tsconfig over those of the files that it extends by a relative path. */
export function compilerOptionsOf(path: string): Readonly<Record<string, unknown>> {
  const { extends: bases = [], compilerOptions } = readTsconfig(path);
  const inherited = [bases]
    .flat()
    .filter((base) => base.startsWith('.'))
    .map((base) => resolve(dirname(path), base))
    .map((base) => (base.endsWith('.json') ? base : `${base}.json`))
    .filter(existsSync)
    .map(compilerOptionsOf);
  return Object.assign({}, ...inherited, compilerOptions) as Readonly<Record<string, unknown>>;
}

function projectFile(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path;
}

function includesSources(path: string): boolean {
  const { include } = readTsconfig(path);
  return include === undefined || include.some((pattern) => /^(?:\.\/)?(?:src|\*|\.$)/.test(pattern));
}

function readTsconfig(path: string): Tsconfig {
  return parseJson(path, readFileSync(path, 'utf8')) as Tsconfig;
}
