// `npm run report:shape`: how long our files and functions are, beside the codebases we look up to. A mirror, not a gate.
import { readFileSync } from 'node:fs';

import { listFiles, listWorkspaces, ROOT } from './setup/workspace.mjs';
import { anchors } from './shape/anchors.mjs';
import { measureFile } from './shape/measure-file.mjs';
import { printTable } from './shape/print-table.mjs';

process.chdir(ROOT);
const files = listWorkspaces().flatMap(({ folder }) =>
  listFiles(`${folder}/src`)
    .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture|d)\.ts$|\/fixtures\//.test(path))
    .map((path) => ({ folder, path, ...measureFile(path, readFileSync(path, 'utf8')) })),
);
const inPackages = files.filter(({ folder }) => folder.startsWith('packages/'));
const perFolder = [...new Set(inPackages.map(({ folder }) => folder))].map((folder) =>
  shapeOf(
    folder.slice('packages/'.length),
    files.filter((file) => file.folder === folder),
  ),
);
printTable([
  ...anchors,
  shapeOf('ADORN, packages', inPackages),
  shapeOf(
    'ADORN, samples',
    files.filter(({ folder }) => folder.startsWith('samples/')),
  ),
  ...perFolder,
]);
printLongest(
  'files',
  files.map(({ path, lines }) => ({ lines, what: path })),
);
printLongest(
  'functions',
  files.flatMap(({ path, functions }) =>
    functions.map(({ name, line, lines }) => ({ lines, what: `${path}:${String(line)} ${name}` })),
  ),
);

function shapeOf(name, files) {
  const lengths = files.map(({ lines }) => lines);
  const functions = files.flatMap((file) => file.functions.map(({ lines }) => lines));
  const total = lengths.reduce((sum, lines) => sum + lines, 0);
  const exporting = files.filter(({ exports }) => exports > 0);
  const anys = files.reduce((sum, file) => sum + file.anys, 0);
  return {
    name,
    files: [quantile(lengths, 0.5), quantile(lengths, 0.9), quantile(lengths, 1)].join(' / '),
    functions: [quantile(functions, 0.5), quantile(functions, 0.9)].join(' / '),
    oneExport: percent(exporting.filter(({ exports }) => exports === 1).length, exporting.length),
    anys: total === 0 ? '' : ((anys * 1000) / total).toFixed(1),
    count: `${String(files.length)} files, ${String(functions.length)} functions, ${String(total)} lines`,
  };
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function percent(part, whole) {
  return whole === 0 ? '' : `${String(Math.round((part * 100) / whole))} %`;
}

function printLongest(what, entries) {
  console.log(`\nThe ten longest ${what}:`);
  const longest = entries.toSorted((a, b) => b.lines - a.lines).slice(0, 10);
  for (const entry of longest) console.log(`${String(entry.lines).padStart(5)}  ${entry.what}`);
}
