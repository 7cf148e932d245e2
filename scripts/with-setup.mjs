// Installs and builds what is missing or stale, then runs the command given: `npm start` and `npm test` need nothing
// before them. With `--specs` the types of the specs are checked too. Uses Node's own modules only.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ROOT } from './setup/workspace.mjs';

process.chdir(ROOT);
const withSpecs = process.argv[2] === '--specs';
const [command, ...args] = process.argv.slice(withSpecs ? 3 : 2);

// Some specs need a later Node, a package whose `node` npm puts before that of the user.
const node = process.env['npm_node_execpath'] ?? process.execPath;
if (realpathSync(node) === realpathSync(process.execPath)) {
  requireNode();
  ensureInstalled();
  ensureBuilt(withSpecs ? 'specs' : 'sources');
  if (command !== undefined) runInstead(command, args);
} else {
  runInstead(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
}

/** Behaves as the command itself would: its input and output, its exit code, the signals it is sent. */
function runInstead(command, args) {
  const child = spawn(command === 'node' ? process.execPath : command, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends SIGINT to the child as well, so it is only passed on where there is none.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
