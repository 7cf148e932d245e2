import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listWorkspaces, readJson } from '../setup/workspace.mjs';

const FENCE = /^```[\s\S]*?^```/gm;
const LINK = /\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;
/** Where npm's readers find the files of the repository. */
const REPOSITORY = 'https://github.com/adorn-kit/adorn/blob/main/';
const NPM_SCRIPT = /\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g;

/**
 * Links lead to a file, and to a heading where they name one, also those into the repository at its host. The README of a
 * published package, which npm shows, has no relative link out of its package. Every npm script that is named is there.
 */
export function checkLinks(pages) {
  const links = pages.flatMap(linksOf);
  const scripts = pages.flatMap(scriptsOf);
  return {
    what: 'links and commands',
    count: links.length + scripts.length,
    faults: [...links.flatMap(faultsOfLink), ...scripts.flatMap(faultsOfScript)],
  };
}

function linksOf(page) {
  const prose = readFileSync(page, 'utf8')
    .replace(FENCE, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)]
    .map(([, target]) => ({ page, target }))
    .map(({ target, ...link }) =>
      target.startsWith(REPOSITORY)
        ? { ...link, target, base: '', local: target.slice(REPOSITORY.length) }
        : { ...link, target, base: dirname(page), local: target },
    )
    .filter(({ local }) => !/^[a-z]+:/.test(local));
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
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
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
