import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { MigratedFile } from '@adorn/compiler';

import { parseJson, setProperty } from '../new/edit-json.js';
import { ownVersion } from '../new/template.js';

/** A package.json that gets dependencies. */
export interface ChangedManifest {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Versions by the names of packages. */
  readonly added: Readonly<Record<string, string>>;
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

type Manifest = Partial<Record<(typeof SECTIONS)[number], Readonly<Record<string, string>>>>;

/**
 * Adds the packages that sources import now to the package.json above each: in the section of the package that had the
 * name before, and with its version.
 *
 * @throws {UsageError} if a package.json is not JSON
 */
export function changedManifests(files: readonly MigratedFile[]): ChangedManifest[] {
  const manifests = new Map<string, ChangedManifest>();
  for (const { path: source, packages } of files) {
    for (const [wanted, before] of Object.entries(packages)) {
      const path = manifestAbove(source, before);
      if (path === undefined) continue;
      const manifest = manifests.get(path) ?? readManifest(path);
      manifests.set(path, withPackage(manifest, wanted, before));
    }
  }
  return [...manifests.values()].filter(({ added }) => Object.keys(added).length > 0);
}

function withPackage(manifest: ChangedManifest, wanted: string, before: string): ChangedManifest {
  const { path, after, added } = manifest;
  const sections = sectionsOf(path, after);
  if (SECTIONS.some((section) => sections[section]?.[wanted] !== undefined)) return manifest;
  const section = SECTIONS.find((one) => sections[one]?.[before] !== undefined) ?? 'dependencies';
  const version = sections[section]?.[before] ?? ownVersion();
  return {
    ...manifest,
    after: setProperty(after, [section, wanted], version),
    added: { ...added, [wanted]: version },
  };
}

/** The nearest package.json that has the package, or else the nearest one. */
function manifestAbove(source: string, wanted: string): string | undefined {
  const above = manifestsAbove(dirname(source));
  const having = above.find((path) => {
    const sections = sectionsOf(path, readFileSync(path, 'utf8'));
    return SECTIONS.some((section) => sections[section]?.[wanted] !== undefined);
  });
  return having ?? above[0];
}

function manifestsAbove(folder: string): string[] {
  const path = join(folder, 'package.json');
  const own = existsSync(path) ? [path] : [];
  return dirname(folder) === folder ? own : [...own, ...manifestsAbove(dirname(folder))];
}

function readManifest(path: string): ChangedManifest {
  const text = readFileSync(path, 'utf8');
  return { path, before: text, after: text, added: {} };
}

function sectionsOf(path: string, text: string): Manifest {
  return parseJson(path, text) as Manifest;
}
