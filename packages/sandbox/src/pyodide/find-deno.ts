import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

import { CodeExecutorUnavailableError } from '@adorn/core/backend';

/** The package with the executable file of Deno for this machine. */
const DENO_PACKAGES: Readonly<Record<string, string | undefined>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
};

/** The oldest Deno that has the flags which this package uses. */
const OLDEST = 2;

/**
 * The executable file of Deno: the given one, or that of the package `deno`.
 *
 * @throws {CodeExecutorUnavailableError}
 */
export function findDeno(given: string | undefined): string {
  const found = given ?? installed(DENO_PACKAGES[`${process.platform}-${process.arch}`]);
  const cure = 'Install it: npm install deno, or pass { deno: path }.';
  if (found === undefined) throw new CodeExecutorUnavailableError('pyodide', 'there is no Deno', cure);
  const { status, stdout } = spawnSync(found, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  const major = Number(/^deno (\d+)\./.exec(stdout)?.[1]);
  if (status !== 0 || !(major >= OLDEST))
    throw new CodeExecutorUnavailableError('pyodide', `${found} is no Deno ${String(OLDEST)} or later`, cure);
  return found;
}

function installed(name: string | undefined): string | undefined {
  try {
    const own = createRequire(import.meta.url).resolve('deno/package.json');
    return join(dirname(createRequire(own).resolve(`${String(name)}/package.json`)), 'deno');
  } catch {
    return undefined;
  }
}

/**
 * The folder of Pyodide, with a separator at its end: the given one, or that of the package `pyodide`.
 *
 * @throws {CodeExecutorUnavailableError}
 */
export function findPyodide(given: string | undefined): string {
  const folder = given ?? pyodidePackage();
  if (folder !== undefined && existsSync(join(folder, 'pyodide.asm.wasm'))) return join(folder, sep);
  throw new CodeExecutorUnavailableError(
    'pyodide',
    folder === undefined ? 'there is no Pyodide' : `${folder} has no pyodide.asm.wasm`,
    'Install it: npm install pyodide, or pass { distribution: folder }.',
  );
}

function pyodidePackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  } catch {
    return undefined;
  }
}
