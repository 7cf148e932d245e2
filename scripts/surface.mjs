// API Extractor's report of each public entry that users and other packages build on, held against the reports in
// packages/*/surface*.api.md. `npm run surface -- --update` accepts a change, but no name without a doc comment,
// and none that was published and is gone without a row in the table of `adorn migrate code`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';

import { CACHE, readJson, ROOT } from './setup/workspace.mjs';
import { faultsOfRenames } from './surface/renames.mjs';
import { completedReport, undocumentedNames } from './surface/report.mjs';

/** A type in a signature is exported by one of these entries, so that a program can name it. */
const PINNED = [
  { name: '@adorn/core', folder: 'packages/core', entry: 'index', report: 'surface' },
  { name: '@adorn/core/backend', folder: 'packages/core', entry: 'backend', report: 'surface-backend' },
  { name: '@adorn/core/compiler', folder: 'packages/core', entry: 'compiler', report: 'surface-compiler' },
  { name: '@adorn/compaction', folder: 'packages/compaction', entry: 'index', report: 'surface' },
  { name: '@adorn/schema', folder: 'packages/schema', entry: 'index', report: 'surface' },
  { name: '@adorn/plugins', folder: 'packages/plugins', entry: 'index', report: 'surface' },
  { name: '@adorn/policies', folder: 'packages/policies', entry: 'index', report: 'surface' },
  { name: 'adorn', folder: 'packages/adorn', entry: 'index', report: 'surface' },
];
const FORGOTTEN = 'ae-forgotten-export';
/** Types that the engine passes only to its own classes; a program neither makes nor names them. */
const ENGINE = new Set(
  'AgentCaller ArgumentSource BUDGET_ENDS BaseAgentNode CallEnding CalledBack Caller ContextPlace DryRun EndedCalls Invocation LogRedaction ModelCosts ModelRequestPlan PlannedAgent Question ResponsesForModel Resumption RunnerFields SettledCall ToolCall ToolDispatcher ToolResponse ToolTable Toolbox ToolsetListing Turn TurnAgent Usage'.split(
    ' ',
  ),
);
/** The most names, values and types together, that `adorn` offers to applications. */
const MOST_NAMES = 121;

process.chdir(ROOT);
const update = process.argv.includes('--update');
const { checker, exportsOf } = publicProgram();
const changed = PINNED.filter((pinned) => !isAsPinned(pinned));
const undocumented = PINNED.flatMap(undocumentedIn);
if (changed.length > 0) {
  const names = changed.map(({ name }) => name).join(' and ');
  console.error(`The public surface of ${names} has changed. \`npm run surface -- --update\` accepts it.`);
}
for (const name of undocumented)
  console.error(`${name} has no doc comment: say its shape, unit, default or errors.`);
const count = namesOf(PINNED.at(-1)).length;
if (count > MOST_NAMES)
  console.error(
    `adorn exports ${String(count)} names, at most ${String(MOST_NAMES)} are wanted: move one to @adorn/core/backend.`,
  );
const unlisted = differences(namesOf(PINNED.at(-1)), namesInReadme());
if (unlisted.length > 0)
  console.error(
    `The names in packages/adorn/README.md are not those that adorn exports: ${unlisted.join(', ')}.`,
  );
const renames = await faultsOfRenames();
for (const fault of renames) console.error(fault);
const counts = [];
for (const pinned of PINNED) counts.push(await countOf(pinned));
console.log(counts.join('; '));
process.exitCode =
  [changed, undocumented, unlisted, renames].some(({ length }) => length > 0) || count > MOST_NAMES ? 1 : 0;

/** The names in the table of the README's section "Names". */
function namesInReadme() {
  const [, section = ''] = readFileSync('packages/adorn/README.md', 'utf8').split('\n## Names\n');
  const rows = section
    .split('\n## ')[0]
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return rows.flatMap((row) => [...row.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name));
}

function differences(one, other) {
  const missing = (from, names) => names.filter((name) => !from.includes(name));
  return [...missing(one, other), ...missing(other, one)];
}

function isAsPinned(pinned) {
  const unnameable = [];
  const result = Extractor.invoke(configOf(pinned), {
    localBuild: true,
    showVerboseMessages: false,
    messageCallback(message) {
      if (message.messageId === FORGOTTEN) {
        unnameable.push(...unnameableType(message));
        message.logLevel = 'none';
      }
      // Only faults are said: API Extractor also announces its TypeScript and every file that it writes.
      message.handled = ['info', 'verbose'].includes(message.logLevel) || message.category === 'console';
    },
  });
  const isPinned = acceptReport(pinned);
  for (const type of new Set(unnameable)) {
    console.error(`${pinned.name} has ${type} in a signature, and no entry exports it: export the type.`);
  }
  return result.succeeded && isPinned && unnameable.length === 0;
}

/** Writes the report with `--update`; else prints how it differs from the one of the package. */
function acceptReport(pinned) {
  const found = completedReport(readFileSync(foundReport(pinned), 'utf8'), exportsOf(pinned), checker);
  writeFileSync(foundReport(pinned), found);
  if (update) writeFileSync(pinnedReport(pinned), found);
  const isPinned = linesOf(pinnedReport(pinned)).join('\n') === linesOf(foundReport(pinned)).join('\n');
  if (!isPinned) printDifference(pinned);
  return isPinned;
}

function undocumentedIn(pinned) {
  return undocumentedNames(readFileSync(foundReport(pinned), 'utf8')).map(
    (name) => `${name} of ${pinned.name}`,
  );
}

function unnameableType({ text }) {
  const [, type] = /symbol "(\w+?)(?:_\d+)?"/.exec(text);
  return ENGINE.has(type) || PINNED.some((entry) => namesOf(entry).includes(type)) ? [] : [type];
}

function configOf({ folder, entry, report }) {
  const project = `${ROOT}${folder}`;
  const found = `${ROOT}${foundReports(folder)}`;
  mkdirSync(`${found}/raw`, { recursive: true });
  return ExtractorConfig.prepare({
    configObjectFullPath: `${project}/api-extractor.json`,
    packageJsonFullPath: `${project}/package.json`,
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: declarationsOf({ folder, entry }),
      compiler: { tsconfigFilePath: `${project}/tsconfig.json` },
      apiReport: {
        enabled: true,
        reportFolder: found,
        reportFileName: report,
        reportTempFolder: `${found}/raw`,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: {
          'ae-missing-release-tag': { logLevel: 'none' },
          [FORGOTTEN]: { logLevel: 'warning', addToApiReportFile: false },
        },
      },
    },
  });
}

function printDifference(place) {
  const [pinned, found] = [pinnedReport(place), foundReport(place)].map(linesOf);
  if (pinned.length === 0) return console.error(`${pinnedReport(place)} is not there yet.`);
  for (const line of pinned) if (!found.includes(line)) console.error(`${place.name}  - ${line}`);
  for (const line of found) if (!pinned.includes(line)) console.error(`${place.name}  + ${line}`);
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').split(/\r?\n/) : [];
}

async function countOf({ name, folder, entry }) {
  const values = Object.keys(await import(pathToFileURL(`${ROOT}${folder}/dist/${entry}.js`).href)).length;
  const types = namesOf({ folder, entry }).length - values;
  return `${name} exports ${String(values)} values and ${String(types)} types`;
}

function namesOf(pinned) {
  return exportsOf(pinned).map(({ name }) => name);
}

/** Every symbol that an entry exports: types and names of other packages, too. */
function publicProgram() {
  const { options } = ts.convertCompilerOptionsFromJson(readJson('tsconfig.json').compilerOptions, ROOT);
  const program = ts.createProgram(PINNED.map(declarationsOf), options);
  const checker = program.getTypeChecker();
  const exportsOf = (pinned) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(declarationsOf(pinned))));
  return { checker, exportsOf };
}

function declarationsOf({ folder, entry }) {
  return `${ROOT}${folder}/dist/${entry}.d.ts`;
}

function foundReports(folder) {
  return `${CACHE}/surface/${folder.replace('packages/', '')}`;
}

function foundReport({ folder, report }) {
  return `${foundReports(folder)}/${report}.api.md`;
}

function pinnedReport({ folder, report }) {
  return `${folder}/${report}.api.md`;
}
