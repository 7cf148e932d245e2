import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { Change } from './changes.js';

const FILE = 'pnpm-workspace.yaml';

/** The dependencies of Adorn that have a build script. Adorn needs none of the scripts. */
const UNBUILT = ['@google/genai', 'protobufjs'];

const DECISIONS = `# pnpm fails an install if a dependency has a build script that is neither allowed nor refused here.
allowBuilds:
${UNBUILT.map((name) => `  ${JSON.stringify(name)}: false`).join('\n')}
`;

/**
 * Refuses the build scripts of Adorn's dependencies, without which the first `pnpm install` fails. A file that decides
 * on build scripts, and that of a workspace around the project, is not edited.
 */
export function planPnpmWorkspace(root: string): Change[] {
  const found = findWorkspace(root);
  if (found === undefined) return [{ kind: 'create', path: FILE, text: DECISIONS }];
  if (dirname(found) !== root) return [];
  const before = readFileSync(found, 'utf8');
  if (/^allowBuilds\s*:/m.test(before)) return [{ kind: 'keep', path: FILE }];
  const text = `${before.trimEnd()}\n\n${DECISIONS}`.trimStart();
  return [{ kind: 'update', path: FILE, before, text, added: 'allowBuilds' }];
}

/** What to add by hand, as the project is after the planned changes. */
export function stepsForPnpmWorkspace(root: string): string[] {
  const found = findWorkspace(root);
  if (found === undefined) return [];
  const text = readFileSync(found, 'utf8');
  const undecided = UNBUILT.filter((name) => !text.includes(name));
  const isEdited = dirname(found) === root && !/^allowBuilds\s*:/m.test(text);
  if (isEdited || undecided.length === 0) return [];
  const lines = undecided.map((name) => `${JSON.stringify(name)}: false`).join(', ');
  return [`add to allowBuilds in ${relative(root, found)}: ${lines}`];
}

/** The file of the project, or of the workspace around it. */
function findWorkspace(folder: string): string | undefined {
  const path = join(folder, FILE);
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findWorkspace(parent);
}
