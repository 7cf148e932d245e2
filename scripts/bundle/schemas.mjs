import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { CACHE, listWorkspaces, ROOT } from '../setup/workspace.mjs';

const COMPILER = 'packages/compiler/dist/build.js';

/**
 * `adorn build` for the projects that are run from their build: it writes each tool's schema beside its class. It has a
 * stamp of its own, so a project in which nothing has changed takes no time.
 *
 * @returns {Promise<string[]>} the folders of the projects whose build was written to
 */
export async function writeSchemas(folders = projectsWithTools()) {
  if (!existsSync(COMPILER)) return [];
  const { buildSchemas } = await import(pathToFileURL(COMPILER).href);
  const changed = [];
  for (const folder of folders) {
    let written = 0;
    const { tools, classes } = await buildSchemas({ project: projectAlone(folder), log: () => written++ });
    if (written === 0) continue;
    changed.push(folder);
    console.log(`${folder}: schemas written (tools: ${String(tools)}, classes: ${String(classes)}).`);
  }
  return changed;
}

/** The project without those that it refers to: none of ours has tools, and `adorn build` would read them all. */
export function projectAlone(folder) {
  const path = `${ROOT}${CACHE}/schemas-${folder.replaceAll('/', '-')}.tsconfig.json`;
  const text = JSON.stringify({ extends: `${ROOT}${folder}/tsconfig.json` });
  mkdirSync(CACHE, { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  return path;
}

/** Packages whose programs have agents or tools of their own. */
const WITH_TOOLS = ['cli', 'conformance', 'chaos', 'benchmarks'].map((name) => `packages/${name}`);

/** The projects of ours that have tools, once they are built. */
export function projectsWithTools() {
  return listWorkspaces()
    .filter(({ folder }) => folder.startsWith('samples/') || WITH_TOOLS.includes(folder))
    .map(({ folder }) => folder)
    .filter((folder) => existsSync(`${folder}/build`));
}
