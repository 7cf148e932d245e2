import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { shownPath } from '@adorn/compiler/build';

import { CommandFailedError } from '../command-failed.error.js';

/** What `adorn new` does with one file. `keep`: the file exists and stays as it is. */
export type Change =
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'keep'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly text: string;
      readonly before: string;
      /** What is added, for the list of files. */
      readonly added: string;
    };

/**
 * Writes all changes, or none: if one fails, created files and folders are removed and updated files are restored.
 *
 * @throws {CommandFailedError} with the path that could not be written
 */
export function writeChanges(root: string, changes: readonly Change[]): void {
  const undo: (() => void)[] = [];
  for (const change of changes) {
    try {
      write(join(root, change.path), change, undo);
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw new CommandFailedError(
        `Cannot write ${shownPath(join(root, change.path))}: ${(error as Error).message}. Nothing was left behind.`,
        { cause: error },
      );
    }
  }
}

/** The flag `wx` fails if the file was created in the meantime. */
function write(path: string, change: Change, undo: (() => void)[]): void {
  if (change.kind === 'keep') return;
  if (change.kind === 'update') {
    undo.push(() => writeFileSync(path, change.before));
    writeFileSync(path, change.text);
    return;
  }
  const folder = mkdirSync(dirname(path), { recursive: true });
  if (folder !== undefined) undo.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path, change.text, { flag: 'wx' });
  undo.push(() => rmSync(path, { force: true }));
}
