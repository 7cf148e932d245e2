import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a program may import of a published package. */
export interface ReferenceEntry {
  /** As it is imported: `@adorn/core/backend`. */
  readonly name: string;
  /** Its declarations, from the root of the repository. */
  readonly types: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** The entries of all published packages, in alphabetical order of their folders. */
export function listReferenceEntries(root: string): ReferenceEntry[] {
  return readdirSync(`${root}packages`)
    .filter((folder) => existsSync(`${root}packages/${folder}/package.json`))
    .sort()
    .flatMap((folder) => entriesOf(folder, readJson(`${root}packages/${folder}/package.json`)));
}

function entriesOf(folder: string, { name, private: isPrivate, exports = {} }: Manifest): ReferenceEntry[] {
  if (isPrivate === true) return [];
  return Object.entries(exports).flatMap(([path, target]) => {
    const types = typeof target === 'string' ? undefined : target.types;
    if (types === undefined) return [];
    return [{ name: name + path.slice(1), types: `packages/${folder}/${types.slice(2)}` }];
  });
}

/**
 * The name that TypeDoc gives to an entry: its path below `packages`, without the name of an index.
 *
 * @example
 * typedocName('packages/core/dist/backend.d.ts'); // 'core/dist/backend'
 * typedocName('packages/core/dist/index.d.ts'); // 'core/dist'
 */
export function typedocName(types: string): string {
  return types.replace(/^packages\//, '').replace(/(\/index)?\.d\.ts$/, '');
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
