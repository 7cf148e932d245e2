// The studio, adk-web and clients of others in Chromium: conversations, findings of axe, the size and speed of the page, and
// screenshots of every view.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import type { Runner } from '@adorn/core';
import { InMemoryEvalStore } from '@adorn/eval';
import { serve } from '@adorn/server';
import { freePort } from '@adorn/testing/servers';
import { type Browser, chromium } from 'playwright-core';

import { installPeer } from '../install-peer/install-peer.js';
import { messageOf } from '../message-of.js';
import { ADK_CONVERSATIONS } from './adk-conversations.js';
import { adkPageFolder } from './adk-folder.js';
import { AdkPage } from './adk-page.js';
import { findChromium } from './chromium.js';
import { CLIENTS } from './clients/clients.js';
import { ConsentProvider } from './consent-provider.js';
import { CONVERSATIONS } from './conversations.js';
import { showReport } from './eval-report.js';
import { playMcpApps } from './mcp-apps/play-mcp-apps.js';
import { keepPictures } from './pictures/kept-pictures.js';
import { playExpenseDesk, playSupportDesk } from './sample-desks.js';
import { takeScreenshots } from './screenshots.js';
import { openShop } from './shop.js';
import { playSignIn } from './sign-in.js';
import { StudioPage } from './studio-page.js';
import { approveForAnother } from './two-people.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SCREENSHOTS = `${ROOT}.work/studio`;
/** Chromium plays a tone as its microphone, and asks nobody for it. */
const ARGUMENTS = ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
const THEMES = ['light', 'dark'] as const;
const MOST_BYTES = 150 * 1024;
const FIRST_PAINT_MS = 1_000;

/** Conversations in which one person asks, and others answer. */
const DESKS: Readonly<Record<string, (browser: Browser, runner: Runner) => Promise<void>>> = {
  'studio: one approves what the other asked': approveForAnother,
  'studio: a page of an MCP server': playMcpApps,
  'studio: the desk of the sample support': playSupportDesk,
  'studio: the expense desk of the guides': playExpenseDesk,
  'studio: behind a sign-in page': playSignIn,
};

const PICTURES = 'studio: the pictures of the documents show what it is';
const REPORT = 'the report of evaluations is one file, in both themes';

const counts = { passed: 0, failed: 0, skipped: 0 };

const HELP = `Tries the studio, adk-web and pages made with clients of others in Chromium: conversations, findings of axe, the size and the
speed of the page. Screenshots of every view in both themes are kept in .work/studio. Three to five minutes. The
pictures of the studio in the documents are compared loosely; with PICTURES=write in the environment they are taken anew.

Usage:
  npm run test:page [-- PATTERN]

  PATTERN     only conversations whose name has this text
  --help, -h  this text

Debian's Chromium is installed where this process may do so; CHROMIUM names another one.
`;

async function main(pattern: string): Promise<void> {
  const executablePath = findChromium();
  await using provider = await ConsentProvider.open();
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  provider.redirectUris.push(`${origin}/`, `${origin}/dev-ui/`);
  await using runner = await openShop(provider.auth(`${origin}/`));
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  try {
    await checkStudio(browser, runner, { port, pattern });
    await checkAdkWeb(browser, runner, { port, pattern });
    if (REPORT.includes(pattern)) await check(REPORT, () => showReport(browser, SCREENSHOTS));
    await checkClients(browser, pattern);
  } finally {
    await browser.close();
  }
}

interface Place {
  readonly port: number;
  /** A part of the names of what is checked. */
  readonly pattern: string;
}

async function checkStudio(browser: Browser, runner: Runner, { port, pattern }: Place): Promise<void> {
  await using server = await serve(runner, { port, evals: { store: new InMemoryEvalStore() } });
  for (const [name, play] of Object.entries(CONVERSATIONS))
    if (`studio: ${name}`.includes(pattern))
      await check(`studio: ${name}`, () => converse(browser, server.pageUrl, play));
  for (const [name, play] of Object.entries(DESKS))
    if (name.includes(pattern)) await check(name, () => play(browser, runner));
  if (PICTURES.includes(pattern)) await check(PICTURES, () => keepPictures(browser));
  if (pattern !== '' && !'screenshots size paint'.includes(pattern)) return;
  await check('the page has at most 150 KB gzip', checkSize);
  await check('the first paint is under 1 s', () => checkPaint(browser, server.pageUrl));
  await check('axe has no serious finding in any view, in both themes', async () => {
    const findings = await takeScreenshots(browser, server.pageUrl, SCREENSHOTS);
    if (findings.length > 0) throw new Error([...new Set(findings)].join('\n'));
  });
  console.log(`screenshots: ${SCREENSHOTS}`);
}

async function checkAdkWeb(browser: Browser, runner: Runner, { port, pattern }: Place): Promise<void> {
  const chosen = Object.entries(ADK_CONVERSATIONS).filter(([name]) => `adk-web: ${name}`.includes(pattern));
  if (chosen.length === 0) return;
  const found = await adkPageFolder();
  if ('why' in found) {
    console.log(`adk-web is left out: ${found.why}`);
    counts.skipped += chosen.length;
    return;
  }
  await using server = await serve(runner, {
    port,
    adkPage: found.folder,
    evals: { store: new InMemoryEvalStore() },
  });
  for (const [name, play] of chosen)
    await check(`adk-web: ${name}`, async () => {
      for (const theme of THEMES) {
        const adk = await AdkPage.open(browser, server.pageUrl, theme);
        await play(adk).finally(() => adk.screenshot(SCREENSHOTS, `adk-web-${fileNameOf(name)}-${theme}`));
        const { faults } = adk;
        await adk.close();
        if (faults.length > 0) throw new Error(faults.join('\n'));
      }
    });
}

async function checkClients(browser: Browser, pattern: string): Promise<void> {
  for (const [name, { play, peer }] of Object.entries(CLIENTS)) {
    if (!name.includes(pattern)) continue;
    const why = peer === undefined ? undefined : await whyNotInstalled(peer);
    if (why === undefined) await check(name, () => play(browser));
    else {
      counts.skipped++;
      console.log(`left out ${name}: ${why}`);
    }
  }
}

async function whyNotInstalled(peer: string): Promise<string | undefined> {
  try {
    await installPeer(peer);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function fileNameOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]+/g, '-');
}

async function check(name: string, run: () => Promise<void> | void): Promise<void> {
  const started = performance.now();
  try {
    await run();
    counts.passed++;
    console.log(`ok      ${name} (${String(Math.round(performance.now() - started))} ms)`);
  } catch (error) {
    counts.failed++;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

async function converse(
  browser: Browser,
  url: string,
  play: (studio: StudioPage) => Promise<void>,
): Promise<void> {
  const studio = await StudioPage.open(browser, url);
  try {
    await play(studio);
    if (studio.faults.length > 0) throw new Error(studio.faults.join('\n'));
  } catch (error) {
    await studio.screenshot(SCREENSHOTS, 'failed');
    throw error;
  } finally {
    await studio.close();
  }
}

function checkSize(): void {
  const folder = `${ROOT}packages/server/page`;
  const files = [
    `${folder}/index.html`,
    ...readdirSync(`${folder}/assets`).map((name) => `${folder}/assets/${name}`),
  ];
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  console.log(`        ${(bytes / 1024).toFixed(1)} KB gzip`);
  if (bytes > MOST_BYTES) throw new Error(`The page has ${String(bytes)} bytes.`);
}

async function checkPaint(browser: Browser, url: string): Promise<void> {
  const studio = await StudioPage.open(browser, url);
  const time = await studio.page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
  );
  await studio.close();
  console.log(`        first contentful paint after ${time.toFixed(0)} ms`);
  if (time > FIRST_PAINT_MS) throw new Error(`The first paint took ${String(time)} ms.`);
}

const [pattern = ''] = process.argv.slice(2);
if (['--help', '-h'].includes(pattern)) console.log(HELP);
else {
  await main(pattern);
  const { passed, failed, skipped } = counts;
  if (passed + failed + skipped === 0) console.log(`No conversation has "${pattern}" in its name.`);
  console.log(`${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
