// The table of `adorn migrate code`, held against what the packages export. `scripts/surface/published-names.json` has the
// public names of the last release: a name that is gone since needs a row, which says what has become of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import ts from 'typescript';

import { readJson, ROOT } from '../setup/workspace.mjs';

const PUBLISHED = 'scripts/surface/published-names.json';
const COMPILER = `${ROOT}packages/compiler/dist/index.js`;

/** What is wrong with the table, as sentences. */
export async function faultsOfRenames() {
  const { findSuccessor, RENAMES } = await import(pathToFileURL(COMPILER).href);
  const exported = exportsOfEntries();
  return [
    ...lostNames(exported.names, findSuccessor),
    ...RENAMES.flatMap((rename) => faultsOf(rename, exported, findSuccessor)),
  ];
}

/** The file of the public names, as a release of this build has them. */
export function publishedNames() {
  const { names } = exportsOfEntries();
  const entries = Object.keys(names).filter((entry) => !entry.endsWith('/backend') && names[entry].size > 0);
  const published = entries.sort().map((entry) => [entry, [...names[entry]].sort().join(' ')]);
  return { path: PUBLISHED, text: `${JSON.stringify(Object.fromEntries(published), null, 2)}\n` };
}

function lostNames(names, findSuccessor) {
  return Object.entries(readJson(PUBLISHED)).flatMap(([entry, published]) =>
    published
      .split(' ')
      .filter((name) => names[entry]?.has(name) !== true && findSuccessor({ entry, name }) === undefined)
      .map(
        (name) =>
          `${name} of ${entry} was published and is gone: add a row to compiler/src/migrate/renames.ts.`,
      ),
  );
}

function faultsOf(rename, exported, findSuccessor) {
  if ('of' in rename) return faultsOfMembers(rename, exported);
  const old = Array.isArray(rename.names) ? rename.names : Object.keys(rename.names);
  return rename.from.flatMap((entry) =>
    old.flatMap((name) => {
      const successor = findSuccessor({ entry, name });
      if (exported.names[entry]?.has(name) === true && !exported.isDeprecated({ entry, name }))
        return [`renames.ts says that ${name} of ${entry} is gone, and it is exported without @deprecated.`];
      return successor?.kind !== 'renamed' || exported.has(successor)
        ? []
        : [
            `renames.ts says that ${name} of ${entry} is ${successor.name} of ${successor.entry}, which is not exported.`,
          ];
    }),
  );
}

function faultsOfMembers({ kind, from: [entry], of, names }, { membersOf }) {
  const members = membersOf(entry, of);
  if (members === undefined) return [`renames.ts has members of ${of}, which ${entry} does not export.`];
  return Object.entries(names).flatMap(([old, now]) => [
    ...(members.has(old) ? [`renames.ts says that ${of}.${old} is gone, and it is there.`] : []),
    ...(kind === 'member removed' || members.has(now)
      ? []
      : [`renames.ts names ${of}.${now}, which is not there.`]),
  ]);
}

/** The names of every entry of every published package, from the declarations of the build. */
function exportsOfEntries() {
  const files = Object.fromEntries(publishedPackages().flatMap(entriesOf));
  const missing = Object.values(files).find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`There is no ${missing}: run \`npm run build\` first.`);
  const { options } = ts.convertCompilerOptionsFromJson(readJson('tsconfig.json').compilerOptions, ROOT);
  const program = ts.createProgram(Object.values(files), options);
  const checker = program.getTypeChecker();
  const symbols = (entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(files[entry]));
    // A script, such as the preset of Jest, exports nothing.
    return module ? checker.getExportsOfModule(module) : [];
  };
  const find = (entry, name) => {
    const [owner, member] = name.split('.');
    const found = files[entry] && symbols(entry).find((one) => one.name === owner);
    const symbol = found && (found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found);
    if (!symbol || member === undefined) return symbol;
    return checker.getExportsOfModule(symbol).find((one) => one.name === member);
  };
  const names = Object.fromEntries(
    Object.keys(files).map((entry) => [entry, new Set(symbols(entry).map(({ name }) => name))]),
  );
  const membersOf = (entry, type) => {
    const symbol = find(entry, type);
    return (
      symbol &&
      new Set(
        checker
          .getDeclaredTypeOfSymbol(symbol)
          .getProperties()
          .map(({ name }) => name),
      )
    );
  };
  const isDeprecated = ({ entry, name }) => {
    const symbol = find(entry, name);
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return declared.getJsDocTags(checker).some((tag) => tag.name === 'deprecated');
  };
  return { names, has: ({ entry, name }) => find(entry, name) !== undefined, isDeprecated, membersOf };
}

function publishedPackages() {
  return readdirSync('packages')
    .map((folder) => ({ folder, manifest: manifestOf(folder) }))
    .filter(({ manifest }) => manifest !== undefined && manifest.private !== true);
}

function manifestOf(folder) {
  try {
    return JSON.parse(readFileSync(`packages/${folder}/package.json`, 'utf8'));
  } catch {
    return undefined;
  }
}

function entriesOf({ folder, manifest: { name, exports = {} } }) {
  return Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([path, { types }]) => [`${name}${path.slice(1)}`, `${ROOT}packages/${folder}/${types}`]);
}
