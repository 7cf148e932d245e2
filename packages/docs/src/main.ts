// The site of the documents: copies the pages, writes the reference with TypeDoc, builds them with VitePress, looks for dead links, asks
// the search, measures the accessibility, serves what was built.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { runCommand } from '@adorn/conformance/command-line/run-command';
import { installPeer } from '@adorn/conformance/install-peer/install-peer';

import { measurePages } from './accessibility.js';
import { AUDITED_PAGES } from './audited-pages.js';
import { loadBuiltSearch } from './built-search.js';
import { findDeadLinks } from './dead-links.js';
import { DOCUMENTS, PAGES, ROOT, SITE, WORKSHOP } from './folders.js';
import { findMissedQuestions } from './missed-questions.js';
import { HELP, parseOptions, type SiteOptions } from './options.js';
import { listPagePaths } from './page-paths.js';
import { QUESTIONS } from './questions.js';
import { writeReference } from './reference.js';

/** What is used here of VitePress, which is no dependency of this package. */
interface VitePress {
  build(root: string): Promise<void>;
  serve(options: { root: string; port: number }): Promise<{ readonly server: Server }>;
}

/** The configuration and the theme of VitePress. */
const SETTINGS = '.vitepress';
const IMAGES = 'packages/docs/images';
const ICON = 'packages/studio/src/icon.svg';

async function main({ check, lighthouse, serve, port }: SiteOptions): Promise<void> {
  const vitepress = await loadVitePress();
  copyPages();
  await writeReference(`${PAGES}/reference`);
  await vitepress.build(WORKSHOP);
  const faults = reportDeadLinks() + (await reportMissedQuestions());
  if (check && faults > 0) process.exitCode = 1;
  if (!serve && !lighthouse) return;
  const served = await vitepress.serve({ root: WORKSHOP, port });
  if (lighthouse && (await reportAccessibility(`http://localhost:${String(port)}`)) > 0) process.exitCode = 1;
  if (!serve) served.server.close();
}

async function loadVitePress(): Promise<VitePress> {
  await installPeer(basename(WORKSHOP), { sources: DOCUMENTS, installed: dirname(WORKSHOP) });
  cpSync(`${DOCUMENTS}/${basename(WORKSHOP)}/${SETTINGS}`, `${WORKSHOP}/${SETTINGS}`, { recursive: true });
  const entry = createRequire(`${WORKSHOP}/package.json`).resolve('vitepress');
  return (await import(pathToFileURL(entry).href)) as VitePress;
}

function copyPages(): void {
  rmSync(PAGES, { recursive: true, force: true });
  for (const path of [...listPagePaths(ROOT), IMAGES])
    cpSync(ROOT + path, `${PAGES}/${path}`, { recursive: true });
  cpSync(ROOT + ICON, `${PAGES}/public/icon.svg`);
}

/** @returns how many there are */
function reportDeadLinks(): number {
  const paths = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'));
  const dead = findDeadLinks({
    pages: new Map(paths.map((path) => [path, readFileSync(`${SITE}/${path}`, 'utf8')])),
    hasFile: (path) => existsSync(`${SITE}/${path}`),
    hasSource: (path) => existsSync(ROOT + path),
  });
  for (const sentence of dead) console.error(sentence);
  console.log(`${String(paths.length)} pages, ${String(dead.length)} dead links`);
  return dead.length;
}

/** @returns how many there are */
async function reportMissedQuestions(): Promise<number> {
  const missed = findMissedQuestions(QUESTIONS, await loadBuiltSearch());
  for (const sentence of missed) console.error(sentence);
  console.log(
    `${String(QUESTIONS.length)} questions, ${String(missed.length)} without their page in the first results`,
  );
  return missed.length;
}

/** @returns how many scores are below 100 */
async function reportAccessibility(origin: string): Promise<number> {
  let count = 0;
  for await (const { page, look, score, faults } of measurePages(origin, AUDITED_PAGES)) {
    console.log(`${String(score).padStart(3)}  ${page.name} (${page.path}; ${look})`);
    if (score === 100) continue;
    count++;
    for (const sentence of faults) console.error(`     ${sentence}`);
  }
  console.log(`${String(AUDITED_PAGES.length)} pages, ${String(count)} scores of accessibility below 100`);
  return count;
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run docs -- --help" says what there is.',
  usageCode: 2,
});
