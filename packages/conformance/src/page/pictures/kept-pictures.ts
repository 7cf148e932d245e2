import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Browser, Page } from 'playwright-core';

import { differenceOf } from './difference.js';
import { STATES, withState } from './states.js';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/studio/', import.meta.url));
const QUALITY = 85;
/** The share of a picture that may differ: other fonts change 2 % at most, other conversations 4 % and more. */
const MOST_CHANGED = 0.03;

/**
 * Holds the pictures of the studio in the documents against the studio. With `PICTURES=write` in the environment they are
 * taken anew.
 *
 * @throws {Error} that names each picture of another size, or that shows something else
 */
export async function keepPictures(browser: Browser): Promise<void> {
  const stale: string[] = [];
  for (const [name, state] of Object.entries(STATES))
    await withState(browser, state, async ({ page }) => {
      const file = `${FOLDER}${name}.webp`;
      const taken = await pictureOf(page);
      if (process.env['PICTURES'] === 'write') await renew(browser, file, taken);
      const fault = await faultOf(browser, file, taken);
      if (fault !== undefined) stale.push(`${name}.webp ${fault}`);
    });
  if (stale.length === 0) return;
  const renewal = 'PICTURES=write npm run test:page -- "the pictures of the documents"';
  throw new Error(`${stale.join('\n')}\n${renewal} takes them anew.`);
}

/** @returns what is wrong with the kept picture */
async function faultOf(browser: Browser, file: string, taken: Buffer): Promise<string | undefined> {
  const changed = await differenceOf(browser, { one: readFileSync(file), other: taken, square: 20 });
  if (changed === undefined) return 'has another size';
  return changed > MOST_CHANGED ? `differs in ${(100 * changed).toFixed(0)} % of its area` : undefined;
}

/** Writes a picture, unless nobody sees how it differs from the kept one: Chromium does not draw every edge twice alike. */
async function renew(browser: Browser, file: string, taken: Buffer): Promise<void> {
  const kept = existsSync(file) ? readFileSync(file) : undefined;
  if (kept && (await differenceOf(browser, { one: kept, other: taken, square: 1 })) === 0) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, taken);
}

/** What the page shows, as WebP: Chromium writes it, and Playwright has no option for it. */
async function pictureOf(page: Page): Promise<Buffer> {
  await page.mouse.move(0, 0);
  await page.evaluate(rest);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

/** Nothing is focused, and nothing moves. Runs in the browser. */
function rest(): void {
  (document.activeElement as HTMLElement | null)?.blur();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}
