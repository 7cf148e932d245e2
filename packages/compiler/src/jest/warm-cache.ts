import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { AdornError } from '@adorn/core';
import { warmDerivations } from '@adorn/core/compiler';

/**
 * Jest's `globalSetup`: derives the schemas of a project's tools once, before the workers start, each of which would
 * run the compiler for itself. A project with a setup of its own calls it from there.
 */
export default async function warmCache(
  _globalConfig: unknown,
  { roots }: { readonly roots: readonly string[] },
): Promise<void> {
  try {
    await warmDerivations(decoratedSources(roots));
  } catch (error) {
    // The tests that need the schemas say what is wrong; the others are none the worse for it.
    if (!AdornError.is(error)) throw error;
  }
}

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const MARK = /@(?:tool|agent|toolbox)\b|\bdefine(?:Tool|Agent)\b/;

/** The TypeScript files below the folders in which something is marked for Adorn, whether it is tested or a test. */
export function decoratedSources(folders: readonly string[]): string[] {
  return folders.flatMap(sourcesIn).filter((file) => MARK.test(readFileSync(file, 'utf8')));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : sourcesIn(path);
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
  });
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}
