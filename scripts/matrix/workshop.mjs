import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installTarballs, packInto } from '../packed/tarballs.mjs';
import { since } from '../setup/seconds.mjs';
import { listWorkspaces } from '../setup/workspace.mjs';
import { OVERRIDES, TOOL_SETS } from './tools.mjs';

/**
 * A temporary folder in which the packages are packed once, and each set of tools is installed with them. Projects lie
 * below the folder of their set, so they find what is installed there as a workspace of a monorepo would.
 */
export class Workshop {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'adorn-matrix-')));
  packages = listWorkspaces().filter(({ published }) => published);

  /** One set after the other: npm itself uses every core. */
  equip(sets) {
    const tarballs = join(this.folder, 'tarballs');
    mkdirSync(tarballs);
    packInto(tarballs, this.packages);
    for (const name of sets) {
      const started = performance.now();
      const { packages, flags, dependencies } = TOOL_SETS[name];
      installTarballs({
        folder: join(this.folder, name),
        tarballs,
        packages: this.packages.filter(({ manifest }) => packages?.includes(manifest.name) ?? true),
        more: { dependencies, overrides: OVERRIDES },
        flags,
      });
      console.error(`installed ${name} (${since(started)})`);
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
