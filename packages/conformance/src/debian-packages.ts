import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs packages of Debian. @returns false if this process may not, or the machine has no Debian */
export function installPackages(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${packages.join(' ')}.`);
  const options: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('apt-get', ['update', '--quiet'], options);
  execFileSync('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], options);
  return true;
}
