import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Milliseconds for a process to end before it is killed. */
const GRACE_MS = 12_000;

/** A machine that is a process of this one. */
export interface LocalProcess {
  /** Its first line. Rejects if it ends before that. */
  readonly ready: Promise<string>;
  /** Asks it to end, and kills it if it does not. */
  end(): Promise<void>;
}

/** Starts `build/NAME.js` in a process group of its own: a Ctrl-C in the terminal does not reach it. */
export function startProcess(
  name: string,
  { execPath, env }: { readonly execPath: string; readonly env: NodeJS.ProcessEnv },
): LocalProcess {
  const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), {
    execPath,
    execArgv: ['--import', new URL('with-parent.js', import.meta.url).href],
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return { ready: firstLine(child, name), end: () => end(child) };
}

function firstLine(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`The ${name} ended with ${String(code ?? signal)}.`));
    });
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      console.log(line);
      resolve(line);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(limit);
}
