// Installs and builds what is missing or stale, then runs the command given: `npm start` and `npm test` need nothing
// before them. With `--specs` the types of the specs are checked too. Uses Node's own modules only.
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';
import { movesToOwnNode, runInstead } from './setup/own-node.mjs';
import { ROOT } from './setup/workspace.mjs';

process.chdir(ROOT);
const withSpecs = process.argv[2] === '--specs';
const [command, ...args] = process.argv.slice(withSpecs ? 3 : 2);

if (!movesToOwnNode()) {
  requireNode();
  ensureInstalled();
  ensureBuilt(withSpecs ? 'specs' : 'sources');
  if (command !== undefined) runInstead(command, args);
}
