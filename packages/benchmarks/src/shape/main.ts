// `npm run report:shape`: how files, folders and functions are cut, and which files of core run on four ways, beside
// code bases that are models of this one. Facts, not goals: what must hold is a rule of the linter or of the architecture.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formatTable } from '../overhead/report/format.js';
import { ANCHORS, type ShapeRow } from './anchors.js';
import { filesPerFolder, importedOnce } from './layout.js';
import { type MeasuredFile, type MeasuredFunction, measureFile } from './measure-file.js';
import { measureWays } from './ways/measure-ways.js';

interface SourceFile extends MeasuredFile {
  readonly path: string;
  /** `packages/core`, `samples/support`, … */
  readonly workspace: string;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const LISTED = 10;

const files = [...sourcesOf('packages'), ...sourcesOf('samples')];
const inPackages = files.filter(({ workspace }) => workspace.startsWith('packages/'));
const lonely = new Set(importedOnce(files));
const folders = filesPerFolder(inPackages.map(({ path }) => path));
const ways = await measureWays();

const sections = {
  'Lengths of files and functions': formatTable(
    ['', 'file median / p90 / max', 'function median / p90', 'one export', 'any per 1000', ''],
    shapes().map((row) => [row.name, row.files, row.functions, row.oneExport, row.anys, row.count]),
  ),
  'Statements per 1,000 lines of code': formatTable(
    ['package', 'lines of code', 'functions', 'undefined', 'ternaries', 'conditional spreads'],
    workspaces(inPackages).map(statementsOf),
  ),
  'The longest files': list(files.map(({ path, lines }) => ({ count: lines, what: path }))),
  'The longest functions': list(files.flatMap(functionsOf)),
  'Files by package': formatTable(
    ['package', 'files', 'imported by one file', ''],
    workspaces(inPackages).map((name) => [name, ...onlyImporters(inPackages, name)]),
  ),
  'The fullest folders': list(folders.map(({ folder, files: count }) => ({ count, what: folder }))),
  'What of core runs': formatTable(
    ['way', 'files', 'functions', 'calls'],
    ways.map(({ name, files: ran, functions, calls }) => [
      name,
      ...[ran.length, functions, calls].map(String),
    ]),
  ),
};
for (const [title, text] of Object.entries(sections)) console.log(`${title}\n\n${text}\n`);
if (process.argv.includes('--ways'))
  for (const way of ways) console.log([`${way.name}:`, ...way.files].join('\n  '));

/** The sources of all workspaces below `packages` or `samples`, without specs and what belongs to them. */
function sourcesOf(parent: string): SourceFile[] {
  return readdirSync(join(ROOT, parent))
    .map((name) => `${parent}/${name}`)
    .filter((workspace) => existsSync(join(ROOT, workspace, 'src')))
    .flatMap((workspace) =>
      readdirSync(join(ROOT, workspace, 'src'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture|d)\.ts$|\/fixtures\//.test(path))
        .map((path) => ({ workspace, path, ...measureFile(path, readFileSync(join(ROOT, path), 'utf8')) })),
    );
}

function workspaces(from: readonly SourceFile[]): string[] {
  return [...new Set(from.map(({ workspace }) => workspace))];
}

function shapes(): ShapeRow[] {
  const inSamples = files.filter((file) => !inPackages.includes(file));
  const perPackage = workspaces(inPackages).map((name) =>
    shapeOf(
      name,
      inPackages.filter(({ workspace }) => workspace === name),
    ),
  );
  return [
    ...ANCHORS,
    shapeOf('ADORN, packages', inPackages),
    shapeOf('ADORN, samples', inSamples),
    ...perPackage,
  ];
}

function shapeOf(name: string, of: readonly SourceFile[]): ShapeRow {
  const lengths = of.map(({ lines }) => lines);
  const functions = of.flatMap((file) => file.functions.map(({ lines }) => lines));
  const total = sum(lengths);
  const exporting = of.filter(({ exports }) => exports > 0);
  const single = exporting.filter(({ exports }) => exports === 1);
  return {
    name,
    files: [0.5, 0.9, 1].map((share) => quantile(lengths, share)).join(' / '),
    functions: [0.5, 0.9].map((share) => quantile(functions, share)).join(' / '),
    oneExport: percent(single.length, exporting.length),
    anys: total === 0 ? '' : ((sum(of.map(({ anys }) => anys)) * 1000) / total).toFixed(1),
    count: `${String(of.length)} files, ${String(functions.length)} functions, ${String(total)} lines`,
  };
}

function onlyImporters(from: readonly SourceFile[], name: string): string[] {
  const own = from.filter(({ workspace }) => workspace === name);
  const once = own.filter(({ path }) => lonely.has(path));
  return [String(own.length), String(once.length), percent(once.length, own.length)];
}

/** A package, its lines of code, and what stands in 1,000 of them; of conditional spreads the whole number too. */
function statementsOf(name: string): string[] {
  const own = inPackages.filter(({ workspace }) => workspace === name);
  const spreads = sum(own.map(({ conditionalSpreads }) => conditionalSpreads));
  const counts = [
    sum(own.map(({ functions }) => functions.length)),
    sum(own.map(({ undefineds }) => undefineds)),
    sum(own.map(({ ternaries }) => ternaries)),
    spreads,
  ];
  const shares = counts.map((count) => perThousand(count, own).toFixed(1));
  return [
    name,
    String(codeLinesOf(own)),
    ...shares.slice(0, -1),
    `${shares.at(-1) ?? ''} (${String(spreads)})`,
  ];
}

function perThousand(count: number, of: readonly SourceFile[]): number {
  const lines = codeLinesOf(of);
  return lines === 0 ? 0 : (count * 1000) / lines;
}

function codeLinesOf(of: readonly SourceFile[]): number {
  return sum(of.map(({ codeLines }) => codeLines));
}

function functionsOf({ path, functions }: SourceFile): { count: number; what: string }[] {
  return functions.map(({ name, line, lines }: MeasuredFunction) => ({
    count: lines,
    what: `${path}:${String(line)} ${name}`,
  }));
}

function list(entries: readonly { readonly count: number; readonly what: string }[]): string {
  const longest = [...entries].sort((a, b) => b.count - a.count).slice(0, LISTED);
  return longest.map(({ count, what }) => `${String(count).padStart(5)}  ${what}`).join('\n');
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '' : `${String(Math.round((part * 100) / whole))} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
