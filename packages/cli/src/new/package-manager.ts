import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { shownPath } from '@adorn/compiler/build';

import { CommandFailedError } from '../command-failed.error.js';

export const PACKAGE_MANAGERS = ['npm', 'pnpm'] as const;

export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['package-lock.json', 'npm'],
  ['yarn.lock', undefined],
  ['bun.lock', undefined],
  ['bun.lockb', undefined],
] as const;

/** The package manager of a folder by its lock file, else the one that runs this command. Undefined for yarn and bun. */
export function findPackageManager(
  folder: string,
  userAgent = process.env['npm_config_user_agent'],
): PackageManager | undefined {
  const lock = LOCK_FILES.find(([file]) => existsSync(join(folder, file)));
  if (lock) return lock[1];
  return userAgent?.startsWith('pnpm/') === true ? 'pnpm' : 'npm';
}

/**
 * Installs the dependencies of a project, with the output of the package manager; to the standard error if `isQuiet`.
 *
 * @throws {CommandFailedError} if that fails; the files of the project stay
 */
export function installDependencies(
  folder: string,
  packageManager: PackageManager,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): void {
  const { status, error } = spawnSync(packageManager, ['install'], {
    cwd: folder,
    env: process.env,
    stdio: isQuiet ? ['inherit', 2, 'inherit'] : 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  const reason = error ? ` (${error.message})` : '';
  throw new CommandFailedError(
    `"${packageManager} install" failed in ${shownPath(folder)}${reason}. The files are written: run it again there, ` +
      'or name another package manager with --pm.',
  );
}
