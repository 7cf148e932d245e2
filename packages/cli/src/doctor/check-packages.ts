import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { shownPath } from '@adorn/compiler/build';

import type { Finding } from './finding.js';

interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const ABOUT = 'packages';

/** Whether all packages of Adorn have one version, and there is one copy of each. */
export function checkPackages(folder: string): Finding {
  const found = installedPackages(folder);
  const [first] = found;
  if (!first)
    return {
      about: ABOUT,
      status: 'warning',
      text: `no package of Adorn is installed in ${shownPath(folder)}`,
      cure: 'npm install adorn',
    };
  const newest =
    found
      .map(({ version }) => version)
      .sort(byVersion)
      .at(-1) ?? first.version;
  const older = found.filter(({ version }) => version !== newest);
  if (older.length > 0)
    return {
      about: ABOUT,
      status: 'fault',
      text: `not of one version: ${older.map(shown).join(', ')}, and others are ${newest}`,
      cure: `npm install ${older.map(({ name }) => `${name}@${newest}`).join(' ')}`,
    };
  const copies = copiesOfCore(found);
  if (copies.length > 1)
    return {
      about: ABOUT,
      status: 'fault',
      text: `there are ${String(copies.length)} copies of @adorn/core: ${copies.map(shownPath).join(', ')}`,
      cure: 'npm dedupe',
    };
  return { about: ABOUT, status: 'fine', text: `${String(found.length)} of version ${newest}` };
}

function shown({ name, version }: InstalledPackage): string {
  return `${name} ${version}`;
}

/** `adorn` and `@adorn/…` in the `node_modules` of the folder and of those above it. */
export function installedPackages(folder: string): InstalledPackage[] {
  const places = createRequire(resolve(folder, 'package.json')).resolve.paths('adorn') ?? [];
  const found = new Map<string, InstalledPackage>();
  for (const place of places) {
    const scope = join(place, '@adorn');
    const scoped = existsSync(scope) ? readdirSync(scope).map((name) => `@adorn/${name}`) : [];
    for (const name of ['adorn', ...scoped]) {
      const version = versionIn(join(place, name));
      if (version !== undefined && !found.has(name))
        found.set(name, { name, version, folder: realpathSync(join(place, name)) });
    }
  }
  return [...found.values()];
}

function versionIn(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof manifest.version === 'string' ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

/** The folders of `@adorn/core` that the packages load: two would not know each other's classes. */
function copiesOfCore(packages: readonly InstalledPackage[]): string[] {
  const folders = packages.flatMap(({ folder }) => {
    const places = createRequire(join(folder, 'package.json')).resolve.paths('@adorn/core') ?? [];
    const place = places.map((one) => join(one, '@adorn/core')).find(existsSync);
    return place === undefined ? [] : [realpathSync(place)];
  });
  return [...new Set(folders)];
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
