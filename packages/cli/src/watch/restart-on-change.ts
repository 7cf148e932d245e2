import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { startGroup } from '@adorn/core/backend';

/**
 * Runs the command again in a process that Node restarts when a file that it loads changes. Ends with that process.
 *
 * @param bin the URL of the command
 * @param more arguments besides those of this process, which lose `--watch`
 */
export async function restartOnChange(
  bin: string,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const args = process.argv.slice(2).filter((argument) => argument !== '--watch');
  const { child } = startGroup(
    process.execPath,
    ['--watch', '--watch-preserve-output', fileURLToPath(bin), ...args, ...more],
    { stdio: 'inherit', env },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal));
  }
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
