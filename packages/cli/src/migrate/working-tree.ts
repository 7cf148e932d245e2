import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { shownPath } from '@adorn/compiler/build';

import { UsageError } from '../usage.error.js';

const SOURCE = /\.[cm]?[jt]sx?$/;
/** Folders of what is installed or built, where git does not say which files are sources. */
const NO_SOURCES = /^(?:node_modules|dist|build|\..*)$/;

/**
 * Refuses to change files whose changes could not be told from others, or not be undone.
 *
 * @throws {UsageError} if the folder is in no git repository, or holds changes that are not committed
 */
export function requireCleanTree(folder: string): void {
  const status = isInRepository(folder) ? git(folder, 'status', '--porcelain', '--', '.') : undefined;
  if (status === undefined)
    throw new UsageError(
      `${shownPath(folder)} is in no git repository, so nothing could be undone. Look with --dry-run, or pass --force.`,
    );
  if (status === '') return;
  const [first = '', ...others] = status.trimEnd().split('\n');
  const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
  throw new UsageError(
    `${shownPath(folder)} has changes that are not committed (${first.slice(3)}${more}). Commit or stash them, or pass --force.`,
  );
}

/** The sources of a folder in TypeScript and JavaScript, as absolute paths: those that git does not ignore. */
export function sourcesIn(folder: string): string[] {
  const listed = isInRepository(folder)
    ? git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.')
    : undefined;
  const paths = listed === undefined ? pathsBelow(folder) : new Set(listed.split('\0'));
  return [...paths]
    .filter((path) => SOURCE.test(path) && !path.split('/').includes('node_modules'))
    .map((path) => join(folder, path))
    .filter(isFile)
    .sort();
}

/** False for a folder that git ignores, whatever repository it is in. */
function isInRepository(folder: string): boolean {
  return git(folder, 'check-ignore', '.') === undefined;
}

/** What git prints; undefined without git, or outside of a repository. */
function git(folder: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  });
  return status === 0 ? stdout : undefined;
}

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (NO_SOURCES.test(entry.name)) return [];
    return pathsBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`);
  });
}

/** A link is no file: the file that it leads to has a path of its own, or is not in the folder. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
