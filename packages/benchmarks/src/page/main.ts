// The studio in Chromium: conversations, findings of axe, the size and speed of the page, and screenshots of every view.
//   npm run test:page [-- PATTERN]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { serve } from '@adorn/server';
import { type Browser, chromium } from 'playwright-core';

import { CONVERSATIONS } from './conversations.js';
import { takeScreenshots } from './screenshots.js';
import { openShop } from './shop.js';
import { StudioPage } from './studio-page.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SCREENSHOTS = `${ROOT}.work/studio`;
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const MOST_BYTES = 150 * 1024;
const FIRST_PAINT_MS = 1_000;

const counts = { passed: 0, failed: 0, skipped: 0 };

async function main(): Promise<void> {
  if (!existsSync(CHROMIUM)) {
    console.log(`There is no ${CHROMIUM}: install Chromium, or name another one with CHROMIUM.`);
    counts.skipped = Object.keys(CONVERSATIONS).length;
    return;
  }
  const pattern = process.argv[2] ?? '';
  await using runner = await openShop();
  await using server = await serve(runner, { port: 0 });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    for (const [name, play] of Object.entries(CONVERSATIONS))
      if (name.includes(pattern)) await check(name, () => converse(browser, server.pageUrl, play));
    if (pattern !== '' && !'screenshots size paint'.includes(pattern)) return;
    await check('the page has at most 150 KB gzip', checkSize);
    await check('the first paint is under 1 s', () => checkPaint(browser, server.pageUrl));
    await check('axe has no serious finding in any view, in both themes', async () => {
      const findings = await takeScreenshots(browser, server.pageUrl, SCREENSHOTS);
      if (findings.length > 0) throw new Error([...new Set(findings)].join('\n'));
    });
    console.log(`screenshots: ${SCREENSHOTS}`);
  } finally {
    await browser.close();
  }
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

await main();
console.log(
  `${String(counts.passed)} passed, ${String(counts.failed)} failed, ${String(counts.skipped)} skipped`,
);
process.exitCode = counts.failed > 0 ? 1 : 0;
