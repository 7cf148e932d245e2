import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { readJson } from '../setup/workspace.mjs';

/** The packages of others that are installed in this repository, as a registry gives them. */
export class InstalledPackages {
  /** The folders in `node_modules`, by the name of the package. */
  foldersByName = new Map();

  /** @param scratch a folder for what is packed, which its owner removes */
  constructor(scratch) {
    this.scratch = scratch;
    for (const [folder, { link }] of Object.entries(readJson('package-lock.json').packages)) {
      if (!folder.includes('node_modules/') || link === true) continue;
      if (!existsSync(join(folder, 'package.json'))) continue;
      // Not that of the folder, which may be an alias.
      const { name } = readJson(join(folder, 'package.json'));
      this.foldersByName.set(name, [...(this.foldersByName.get(name) ?? []), folder]);
    }
  }

  /** What npm reads to choose a version; undefined for a package that is not installed. */
  packument(name, url) {
    const folders = this.foldersByName.get(name);
    if (folders === undefined) return undefined;
    const versions = folders.map((folder) => {
      const manifest = readJson(join(folder, 'package.json'));
      return [
        manifest.version,
        { ...manifest, scripts: {}, dist: { tarball: `${url}-/installed/${folder}.tgz` } },
      ];
    });
    // The one at the root is what the repository itself uses.
    return { name, 'dist-tags': { latest: versions[0][0] }, versions: Object.fromEntries(versions) };
  }

  /** @param path as `packument` names it */
  tarball(path) {
    const folder = path.replace(/\.tgz$/, '');
    const packed = mkdtempSync(join(this.scratch, 'installed-'));
    try {
      cpSync(folder, join(packed, 'package'), {
        recursive: true,
        filter: (file) => file === folder || basename(file) !== 'node_modules',
      });
      execFileSync('tar', ['-czf', join(packed, 'package.tgz'), '-C', packed, 'package']);
      return readFileSync(join(packed, 'package.tgz'));
    } finally {
      rmSync(packed, { recursive: true, force: true });
    }
  }
}
