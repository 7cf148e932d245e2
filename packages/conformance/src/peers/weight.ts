import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What an application gets on the disk. */
export interface Weight {
  readonly packages: number;
  readonly megabytes: number;
}

/** A package of a lock file, as far as it is looked at. */
interface Locked {
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MEGABYTE = 1_000_000;

/** What is installed in a folder. */
export function weightOfFolder(folder: string): Weight {
  const modules = join(folder, 'node_modules');
  const packages = Object.keys(readLock(join(modules, '.package-lock.json'))).length;
  return { packages, megabytes: bytesIn(modules) / MEGABYTE };
}

/** What an application with these packages of the repository installs: theirs as they are published, and what they need. */
export function weightOfOwn(names: readonly string[]): Weight {
  const lock = readLock(join(ROOT, 'package-lock.json'));
  const found = new Set<string>();
  for (const name of names) collect(lock, '', name, found);
  const [own, others] = [[...found].filter(isOwn), [...found].filter((path) => !isOwn(path))];
  const bytes = others.reduce((sum, path) => sum + bytesIn(join(ROOT, path), true), packedBytes(own));
  return { packages: found.size, megabytes: bytes / MEGABYTE };
}

function readLock(path: string): Lock {
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: Lock }).packages;
}

/** Adds the paths of a package and of all that it needs. What is optional and not installed is left out. */
function collect(lock: Lock, from: string, name: string, found: Set<string>): void {
  const at = pathOf(lock, from, name);
  const path = lock[at]?.link === true ? (lock[at].resolved ?? at) : at;
  if (found.has(path) || !existsSync(join(ROOT, path))) return;
  found.add(path);
  const { dependencies, optionalDependencies } = lock[path] ?? {};
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies }))
    collect(lock, path, needed, found);
}

/** Where Node.js finds a package: beside the one that needs it, or in a folder above. */
function pathOf(lock: Lock, from: string, name: string): string {
  const near = `${from}/node_modules/${name}`;
  if (from === '' || !(near in lock)) {
    const above = from.lastIndexOf('/node_modules/');
    return from === '' ? `node_modules/${name}` : pathOf(lock, above < 0 ? '' : from.slice(0, above), name);
  }
  return near;
}

function isOwn(path: string): boolean {
  return path.startsWith('packages/') && !path.includes('/node_modules/');
}

/** The files of own packages as npm packs them, without specs and builds. */
function packedBytes(folders: readonly string[]): number {
  const flags = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const said = execFileSync('npm', [...flags, ...folders.map((folder) => `./${folder}`)], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * MEGABYTE,
  });
  const packed = JSON.parse(said) as readonly { readonly unpackedSize: number }[];
  return packed.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);
}

/** The bytes of all files of a folder. */
function bytesIn(folder: string, withoutModules = false): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += statSync(path).size;
    else if (entry.isDirectory() && !(withoutModules && entry.name === 'node_modules'))
      bytes += bytesIn(path);
  }
  return bytes;
}
