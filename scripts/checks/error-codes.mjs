import { readFileSync, writeFileSync } from 'node:fs';

import ts from 'typescript';

const PAGE = 'packages/docs/errors.md';
const HEAD = ['| code | what happened | what to do |', '| --- | --- | --- |'];

/** The sections of the page, each with its codes and the two sentences of each: `ERROR_SECTIONS`. */
const CATALOGUE = 'packages/schema/src/errors/error-catalogue.ts';

/** The tables of the page are those of the catalogue, whose type has every code. */
export function compareCodes() {
  const sections = sectionsOfCatalogue();
  const codes = sections.flatMap(({ rows }) => rows.map(([code]) => code));
  const twice = codes.filter((code, index) => codes.indexOf(code) !== index);
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  return {
    what: 'codes',
    count: codes.length,
    faults: [
      ...twice.map((code) => `${CATALOGUE}: ${code} is in two sections.`),
      ...sections.flatMap((section) => faultsOf(section, lines)),
      ...strangers(lines, codes),
    ],
  };
}

/** Writes the tables of the page from the catalogue. */
export function updateCodes() {
  let lines = readFileSync(PAGE, 'utf8').split('\n');
  for (const section of sectionsOfCatalogue()) {
    const { first, end } = placeOf(section, lines);
    if (first > 0) lines = [...lines.slice(0, first), ...tableOf(section), ...lines.slice(end)];
  }
  writeFileSync(PAGE, lines.join('\n'));
}

function faultsOf(section, lines) {
  const { first, end } = placeOf(section, lines);
  if (first === 0) return [`${PAGE}: there is no table of codes below "## ${section.heading}".`];
  const shown = lines.slice(first, end);
  const wanted = tableOf(section);
  const at = wanted.findIndex((line, index) => shown[index] !== line);
  if (at === -1 && shown.length === wanted.length) return [];
  const line = wanted[at] ?? shown[wanted.length];
  return [
    `${PAGE}, "${section.heading}": its table is not that of ${CATALOGUE}, first in \`${line}\`. ` +
      '`node scripts/checks/docs.mjs --update` writes it.',
  ];
}

/** Rows for codes that the catalogue does not have. */
function strangers(lines, codes) {
  return lines
    .flatMap((line) => /^\| `([A-Z][A-Z0-9_]*)` \|/.exec(line)?.[1] ?? [])
    .filter((code) => !codes.includes(code))
    .map((code) => `${PAGE}: ${code} is described, but ${CATALOGUE} does not have it. Remove the row.`);
}

function tableOf({ rows }) {
  return [...HEAD, ...rows.map(([code, happened, cure]) => `| \`${code}\` | ${happened} | ${cure} |`)];
}

/** The lines of a section's table, from its head; both 0 if it has none. */
function placeOf({ heading }, lines) {
  const start = lines.indexOf(`## ${heading}`);
  const first =
    start === -1 ? -1 : lines.findIndex((line, index) => index > start && line.startsWith('| code |'));
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  if (first === -1 || (next !== -1 && first > next)) return { first: 0, end: 0 };
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return { first, end };
}

/** Read from the source, so that the page can be checked without a build. */
function sectionsOfCatalogue() {
  const source = ts.createSourceFile(
    CATALOGUE,
    readFileSync(CATALOGUE, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const objects = new Map();
  for (const { declarationList } of source.statements.filter(ts.isVariableStatement))
    for (const { name, initializer } of declarationList.declarations)
      objects.set(
        name.getText(),
        ts.isSatisfiesExpression(initializer) ? initializer.expression : initializer,
      );
  return objects.get('ERROR_SECTIONS').properties.map((section) => ({
    heading: section.name.text,
    rows: objects.get(section.initializer.getText()).properties.map(rowOf),
  }));
}

function rowOf(property) {
  const [happened, cure] = ['happened', 'cure'].map((name) =>
    textOf(property.initializer.properties.find((field) => field.name.getText() === name).initializer),
  );
  return [property.name.getText(), happened, cure];
}

/** A text, or texts joined by `+`. */
function textOf(node) {
  return ts.isBinaryExpression(node) ? textOf(node.left) + textOf(node.right) : node.text;
}
