import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { UsageError } from '../usage.error.js';

/** The folders in which an application is looked for, in this order: built files, then sources. */
const FOLDERS = ['.', 'build', 'dist', 'src'];

const NAMES = ['index', 'agent', 'main', 'app'];

const EXTENSIONS = ['.js', '.mjs', '.ts', '.mts'];

/**
 * Finds the file of an application. For a folder: its only `*.agent` file, or `index`, `agent`, `main` or `app`, as
 * JavaScript or TypeScript, in the folder or in its `build`, `dist` or `src`.
 *
 * @throws {UsageError} if there is none, or a folder contains several `*.agent` files
 */
export function findFile(path: string): string {
  const whole = resolve(path);
  if (!existsSync(whole)) {
    throw new UsageError(
      `There is no ${path}. Name a .js or .ts file that exports an agent, or a folder that holds one.`,
    );
  }
  if (!statSync(whole).isDirectory()) return whole;
  for (const folder of FOLDERS) {
    const found = findIn(join(whole, folder), path);
    if (found !== undefined) return found;
  }
  throw new UsageError(
    `The folder ${path} holds no *.agent.js or *.agent.ts and no ${NAMES.join(', ')} (.js or .ts), nor do its ` +
      `${FOLDERS.slice(1).join(', ')}. Name the file that exports the agent.`,
  );
}

function findIn(folder: string, path: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder);
  for (const extension of EXTENSIONS) {
    const agents = files.filter((file) => file.endsWith(`.agent${extension}`));
    const [agent] = agents;
    if (agents.length > 1) {
      const named = agents.map((file) => relative('.', join(folder, file))).join(', ');
      throw new UsageError(`The folder ${path} holds several agents: ${named}. Name one of them.`);
    }
    if (agent !== undefined) return join(folder, agent);
    const entry = NAMES.map((name) => name + extension).find((name) => files.includes(name));
    if (entry !== undefined) return join(folder, entry);
  }
  return undefined;
}
