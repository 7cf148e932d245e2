import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listFiles, listWorkspaces } from '../setup/workspace.mjs';

const INDEX = 'packages/docs/README.md';
const FILE = 'packages/docs/llms.txt';
const RAW = 'https://raw.githubusercontent.com/adorn-kit/adorn/main/';
const LISTED = /^(?:- |\d+\. )\[([^\]]+)\]\(([^)#]+\.md)\): (.+)$/gm;

/**
 * `llms.txt` lists the pages for programs that read documentation: those of the index with what it says of them, as they
 * begin with a program, and the READMEs of the packages with their first sentence. It is current, and the index has every
 * page of its folder, of the course, and of those for people of other kits.
 */
export function checkLlms() {
  const pages = listedPages();
  const text = llmsText(pages);
  const isCurrent = existsSync(FILE) && readFileSync(FILE, 'utf8') === text;
  const unlisted = listFiles('packages/docs').filter(
    (path) =>
      /^packages\/docs\/(coming-from\/|course\/)?[^/]+\.md$/.test(path) &&
      path !== INDEX &&
      !pages.some((page) => page.path === path),
  );
  return {
    what: `pages in ${FILE}`,
    count: pages.length,
    faults: [
      ...(isCurrent ? [] : [`${FILE} is not current: \`node scripts/checks/docs.mjs --update\` writes it.`]),
      ...unlisted.map((path) => `${INDEX} does not list ${path}.`),
    ],
  };
}

export function updateLlms() {
  writeFileSync(FILE, llmsText(listedPages()));
}

function listedPages() {
  const index = readFileSync(INDEX, 'utf8');
  return [...index.matchAll(LISTED)].map(([, title, target, text]) => ({
    title,
    path: join(dirname(INDEX), target),
    text,
  }));
}

function llmsText(pages) {
  const readmes = listWorkspaces()
    .filter(({ published }) => published)
    .map(({ folder }) => `${folder}/README.md`)
    .filter((readme) => !pages.some(({ path }) => path === readme))
    .map((path) => ({ title: titleOf(path), path, text: firstSentence(path) }));
  const sections = [
    ['Documents', pages],
    ['Packages', readmes],
  ].map(([title, listed]) => `## ${title}\n\n${listed.map(lineOf).join('\n')}\n`);
  return [`# ${titleOf('README.md')}\n`, `> ${proseOf('README.md')[0]}\n`, ...sections].join('\n');
}

function lineOf({ title, path, text }) {
  return `- [${title}](${RAW}${path}): ${text}`;
}

function titleOf(path) {
  return /^# (.+)$/m.exec(readFileSync(path, 'utf8'))[1];
}

/** The paragraphs of a page, each on one line, without links; no headings, code, tables or lists. */
function proseOf(path) {
  return readFileSync(path, 'utf8')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '' && !/^\s*(#|\||- |\d+\. | {4})/.test(block))
    .map((block) => block.trim().replace(/\s+/g, ' '))
    .map((block) => block.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
}

function firstSentence(path) {
  const [text = ''] = proseOf(path);
  return /^.*?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}
