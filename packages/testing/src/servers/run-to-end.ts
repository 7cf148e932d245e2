import { spawn } from 'node:child_process';

/** Runs a program. If it fails, the promise rejects with its output. */
export function runToEnd(
  program: string,
  options: readonly string[],
  identity: { uid?: number; gid?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ended with ${String(code)}: ${said}`));
    });
  });
}
