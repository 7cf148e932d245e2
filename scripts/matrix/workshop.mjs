import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startRegistry } from '../packed/registry.mjs';
import { installTarballs, packInto, repackAs } from '../packed/tarballs.mjs';
import { npm } from '../setup/install.mjs';
import { since } from '../setup/seconds.mjs';
import { listWorkspaces } from '../setup/workspace.mjs';
import { userEnvironment } from './run-project.mjs';
import { OVERRIDES, TOOL_SETS } from './tools.mjs';

/**
 * A temporary folder in which the packages are packed once, and each set of tools is installed with them. Projects lie
 * below the folder of their set, so they find what is installed there as a workspace of a monorepo would.
 */
export class Workshop {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-matrix-')));
  packages = listWorkspaces().filter(({ published }) => published);

  tarballs = join(this.folder, 'tarballs');

  /** One set after the other: npm itself uses every core. */
  async equip(sets) {
    mkdirSync(this.tarballs);
    packInto(this.tarballs, this.packages);
    for (const name of sets) {
      const started = performance.now();
      const set = TOOL_SETS[name];
      if (set.install === undefined) this.installTarballs(name, set);
      else await this.installPublished(name, set);
      console.error(`installed ${name} (${since(started)})`);
    }
  }

  installTarballs(name, { packages, flags, dependencies }) {
    installTarballs({
      folder: join(this.folder, name),
      tarballs: this.tarballs,
      packages: this.packages.filter(({ manifest }) => packages?.includes(manifest.name) ?? true),
      more: { dependencies, overrides: OVERRIDES },
      flags,
    });
  }

  /** Installs a set as a user does once the packages are published, some of them also in a next version. */
  async installPublished(name, { install, newer = [], dependencies, files = {} }) {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    const manifest = { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies };
    for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) }))
      writeFileSync(join(folder, path), text);
    const next = this.packages.filter((one) => newer.includes(one.manifest.name));
    const packages = [...this.packages, ...repackAs('0.1.99', this.tarballs, next)];
    const upstream = npm(['config', 'get', 'registry']).stdout.trim();
    const registry = await startRegistry({ folder: this.tarballs, packages, upstream });
    writeFileSync(join(folder, '.npmrc'), `registry=${registry.url}`); // pnpm reads no npm_config_registry
    try {
      const { code, output } = await inShell(install, folder);
      if (code !== 0 || WARNING.test(output))
        throw new Error(`${install} ended with ${String(code)}:\n${output}`);
    } finally {
      registry.close();
    }
  }

  /** Where the tools of a project are installed. */
  toolsOf({ tools }) {
    return join(this.folder, tools);
  }

  /** Where a project lies. */
  place(project) {
    return join(this.toolsOf(project), project.name.replace(/[^a-z0-9.]+/gi, '-'));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What a package manager says where dependencies do not fit each other, or this Node. */
const WARNING = /(?:warn|issues with peer|unmet peer|ERESOLVE)[^\n]*adorn|Unsupported engine/i;

/** Not spawnSync: the registry answers in this process. */
function inShell(command, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd,
      shell: true,
      env: userEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}
