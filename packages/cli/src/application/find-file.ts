import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { UsageError } from '../usage.error.js';
import { withoutOldOutput } from './without-old-output.js';

/** The folders in which an application is looked for, in this order: built files, then sources. */
const FOLDERS = ['.', 'build', 'dist', 'src'];

const NAMES = ['index', 'agent', 'main', 'app'];

const EXTENSIONS = ['.js', '.mjs', '.ts', '.mts'];

/** How an application is found, and what to do. */
const RULE =
  'Commands find an agent by the name of its file: name it such as desk.agent.ts, or name the file in the command.';

/** Names of a folder below which no application is looked for. */
const NO_APPLICATION = /^(\.|node_modules$)/;

/**
 * Finds the file of an application. For a folder: its only `*.agent` file, or `index`, `agent`, `main` or `app`, as
 * JavaScript or TypeScript, in the folder or in its `build`, `dist` or `src`. One of these names that exports nothing is a
 * program, which is run only where it is named. Compiled files whose source is gone are passed over.
 *
 * @throws {UsageError} if there is none, or a folder contains several `*.agent` files
 */
export function findFile(path: string): string {
  const [file, ...others] = filesAt(path);
  if (file === undefined) throw new UsageError(`${nothingIn(path)} ${RULE}`);
  if (others.length === 0) return file;
  const named = [file, ...others].map((other) => relative('.', other)).join(', ');
  throw new UsageError(`The folder ${path} holds several agents: ${named}. Name one of them.`);
}

/**
 * Finds the files of all applications of a folder: each `*.agent` file; else the one that `findFile` finds; else those of
 * its subfolders, each with `*.agent` files or a file `agent`.
 *
 * @throws {UsageError} if there is none
 */
export function findFiles(path: string): readonly string[] {
  const files = filesAt(path);
  if (files.length > 0) return files;
  const below = subfolders(resolve(path)).flatMap((folder) => filesIn(folder, ['agent']));
  if (below.length > 0) return below;
  throw new UsageError(
    `${nothingIn(path)} Its subfolders hold no *.agent file and no file agent (.js or .ts) either. ` +
      'Name the files that export the agents.',
  );
}

function filesAt(path: string): readonly string[] {
  const whole = resolve(path);
  if (!existsSync(whole)) {
    throw new UsageError(
      `There is no ${path}. Name a .js or .ts file that exports an agent, or a folder that holds one.`,
    );
  }
  return statSync(whole).isDirectory() ? filesIn(whole, NAMES) : [whole];
}

/** The files of the first of the folder's places that has any. */
function filesIn(folder: string, names: readonly string[]): readonly string[] {
  for (const place of FOLDERS.map((name) => join(folder, name))) {
    const present = existsSync(place) ? readdirSync(place).sort() : [];
    for (const extension of EXTENSIONS) {
      const agents = present.filter((file) => file.endsWith(`.agent${extension}`));
      const entry = names
        .map((name) => name + extension)
        .find((name) => present.includes(name) && exportsSomething(join(place, name)));
      if (agents.length > 0) return withoutOldOutput(agents.map((file) => join(place, file)));
      if (entry !== undefined) return [join(place, entry)];
    }
  }
  return [];
}

/** False for a program, such as one that starts a server. A file is not run to find that out. */
function exportsSomething(file: string): boolean {
  return /\bexport\b(?!\s*\{\s*\})|\bexports\b/.test(readFileSync(file, 'utf8'));
}

function subfolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_APPLICATION.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}

function nothingIn(path: string): string {
  return (
    `The folder ${path} holds no *.agent.js or *.agent.ts and no ${NAMES.join(', ')} (.js or .ts) that exports something, ` +
    `nor do its ${FOLDERS.slice(1).join(', ')}.`
  );
}
