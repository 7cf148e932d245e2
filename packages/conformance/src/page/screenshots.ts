import type { Browser } from 'playwright-core';

import { StudioPage } from './studio-page.js';

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 800 },
  { width: 360, height: 740 },
] as const;

/** Takes a picture of every view in both themes and all widths. Gives the serious findings of axe in the widest and the narrowest. */
export async function takeScreenshots(browser: Browser, url: string, folder: string): Promise<string[]> {
  const findings: string[] = [];
  for (const theme of THEMES)
    for (const { width, height } of SIZES) {
      const studio = await StudioPage.open(browser, url, { width, height, theme });
      const take = async (name: string): Promise<void> => {
        await studio.screenshot(folder, `${name}-${theme}-${String(width)}`);
        if (width !== 900) findings.push(...(await studio.findings()));
      };
      await takeAll(studio, width, take);
      findings.push(...studio.faults);
      await studio.close();
    }
  return findings;
}

async function takeAll(
  studio: StudioPage,
  width: number,
  take: (name: string) => Promise<void>,
): Promise<void> {
  await take('empty');
  await studio.send('Where is A-17?');
  await studio.settled();
  await studio.send('Can I return it?');
  await studio.settled();
  await take('handed-over');
  await studio.send('Tell me a long story');
  await studio.shows(studio.answer(), 'Sentence 2');
  await take('busy');
  await studio.settled();
  await newSession(studio);
  await studio.send('Note that Ada prefers mail');
  await studio.settled();
  await studio.send('Where is A-17?');
  await studio.settled();
  await studio.send('Refund A-17');
  await studio.button('Change arguments').waitFor();
  await studio.settled();
  await take('waiting');
  await studio.button('Change arguments').click();
  await take('edited');
  await openInspector(studio, width);
  await take('run');
  for (const view of ['State', 'Files', 'Evals', 'Agents'] as const) {
    await studio.open(view);
    await take(view.toLowerCase());
  }
  await studio
    .button(/^refund/)
    .last()
    .click();
  await take('playground');
  await studio.open('Run');
  await studio.page.locator('.step').nth(1).click();
  await take('event');
  await newSession(studio);
  await studio.send('Ask the warehouse');
  await studio.settled();
  await studio.send('Fail');
  await studio.settled();
  await take('failed');
  await newSession(studio);
  await studio.button('Talk to the agent').click();
  await studio.shows(studio.answer(), 'It is in Berlin');
  await studio.showsLevel();
  await take('live');
  await studio.button(/^End$/).click();
  await studio.page.locator('.live-bar').waitFor({ state: 'detached' });
  if (width < 900) {
    await studio.page.locator('.tabs').getByRole('button', { name: 'Sessions' }).click();
    await take('sessions');
  }
}

async function newSession(studio: StudioPage): Promise<void> {
  await studio.page.keyboard.press('Escape');
  await studio.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await studio.page.keyboard.press('n');
  await studio.page.locator('.start h1').waitFor();
}

async function openInspector(studio: StudioPage, width: number): Promise<void> {
  const inspect =
    width < 900
      ? studio.page.locator('.tabs').getByRole('button', { name: 'Inspect' })
      : studio.button('Inspector');
  if (width < 1200) await inspect.click();
  await studio.page.locator('.steps').waitFor();
}
