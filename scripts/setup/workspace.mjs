import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. Every script works from here. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The skill that `adorn new` writes for coding agents. */
export const SKILL = 'packages/cli/templates/shared/skill/SKILL.md';

/**
 * The scripts' cache: stamps, reports, tsconfigs with absolute paths. Each checkout has a folder of its own, since
 * several may share one node_modules by a link.
 */
export const CACHE = `node_modules/.cache/adorn/checkout-${createHash('sha256').update(ROOT).digest('hex').slice(0, 12)}`;

/** @returns {unknown} what the JSON file holds */
export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * The workspaces below `packages` and `samples`, in alphabetical order.
 *
 * @returns {{ folder: string, manifest: Record<string, any>, published: boolean }[]}
 */
export function listWorkspaces() {
  return ['packages', 'samples']
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(`${folder}/package.json`))
    .map((folder) => ({ folder, manifest: readJson(`${folder}/package.json`) }))
    .map((workspace) => ({ ...workspace, published: workspace.manifest.private !== true }));
}

/** The folder of a project and those of all projects that it refers to, itself last. */
export function listProjectsBehind(folder, found = new Set()) {
  const { references = [] } = readJson(`${folder}/tsconfig.json`);
  for (const { path } of references) {
    const referred = posix.join(folder, path);
    if (!found.has(referred)) listProjectsBehind(referred, found);
  }
  return [...found.add(folder)];
}

/** Every file below the folder, depth first, by path from the root; a folder that is not there is empty. */
export function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(`${folder}/${entry.name}`) : `${folder}/${entry.name}`,
    );
}

/** The documentation: the READMEs of the root and the workspaces, everything in `packages/docs`, and the skill for coding agents. */
export function listPages() {
  const readmes = ['README.md', ...listWorkspaces().map(({ folder }) => `${folder}/README.md`)];
  const docs = listFiles('packages/docs').filter((path) => path.endsWith('.md'));
  return [...new Set([...readmes, ...docs, SKILL])].filter((path) => existsSync(path));
}
