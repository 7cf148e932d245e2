import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { npm } from '../setup/install.mjs';
import { consumerLock } from './consumer-lock.mjs';

const QUIETLY = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** The file name that npm gives the tarball of a package. */
export function tarballOf({ name, version }) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/**
 * Packs the packages into the folder, as publishing would.
 *
 * @returns {{ name: string, files: { path: string }[] }[]} what each tarball holds
 */
export function packInto(folder, packages) {
  const workspaces = packages.map((workspace) => `--workspace=${workspace.folder}`);
  const { status, stdout, stderr } = npm(['pack', '--json', `--pack-destination=${folder}`, ...workspaces]);
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  return Object.values(JSON.parse(stdout));
}

/**
 * Packs packages that `packInto` has packed once more, as their next release: only the version differs, and what they
 * state exactly of each other.
 *
 * @returns the packages with their new manifests
 */
export function repackAs(version, folder, packages) {
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const next = (dependencies = {}) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, range]) =>
        names.has(name) && /^\d/.test(range) ? [name, version] : [name, range],
      ),
    );
  return packages.map((workspace) => {
    const manifest = { ...workspace.manifest, version, dependencies: next(workspace.manifest.dependencies) };
    const unpacked = mkdtempSync(join(folder, 'repack-'));
    execFileSync('tar', ['-xzf', join(folder, tarballOf(workspace.manifest)), '-C', unpacked]);
    writeFileSync(join(unpacked, 'package/package.json'), JSON.stringify(manifest));
    execFileSync('tar', ['-czf', join(folder, tarballOf(manifest)), '-C', unpacked, 'package']);
    rmSync(unpacked, { recursive: true });
    return { ...workspace, manifest };
  });
}

/**
 * Installs tarballs that `packInto` made into a folder, as its only dependencies but for what `more` names. What our
 * lock file knows comes in the versions it has. Install scripts are not run.
 *
 * @param {{ folder: string, tarballs: string, packages: object[], more?: object, flags?: string[] }} wanted
 * @throws {Error} with npm's words
 */
export function installTarballs({ folder, tarballs, packages, more = {}, flags = [] }) {
  const fileOf = (manifest) => join(relative(folder, tarballs), tarballOf(manifest)).replaceAll('\\', '/');
  const ours = packages.map(({ manifest }) => [manifest.name, `file:${fileOf(manifest)}`]);
  const manifest = {
    name: 'consumer',
    version: '1.0.0',
    private: true,
    ...more,
    dependencies: { ...Object.fromEntries(ours), ...more.dependencies },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(consumerLock(manifest, packages, fileOf)));
  const { status, stderr } = npm(['install', ...QUIETLY, ...flags], { cwd: folder });
  if (status !== 0) throw new Error(`The tarballs could not be installed: ${stderr}`);
}
