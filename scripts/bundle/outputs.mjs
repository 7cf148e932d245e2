import { existsSync, rmSync } from 'node:fs';

import { listFiles, readJson } from '../setup/workspace.mjs';

const OUTPUT = /\.(js|d\.ts)(\.map)?$/;

/**
 * Makes what lies in the output folders answer to the sources again. What a renamed source left behind is removed,
 * as it would be published; where an output is missing, tsc is made to forget that it has written it, because
 * `tsc -b` looks at its notes only.
 */
export function reconcileOutputs(folder) {
  if (!existsSync(`${folder}/tsconfig.json`)) return;
  const { compilerOptions = {}, exclude = [] } = readJson(`${folder}/tsconfig.json`);
  const { outDir, declarationDir = outDir } = compilerOptions;
  if (outDir === undefined) return;
  const modules = modulesOf(folder, exclude);
  const scripts = { folder: `${folder}/${outDir}`, ending: '.js' };
  const declarations = { folder: `${folder}/${declarationDir}`, ending: '.d.ts' };
  for (const output of [scripts, declarations]) removeOrphans(output, modules);
  if ([scripts, declarations].some((output) => isIncomplete(output, modules))) {
    rmSync(`${folder}/${outDir}/.tsbuildinfo`, { force: true });
  }
}

/** The sources that tsc compiles, as paths below `src` without their ending. Specs are never among them. */
function modulesOf(folder, exclude) {
  const sources = listFiles(`${folder}/src`).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/\.(spec|fixture|d)\.ts$/.test(path) &&
      !exclude.some((excluded) => path.startsWith(`${folder}/${excluded}/`)),
  );
  return new Set(sources.map((path) => path.slice(`${folder}/src/`.length).replace(/\.tsx?$/, '')));
}

function removeOrphans({ folder, ending }, modules) {
  for (const path of listFiles(folder)) {
    const [whole, kind] = OUTPUT.exec(path) ?? [];
    if (kind === undefined || `.${kind}` !== ending) continue;
    if (!modules.has(path.slice(folder.length + 1, -whole.length))) rmSync(path);
  }
}

function isIncomplete({ folder, ending }, modules) {
  return [...modules].some((module) => !existsSync(`${folder}/${module}${ending}`));
}
