import { spawnSync } from 'node:child_process';

import { isBuilt } from './build-stamp.mjs';
import { since } from './seconds.mjs';

const KINDS = {
  sources: { flags: [], words: 'Building…' },
  specs: { flags: ['--specs'], words: 'Building, and checking the types of the specs…' },
};

/**
 * Builds what has changed, or ends the process with the build's own words and its exit code.
 *
 * @param kind `sources`, `specs`, or the folder of a project, for which only what it needs is built
 */
export function ensureBuilt(kind) {
  if (isBuilt(kind) || (kind !== 'specs' && isBuilt('sources'))) return;
  const { flags, words } = KINDS[kind] ?? {
    flags: ['--for', kind],
    words: `Building what ${kind} needs, without a check of types…`,
  };
  console.error(words);
  const started = performance.now();
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', ...flags], {
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return console.error(`Built in ${since(started)}.`);
  console.error(`The build failed after ${since(started)}; nothing was run.`);
  process.exit(status ?? 1);
}
