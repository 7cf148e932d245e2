import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addDependencies, type Dependencies, missingDependencies } from './dependencies.js';
import { parseJson, setProperty } from './edit-json.js';

/** The parts of a package.json that say what a project is. */
export interface Manifest extends Partial<Dependencies> {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
}

/**
 * The package.json of a folder; undefined if there is none.
 *
 * @throws {UsageError} if it is not JSON
 */
export function readManifest(root: string): Manifest | undefined {
  const path = join(root, 'package.json');
  return existsSync(path) ? (parseJson(path, readFileSync(path, 'utf8')) as Manifest) : undefined;
}

/** The script that `npm init` writes where the user has none. */
const PLACEHOLDER = 'echo "Error: no test specified" && exit 1';

/** Entries of a folder in which a program has been begun. */
const SOURCES = /^(?:src|lib|app|.*tsconfig.*\.json|.*\.[cm]?[jt]sx?)$/;

/** True for a project that is as `npm init` has left it: its only script is the placeholder, and there are no sources. */
export function isJustInitialised(root: string, { scripts = {} }: Manifest): boolean {
  const isUntouched = scripts['test'] === PLACEHOLDER && Object.keys(scripts).length === 1;
  return isUntouched && !readdirSync(root).some((name) => SOURCES.test(name));
}

/** What a package.json gets, and the names of what was added. */
export interface ManifestEdit {
  readonly text: string;
  readonly added: readonly string[];
}

/** Adds what the package.json of a template has beside names and versions. Values of the user stay. */
export function withTemplate(
  before: string,
  present: Manifest,
  wanted: Dependencies & Manifest,
): ManifestEdit {
  const missing = missingDependencies(wanted, present);
  const scripts = Object.entries(wanted.scripts ?? {}).filter(([name]) => isFree(present, name));
  let text = addDependencies(before, missing);
  // The last property that is set becomes the first.
  for (const [name, script] of scripts.toReversed()) text = setProperty(text, ['scripts', name], script);
  const isModule = present.type === 'module';
  if (!isModule) text = setProperty(text, ['type'], 'module');
  return {
    text,
    added: [
      ...(isModule ? [] : ['type']),
      ...scripts.map(([name]) => `scripts.${name}`),
      ...Object.keys(missing.dependencies),
      ...Object.keys(missing.devDependencies),
    ],
  };
}

/** True if the user has no script of this name, or npm's placeholder. */
function isFree({ scripts = {} }: Manifest, name: string): boolean {
  return scripts[name] === undefined || scripts[name] === PLACEHOLDER;
}
