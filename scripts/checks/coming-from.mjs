import { existsSync, readFileSync } from 'node:fs';

import { listFiles, listWorkspaces, readJson } from '../setup/workspace.mjs';

const FOLDER = 'packages/docs/coming-from';
/** The names that a kit publishes, by the page that has a row for each of them. */
const NAMES = `${FOLDER}/names.json`;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;
const QUOTED = /'[^']*'|"[^"]*"/g;

/**
 * The pages for people who know another kit have tables whose first column is of that kit, and whose second column is of
 * Adorn. Each name of `names.json` is in a first column of its page. Each identifier in the code of a second column is in
 * the sources that packages publish, so that a name that changes is found here.
 */
export function checkComingFrom() {
  const pages = listFiles(FOLDER).filter((path) => path.endsWith('.md'));
  const known = publishedWords();
  const names = Object.entries(readJson(NAMES));
  return {
    what: 'names of other kits',
    count: names.reduce((sum, [, list]) => sum + list.length, 0),
    faults: [
      ...names.flatMap(([page, list]) => missingNames(`${FOLDER}/${page}`, list)),
      ...pages.flatMap((page) => unknownWords(page, known)),
    ],
  };
}

function missingNames(page, names) {
  if (!existsSync(page)) return [`${NAMES} names ${page}, which does not exist.`];
  const listed = rowsOf(page).flatMap(([theirs]) => codeIn(theirs));
  return names
    .filter((name) => !listed.some((code) => hasWord(code, name)))
    .map((name) => `${page}: no row has \`${name}\`, which ${NAMES} lists.`);
}

function unknownWords(page, known) {
  return rowsOf(page)
    .flatMap(([, ours]) => codeIn(ours))
    .flatMap((code) => (code.replace(QUOTED, '').match(IDENTIFIER) ?? []).map((word) => ({ code, word })))
    .filter(({ word }) => !known.has(word))
    .map(({ code, word }) => `${page}: \`${code}\` names ${word}, which no package publishes.`);
}

/** The rows of all tables of the page, without their heads: the cells of each. */
function rowsOf(page) {
  const lines = readFileSync(page, 'utf8').split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
}

function isRule(line = '') {
  return /^\|( ?:?-+:? ?\|)+$/.test(line.trim());
}

function codeIn(cell = '') {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
}

function hasWord(code, name) {
  const at = code.indexOf(name);
  if (at < 0) return false;
  const isFree = !/\w/.test(code[at - 1] ?? '') && !/\w/.test(code[at + name.length] ?? '');
  return isFree || hasWord(code.slice(at + 1), name);
}

/** All words in the sources of published packages, but for their specs. */
function publishedWords() {
  const sources = listWorkspaces()
    .filter(({ published }) => published)
    .flatMap(({ folder }) => listFiles(`${folder}/src`))
    .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(path));
  return new Set(sources.flatMap((path) => readFileSync(path, 'utf8').match(IDENTIFIER) ?? []));
}
