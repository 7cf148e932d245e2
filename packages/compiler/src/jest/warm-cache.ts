import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { warmDerivations } from '../on-demand/derive-records.js';
import { type Compiler, compilerOf } from '../on-demand/run-compiler.js';

/**
 * Jest's `globalSetup`: derives the schemas of a project's tools once, before the workers start; otherwise each
 * worker would run the compiler. If the compiler fails, the tests that need the schemas report it. A project with its
 * own setup calls this one from it. Presets for CommonJS transform this file, so it cannot use `import.meta`.
 */
export default function warmCache(
  _globalConfig: unknown,
  { roots }: { readonly roots: readonly string[] },
): Promise<void> {
  return warmFolders(roots);
}

/** Derives the schemas of the tools in these folders and files, as far as they are not cached. */
export async function warmFolders(paths: readonly string[]): Promise<void> {
  const sources = decoratedSources(paths);
  const compiler = compilerOfAny([...sources.slice(0, 1), join(process.cwd(), 'package.json')]);
  if (compiler) await warmDerivations(sources, compiler);
}

/** The compiler that the first of the files finds which finds one. */
function compilerOfAny(files: readonly string[]): Compiler | undefined {
  for (const file of files) {
    try {
      return compilerOf(file);
    } catch {
      // The next file may belong to a package that has it.
    }
  }
  return undefined;
}

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const MARK = /@(?:tool|agent|toolbox|remembered)\b|\bdefine(?:Tool|Agent)\b/;

/** The files, and TypeScript files below the folders, in which something is marked for Adorn, whether it is tested or a test. */
export function decoratedSources(paths: readonly string[]): string[] {
  return paths
    .flatMap((path) => (statSync(path).isFile() ? [path] : sourcesIn(path)))
    .filter((file) => MARK.test(readFileSync(file, 'utf8')));
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
