// Installs and builds what is missing or stale, then runs the command given: `npm start` and `npm test` need nothing
// before them. With `--specs` the types of the specs are checked too; with `--for <folder>` only what a project needs is
// built. Uses Node's own modules only.
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { requireNode } from './setup/node-version.mjs';
import { movesToOwnNode, runInstead } from './setup/own-node.mjs';
import { ROOT } from './setup/workspace.mjs';

process.chdir(ROOT);
const { kind, commandLine } = readArguments(process.argv.slice(2));
const [command, ...args] = commandLine;

if (!movesToOwnNode()) {
  requireNode();
  ensureInstalled();
  ensureBuilt(kind);
  if (command !== undefined) runInstead(command, args);
}

function readArguments(given) {
  const [option, value] = given;
  if (option === '--specs') return { kind: 'specs', commandLine: given.slice(1) };
  if (option === '--for') return { kind: value, commandLine: given.slice(2) };
  return { kind: 'sources', commandLine: given };
}
