import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packInto } from '../packed/tarballs.mjs';
import { listWorkspaces } from '../setup/workspace.mjs';

/** The published packages, each behind those that it depends on. */
export function inOrder() {
  const packages = listWorkspaces().filter(({ published }) => published);
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const ordered = new Set();
  const visit = (one) => {
    if (ordered.has(one)) return;
    for (const name of Object.keys(one.manifest.dependencies ?? {}))
      if (byName.has(name)) visit(byName.get(name));
    ordered.add(one);
  };
  packages.forEach(visit);
  return [...ordered];
}

/** Packs everything as it would be published, and says how much that is. */
export function rehearse() {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-release-'));
  try {
    const packages = inOrder();
    const sizes = new Map(packInto(folder, packages).map(({ name, files, size }) => [name, { files, size }]));
    for (const { manifest } of packages) {
      const { files, size } = sizes.get(manifest.name);
      console.log(
        `${manifest.name}@${manifest.version}  ${String(files.length)} files, ${String(Math.ceil(size / 1024))} kB`,
      );
    }
    console.log(`${String(packages.length)} packages, nothing was published.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Publishes what npm does not have yet: a release that was interrupted goes on where it stopped. */
export function publish() {
  for (const { folder, manifest } of inOrder()) {
    const { name, version } = manifest;
    const known = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' });
    if (known.stdout.trim() === version) {
      console.log(`${name}@${version} is there already.`);
      continue;
    }
    const tag = version.includes('-') ? 'next' : 'latest';
    const args = ['publish', `--workspace=${folder}`, '--access=public', '--provenance', `--tag=${tag}`];
    const { status } = spawnSync('npm', args, { stdio: 'inherit' });
    if (status !== 0)
      throw new Error(`${name}@${version} was not published. Those before it are; run the command again.`);
    console.log(`${name}@${version} is published.`);
  }
}
