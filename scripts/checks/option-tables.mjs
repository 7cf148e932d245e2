import { readFileSync } from 'node:fs';

import ts from 'typescript';

const PAGE = 'packages/adorn/README.md';

const CORE = 'packages/core/src';

/** A table of the page by the beginning of its first row, and the list by which the code refuses other options. */
const TABLES = [
  {
    head: '| option of `@tool` |',
    path: `${CORE}/tools/tool-options.ts`,
    list: 'TOOL_OPTIONS',
    but: ['run'],
  },
  { head: '| option of `@agent` |', path: `${CORE}/agents/agent-options.ts`, list: 'AGENT_OPTIONS' },
  { head: '| option |', path: `${CORE}/app/create-runner.ts`, list: 'OPTIONS' },
  {
    head: '| `RunConfig` |',
    path: `${CORE}/run/run-config.ts`,
    list: 'DEFAULT_RUN_CONFIG',
    hasDefaults: true,
  },
  {
    head: '| option of `compaction` |',
    path: `${CORE}/compaction/events-compaction-config.ts`,
    list: 'OPTIONS',
  },
];

/** Each table has every option that the code accepts, and no other; a default is that of the code where it states one. */
export function compareOptions() {
  const compared = TABLES.map(compareTable);
  return {
    what: 'options',
    count: compared.reduce((sum, { count }) => sum + count, 0),
    faults: compared.flatMap(({ faults }) => faults),
  };
}

function compareTable({ head, path, list, but = [], hasDefaults = false }) {
  const described = rowsBelow(head);
  const accepted = optionsIn(path, list);
  for (const name of but) accepted.delete(name);
  const where = `${PAGE}, table "${head}"`;
  const missing = [...accepted.keys()].filter((name) => !described.has(name));
  const unknown = [...described.keys()].filter((name) => !accepted.has(name));
  const others = [...accepted].filter(
    ([name, value]) => hasDefaults && described.has(name) && plain(described.get(name)) !== plain(value),
  );
  return {
    count: accepted.size,
    faults: [
      ...missing.map((name) => `${where}: ${name} of ${path} is missing`),
      ...unknown.map((name) => `${where}: ${path} has no option ${name}`),
      ...others.map(([name, value]) => `${where}: the default of ${name} is ${plain(value)} in ${path}`),
    ],
  };
}

/** The names in the first cell of each row, with the second cell. */
function rowsBelow(head) {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(head)) + 2;
  const rows = new Map();
  for (let at = first; first > 1 && lines[at]?.startsWith('|'); at++) {
    const [, names, value] = lines[at].split(/(?<!\\)\|/);
    for (const [, name] of names.matchAll(/`(\w+)`/g)) rows.set(name, value);
  }
  return rows;
}

/** The properties of the object in the initializer of a variable, with the texts of their values; spreads are followed. */
function optionsIn(path, list) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const objectOf = (node) =>
    ts.isObjectLiteralExpression(node) ? node : ts.forEachChild(node, (child) => objectOf(child));
  const found = new Map();
  const read = (name) => {
    const declared = source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find((one) => one.name.getText() === name);
    for (const property of objectOf(declared.initializer).properties) {
      if (ts.isSpreadAssignment(property)) read(property.expression.getText());
      else found.set(property.name.getText(), property.initializer.getText());
    }
  };
  read(list);
  return found;
}

/** A default without what only Markdown or TypeScript adds: `5_000`, `5,000` and `` `5000` `` are one. */
function plain(text) {
  const bare = text.trim().replace(/[`',_]/g, '');
  return bare === 'Object.freeze({})' ? 'none' : bare;
}
