import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Start } from './child.js';

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));

/** Starts the runner of a root agent in a process of its own, as a developer would, and tells what it took. */
export async function startChild(root: string, ...flags: readonly '--modules'[]): Promise<Start> {
  const child = spawn(process.execPath, [CHILD, root, ...flags], {
    env: { ...process.env, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The process that starts ${root} ended with ${String(code)}.`);
  return JSON.parse(output) as Start;
}
