import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { DeclaredOptions } from './option-tables/declared-options.mjs';
import { TABLES } from './option-tables/tables.mjs';

const RUN_CONFIG = { path: 'packages/core/src/run/run-config.ts', list: 'DEFAULT_RUN_CONFIG' };

/** Each table of options on a page has every option that its type declares, and no other; defaults of runs are those of the code. */
export function compareOptions(pages) {
  const declared = new DeclaredOptions();
  const compared = pages.flatMap((page) => comparePage(page, declared));
  return {
    what: 'options',
    count: compared.reduce((sum, { count }) => sum + count, 0),
    faults: compared.flatMap(({ faults }) => faults),
  };
}

function comparePage(page, declared) {
  const tables = tablesOf(page);
  const types = TABLES[page] ?? [];
  if (tables.length === types.length)
    return tables.map((table, index) => compareTable(table, typesOf(types[index]), declared));
  const fault = `${page} has ${String(tables.length)} tables of options, and scripts/checks/option-tables/tables.mjs names ${String(types.length)} types for it.`;
  return [{ count: 0, faults: [fault] }];
}

function typesOf(entry) {
  return typeof entry === 'string' ? { types: [entry] } : entry;
}

function compareTable({ where, rows }, { types, also }, declared) {
  const unknown = types.filter((type) => declared.of(type) === undefined);
  if (unknown.length > 0)
    return {
      count: 0,
      faults: [`${where}: no package alone declares ${unknown.join(', ')}. Build, or mend the list.`],
    };
  const options = new Map(types.flatMap((type) => [...declared.of(type)]));
  const elsewhere = also === undefined ? new Map() : declared.of(also);
  const described = [...rows.keys()];
  const parents = new Set(described.filter((name) => name.includes('.')).map((name) => name.split('.')[0]));
  const missing = [...options]
    .filter(([name]) => !elsewhere.has(name) || parents.has(name))
    .flatMap(([name, inner]) =>
      parents.has(name) ? [...inner().keys()].map((one) => `${name}.${one}`) : name,
    )
    .filter((name) => !rows.has(name));
  const strange = described.filter((name) => !isDeclared(name, options));
  return {
    count: described.length,
    faults: [
      ...missing.map((name) => `${where}: ${name} of ${types.join(' or ')} is missing.`),
      ...strange.map((name) => `${where}: ${types.join(' or ')} has no option ${name}.`),
      ...(types.includes('RunConfig') ? otherDefaults(where, rows) : []),
    ],
  };
}

function isDeclared(name, options) {
  const [first, ...rest] = name.split('.');
  const inner = options.get(first);
  return inner !== undefined && (rest.length === 0 || isDeclared(rest.join('.'), inner()));
}

/** The tables of options of a page; those of the options of commands, which begin with a dash, are written from the commands. */
function tablesOf(page) {
  const lines = readFileSync(page, 'utf8').split('\n');
  return lines
    .flatMap((line, index) => (/^\| option\b/.test(line) ? [index] : []))
    .map((index) => ({ where: `${page}:${String(index + 1)}`, rows: rowsFrom(lines, index + 2) }))
    .filter(({ rows }) => rows.size > 0);
}

/** The names in the first cell of each row, with the second cell: `retry.attempts`, `.delay` is `retry.delay`. */
function rowsFrom(lines, first) {
  const rows = new Map();
  for (let at = first; lines[at]?.startsWith('|'); at++) {
    const [, names, value] = lines[at].split(/(?<!\\)\|/);
    let parent = '';
    for (const [, name] of names.matchAll(/`(\.?\w+(?:\.\w+)*)`/g)) {
      if (!name.startsWith('.')) parent = name.split('.')[0];
      rows.set(name.startsWith('.') ? parent + name : name, value);
    }
  }
  return rows;
}

function otherDefaults(where, rows) {
  return [...defaultsIn(RUN_CONFIG)]
    .filter(([name, value]) => rows.has(name) && plain(rows.get(name)) !== plain(value))
    .map(([name, value]) => `${where}: the default of ${name} is ${plain(value)} in ${RUN_CONFIG.path}.`);
}

/** The properties of the object in the initializer of a variable, with the texts of their values. */
function defaultsIn({ path, list }) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const objectOf = (node) =>
    ts.isObjectLiteralExpression(node) ? node : ts.forEachChild(node, (child) => objectOf(child));
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find((one) => one.name.getText() === list);
  return new Map(
    objectOf(declared.initializer).properties.map(({ name, initializer }) => [
      name.getText(),
      initializer.getText(),
    ]),
  );
}

/** A default without what only Markdown or TypeScript adds: `5_000`, `5,000` and `` `5000` `` are one. */
function plain(text) {
  const bare = text.trim().replace(/[`',_]/g, '');
  return bare === 'Object.freeze({})' ? 'none' : bare;
}
