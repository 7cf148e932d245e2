// Counts the names that a user may look up (options, error codes, commands and their flags, exports, environment variables, names of other
// kits), and says which of them are nowhere on the site. The site is built first: `npm run docs`, then `node scripts/checks/site-names.mjs`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import ts from 'typescript';

import { listFiles, listWorkspaces, readJson, ROOT } from '../setup/workspace.mjs';

const SITE = '.work/site';
const CODES = 'packages/schema/src/errors/error-codes.ts';
const WORD = /[A-Za-z_$][\w$]*/g;
/** Variables that others define, or that only our own specs read. */
const NOT_OURS = /^(PATH|TERM|NODE_ENV|NODE_OPTIONS|NO_COLOR|ADORN_(FIXTURES|PROPERTY_RUNS|WEB_TOKEN))$/;

process.chdir(ROOT);
const published = listWorkspaces().filter((workspace) => workspace.published);
const sources = published
  .flatMap(({ folder }) => listFiles(`${folder}/src`))
  .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(path));
const { words, text } = readSite();
const kinds = {
  options: optionNames(),
  errors: matchesIn([CODES], /'([A-Z][A-Z0-9_]+)'/g),
  'commands and flags': commandNames(),
  exports: exportedNames(),
  'environment variables': environmentNames(),
  'names of other kits': Object.values(readJson('packages/docs/coming-from/names.json')).flat(),
};
for (const [kind, names] of Object.entries(kinds)) {
  const wanted = [...new Set(names)];
  const missing = wanted.filter((name) => !isOnSite(name));
  console.log(`${String(wanted.length)} ${kind}, ${String(missing.length)} missing`);
  for (const name of missing) console.error(`  ${name} (${kind}) is nowhere on the site.`);
  if (missing.length > 0) process.exitCode = 1;
}

function isOnSite(name) {
  return words.has(name) || text.includes(name);
}

/** What the pages show, without tags. */
function readSite() {
  const pages = listFiles(SITE).filter((path) => path.endsWith('.html'));
  if (pages.length === 0) throw new Error(`${SITE} has no pages. Build it: npm run docs`);
  const shown = pages
    .map((path) => readFileSync(path, 'utf8'))
    .map((html) => html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ''))
    .map((page) =>
      page.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    )
    .join('\n');
  return { text: shown, words: new Set(shown.match(WORD)) };
}

/** The keys of the tables by which options are checked. */
function optionNames() {
  return sources.flatMap((path) => {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    return source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ type }) => type?.getText().startsWith('OptionRules<'))
      .flatMap(({ initializer }) => (ts.isObjectLiteralExpression(initializer) ? initializer.properties : []))
      .flatMap(({ name }) => (name === undefined ? [] : name.getText().replace(/^'|'$/g, '')));
  });
}

function commandNames() {
  const help = (...args) =>
    spawnSync(process.execPath, ['packages/cli/bin/adorn.js', ...args, '--help'], { encoding: 'utf8' })
      .stdout;
  const commands = namesIn(help(), /^ {2}([a-z]+)\b(?=.* {2})/gm).filter((name) => name !== 'help');
  const flags = commands.flatMap((command) => namesIn(help(command), /^ {2}(?:-\w, )?(--[a-z][\w-]*)/gm));
  return [...commands.map((name) => `adorn ${name}`), ...flags];
}

function exportedNames() {
  const entries = published.flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports).flatMap(({ types }) => (types === undefined ? [] : `${folder}/${types}`)),
  );
  const program = ts.createProgram(
    entries.filter((path) => existsSync(path)),
    { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types: ['node'] },
  );
  const checker = program.getTypeChecker();
  return entries.flatMap((path) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(path));
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map(({ name }) => name);
  });
}

function environmentNames() {
  return matchesIn(sources, /\benv(?:\?)?(?:\.|\[')([A-Z][A-Z0-9_]+)/g).filter(
    (name) => !NOT_OURS.test(name),
  );
}

function matchesIn(paths, pattern) {
  return paths.flatMap((path) => namesIn(readFileSync(path, 'utf8'), pattern));
}

function namesIn(text, pattern) {
  return [...text.matchAll(pattern)].map(([, name]) => name);
}
