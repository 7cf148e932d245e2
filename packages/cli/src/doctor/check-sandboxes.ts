import { startGroup } from '@adorn/core/backend';

import type { Finding } from './finding.js';

/** How long a program may take to tell that it works, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Programs that run the code of models apart from this machine, each with a command that shows that it works. */
const SANDBOXES = [
  { name: 'bubblewrap', command: 'bwrap', args: ['--ro-bind', '/', '/', '--unshare-all', 'true'] },
  { name: 'docker', command: 'docker', args: ['version', '--format', '{{.Server.Version}}'] },
  { name: 'Deno (for pyodide)', command: 'deno', args: ['--version'] },
] as const;

/** Which sandboxes can run the code of models. None is needed unless an agent has code execution. */
export async function checkSandboxes(): Promise<Finding> {
  const works = await Promise.all(SANDBOXES.map(({ command, args }) => runs(command, args)));
  const names = SANDBOXES.filter((_, index) => works[index] === true).map(({ name }) => name);
  if (names.length > 0) return { about: 'sandbox', status: 'fine', text: names.join(', ') };
  return {
    about: 'sandbox',
    status: 'note',
    text: 'neither bubblewrap nor docker nor Deno works here; QuickJS, for JavaScript, needs none of them',
    cure: 'Only for agents that run code: install one of them.',
  };
}

async function runs(command: string, args: readonly string[]): Promise<boolean> {
  const { child, end } = startGroup(command, args, { stdio: 'ignore' });
  const patience = setTimeout(() => void end(), PATIENCE_MS);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => {
      resolve(null);
    });
    child.once('exit', resolve);
  });
  clearTimeout(patience);
  return code === 0;
}
