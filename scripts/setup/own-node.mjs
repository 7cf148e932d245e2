import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';

/**
 * Runs a script of npm again on the user's Node where it runs on another one: some specs need a later Node, an optional
 * package whose `node` npm finds before that of the user.
 *
 * @returns false on the user's Node, where the script goes on
 */
export function movesToOwnNode() {
  const node = process.env['npm_node_execpath'] ?? process.execPath;
  if (realpathSync(node) === realpathSync(process.execPath)) return false;
  runInstead(node, process.argv.slice(1));
  return true;
}

/** Behaves as the command itself would: its input and output, its exit code, the signals it is sent. */
export function runInstead(command, args) {
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
