import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const INDEX = 'packages/docs/how/words.md';
const SOURCES = 'packages/core/src';
const DECLARED = /((?:`\w+`(?:, )?)+) in `([\w./-]+\.ts)`/g;
/** A file that a how-page names by its folder, such as `runner/run.ts`. */
const FILE = /`((?:[\w-]+\/)+[\w.-]+\.ts)`/g;

/**
 * Every line of the word index names a declaration, which is in the file that it names; and no word has two lines. The files
 * that the other how-pages name are there.
 */
export function checkWords(pages) {
  const rows = readFileSync(INDEX, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (---|word|verb) /.test(line));
  const files = pages
    .filter((page) => dirname(page) === dirname(INDEX) && page !== INDEX)
    .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(FILE)].map(([, file]) => ({ page, file })));
  return {
    what: 'words and files of the code',
    count: rows.length + files.length,
    faults: [...rows.flatMap(faultsOfRow), ...repeatedWords(rows), ...files.flatMap(faultsOfFile)],
  };
}

function faultsOfRow(row) {
  const [word, , where = ''] = cellsOf(row);
  const declarations = [...where.matchAll(DECLARED)];
  if (declarations.length === 0)
    return [`${INDEX}: "${word}" names no declaration. Write \`Name\` in \`folder/file.ts\`.`];
  return declarations.flatMap(([, names, file]) => {
    const path = [SOURCES, 'packages'].map((folder) => join(folder, file)).find((one) => existsSync(one));
    if (!path) return [`${INDEX}: "${word}" names ${file}, which is not in ${SOURCES} or packages.`];
    const text = readFileSync(path, 'utf8');
    return [...names.matchAll(/\w+/g)]
      .filter(([name]) => !isDeclared(text, name))
      .map(([name]) => `${INDEX}: "${word}" names ${name}, which ${file} does not declare.`);
  });
}

function repeatedWords(rows) {
  const words = rows.flatMap((row) => cellsOf(row)[0].split(', '));
  return words
    .filter((word, index) => words.indexOf(word) !== index)
    .map((word) => `${INDEX}: "${word}" has two lines. Give each word one meaning.`);
}

function faultsOfFile({ page, file }) {
  const folders = [SOURCES, 'packages', ''];
  return folders.some((folder) => existsSync(join(folder, file)))
    ? []
    : [`${page}: there is no ${file} in ${SOURCES}, packages or the repository.`];
}

/** True for a declaration at the top of the file, or for a member of a class. */
function isDeclared(text, name) {
  const top = `(?:class|interface|type|function\\*?|const)\\s+${name}\\b`;
  const member = `^  (?:(?:private|protected|override|async|static) )*${name}\\(`;
  return new RegExp(`${top}|${member}`, 'm').test(text);
}

function cellsOf(row) {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
