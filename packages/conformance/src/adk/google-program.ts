import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { copyPeer, PEER_FOLDERS } from '../install-peer/install-peer.js';

const LIMIT_MS = 60_000;

/** Starts a program of `peers/adk-devtools` where Google's packages are installed. */
export function startProgram(folder: string, file: string, ...args: readonly string[]): ChildProcess {
  copyPeer('adk-devtools', PEER_FOLDERS, [file]);
  return spawn(process.execPath, [file, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
}

/** The first line that a program prints. Rejects if it ends before, or takes longer than a minute. */
export async function firstLine(program: ChildProcess): Promise<string> {
  const late = setTimeout(() => program.kill('SIGKILL'), LIMIT_MS);
  try {
    const { stdout } = program;
    if (stdout !== null) for await (const line of createInterface({ input: stdout })) return line;
    throw new Error(`${program.spawnargs.slice(1).join(' ')} ended without a line.`);
  } finally {
    clearTimeout(late);
  }
}
