import { existsSync, readFileSync } from 'node:fs';

import ts from 'typescript';

const PAGE = 'packages/docs/errors.md';

/** The codes of all packages: `export const ERROR_CODES = ['…'] as const`. */
const LIST = 'packages/schema/src/errors/error-codes.ts';

/** Every code of the list is described, and nothing else is. */
export function compareCodes() {
  const listed = new Map(codesIn(LIST).map((code) => [code, LIST]));
  const described = describedCodes();
  return {
    what: 'codes',
    count: listed.size,
    faults: [...missing(listed, described), ...unknown(listed, described)],
  };
}

function codesIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const codes = [];
  const addTexts = (node) => {
    if (ts.isStringLiteral(node)) codes.push(node.text);
    else ts.forEachChild(node, addTexts);
  };
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText(source) === 'ERROR_CODES')
      ts.forEachChild(node, addTexts);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return codes;
}

/** The first cell of each row of a table. */
function describedCodes() {
  if (!existsSync(PAGE)) return [];
  return [...readFileSync(PAGE, 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, code]) => code);
}

function missing(listed, described) {
  return [...listed]
    .filter(([code]) => !described.includes(code))
    .map(
      ([code, path]) => `${PAGE}: ${code} (${path}) is not described. Add a row: what happened, what to do.`,
    );
}

function unknown(listed, described) {
  const gone = described.filter((code) => !listed.has(code));
  const twice = described.filter((code, index) => described.indexOf(code) !== index);
  return [
    ...gone.map((code) => `${PAGE}: ${code} is described, but no list of codes has it. Remove the row.`),
    ...twice.map((code) => `${PAGE}: ${code} is described twice.`),
  ];
}
