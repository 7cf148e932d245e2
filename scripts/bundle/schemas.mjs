import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { fingerprintOf } from '../setup/build-stamp.mjs';
import { CACHE, listFiles, listWorkspaces, ROOT } from '../setup/workspace.mjs';

const COMPILER = 'packages/compiler/dist/index.js';

/**
 * `adorn build` for the projects that are run from their build: it writes each tool's schema beside its class.
 *
 * @returns {Promise<string[]>} the folders of the projects whose build was written to
 */
export async function writeSchemas() {
  if (!existsSync(COMPILER)) return [];
  const stale = projectsWithTools().filter((folder) => !isWritten(folder));
  if (stale.length === 0) return [];
  const { buildSchemas } = await import(pathToFileURL(COMPILER).href);
  if (buildSchemas === undefined) {
    console.warn(`${COMPILER} has no buildSchemas yet: no schemas were written.`);
    return [];
  }
  for (const folder of stale) {
    const { tools, classes } = await buildSchemas({ project: projectAlone(folder) });
    console.log(`${folder}: schemas written (tools: ${String(tools)}, classes: ${String(classes)}).`);
    writeFileSync(stampOf(folder), fingerprint(folder));
  }
  return stale;
}

/** The project without those that it refers to: none of ours has tools, and `adorn build` would read them all. */
export function projectAlone(folder) {
  const path = `${stampOf(folder)}.tsconfig.json`;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(path, JSON.stringify({ extends: `${ROOT}${folder}/tsconfig.json` }));
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

function isWritten(folder) {
  return existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === fingerprint(folder);
}

/** A schema is made from the project's sources and from the types of the packages, by the compiler. */
function fingerprint(folder) {
  const types = listFiles('packages').filter((path) => path.endsWith('.d.ts') && path.includes('/dist/'));
  const parts = ['src', 'build'].flatMap((part) => listFiles(`${folder}/${part}`));
  return fingerprintOf([COMPILER, ...types, ...parts.filter((path) => !/\.(spec|fixture)\.ts$/.test(path))]);
}

function stampOf(folder) {
  return `${CACHE}/schemas-${folder.replaceAll('/', '-')}`;
}
