import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listWorkspaces, readJson } from '../setup/workspace.mjs';

const FENCE = /^```[\s\S]*?^```/gm;
const LINK = /\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;
/** A link with names in code in its text: what it leads to says something of each. */
const LINKED_NAMES = /\[([^\]]*`[^\]]*)\]\(([^)\s]+)[^)]*\)/g;
/** A name in code: an option, a function, a flag, or the last word of a path such as `retry.attempts`. */
const NAME = /`(?:@|--|(?:[\w$]+\.)+)?([A-Za-z_$][\w$-]*)(?:\(\))?`/g;
/** Where npm's readers find the files of the repository. */
const REPOSITORY = 'https://github.com/adorn-kit/adorn/blob/main/';
const NPM_SCRIPT = /\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g;

/**
 * Links lead to a file, and to a heading where they name one, also those into the repository at its host. A link whose text is a
 * name leads to a page, or to a section of one, that has the name. The README of a published package, which npm shows, has no
 * relative link out of its package. Every npm script that is named is there.
 */
export function checkLinks(pages) {
  const links = pages.flatMap(linksOf);
  const scripts = pages.flatMap(scriptsOf);
  return {
    what: 'links and commands',
    count: links.length + scripts.length,
    faults: [
      ...links.flatMap(faultsOfLink),
      ...pages.flatMap(namedLinksOf).flatMap(faultsOfNamedLink),
      ...scripts.flatMap(faultsOfScript),
    ],
  };
}

function linksOf(page) {
  const prose = readFileSync(page, 'utf8')
    .replace(FENCE, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)]
    .map(([, target]) => ({ page, target, ...placeOf(page, target) }))
    .filter(({ local }) => !/^[a-z]+:/.test(local));
}

function namedLinksOf(page) {
  const prose = readFileSync(page, 'utf8').replace(FENCE, '');
  return [...prose.matchAll(LINKED_NAMES)]
    .flatMap(([, text, target]) => [...text.matchAll(NAME)].map(([, name]) => ({ name, target })))
    .map(({ name, target }) => ({ page, name, target, ...placeOf(page, target) }))
    .filter(({ local }) => !/^[a-z]+:/.test(local));
}

/** A target as a path from a folder of the repository; that of another host is left as it is. */
function placeOf(page, target) {
  return target.startsWith(REPOSITORY)
    ? { base: '', local: target.slice(REPOSITORY.length) }
    : { base: dirname(page), local: target };
}

function faultsOfNamedLink({ page, name, target, base, local }) {
  const [path, anchor] = local.split('#');
  const file = path === '' ? page : join(base, decodeURIComponent(path));
  if (!existsSync(file) || !file.endsWith('.md')) return [];
  if (new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(sectionOf(file, anchor)))
    return [];
  return [
    `${page}: \`${name}\` links to ${target}, which says nothing of it. Link to where it is described.`,
  ];
}

/** The text below the heading with the anchor, up to the next heading of its level; without an anchor, the page. */
function sectionOf(file, anchor) {
  const text = readFileSync(file, 'utf8');
  if (anchor === undefined) return text;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && anchorOf(line.replace(/^#+ /, '')) === anchor);
  if (start === -1) return text;
  const [marks] = /^#+/.exec(lines[start]);
  const end = lines.findIndex(
    (line, index) => index > start && /^#+ /.test(line) && /^#+/.exec(line)[0].length <= marks.length,
  );
  return lines.slice(start, end === -1 ? undefined : end).join('\n');
}

function faultsOfLink({ page, target, base, local }) {
  const [path, anchor] = local.split('#');
  const file = path === '' ? page : join(base, decodeURIComponent(path));
  if (local === target && leavesPackage(page, file)) {
    return [`${page}: npm does not show ${target}. Link to ${REPOSITORY}${file}`];
  }
  if (!existsSync(file)) return [`${page}: there is no ${target}, which it links to.`];
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).includes(anchor)) return [];
  return [`${page}: ${file} has no heading #${anchor}, which it links to.`];
}

function leavesPackage(page, file) {
  const owner = listWorkspaces().find(({ folder }) => page === `${folder}/README.md`);
  return owner?.published === true && !file.startsWith(`${owner.folder}/`);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file) {
  const headings = readFileSync(file, 'utf8')
    .replace(FENCE, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading]) => anchorOf(heading));
}

function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function scriptsOf(page) {
  return [...readFileSync(page, 'utf8').matchAll(NPM_SCRIPT)].map(([, script]) => ({ page, script }));
}

function faultsOfScript({ page, script }) {
  const beside = join(dirname(page), 'package.json');
  const known = ['package.json', beside].filter((path) => existsSync(path));
  if (known.some((path) => readJson(path).scripts?.[script] !== undefined)) return [];
  return [`${page}: it names \`npm run ${script}\`, which no package.json has.`];
}
