import { findChromium } from '@adorn/conformance/page/chromium';

import { accessibilityFaults, accessibilityScore } from './accessibility-faults.js';
import type { AuditedPage } from './audited-pages.js';
import { type Browser, loadLighthouse, type Page } from './lighthouse.js';

/** The accessibility of a page in one look, as Lighthouse measures it. */
export interface PageScore {
  readonly page: AuditedPage;
  readonly look: string;
  /** From 0 to 100. */
  readonly score: number;
  /** A sentence for each rule that is broken. */
  readonly faults: readonly string[];
}

/** How a page is shown. */
interface Look {
  readonly theme: 'light' | 'dark';
  readonly screen: keyof typeof SCREENS;
}

const SCREENS = { wide: { width: 1350, height: 940 }, phone: { width: 412, height: 823 } };
const LOOKS: readonly Look[] = [
  { theme: 'light', screen: 'wide' },
  { theme: 'dark', screen: 'wide' },
  { theme: 'light', screen: 'phone' },
];

const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What Lighthouse looks for, at the page as it is shown. */
const AUDIT = { flags: { onlyCategories: ['accessibility'], screenEmulation: { disabled: true } } };

/**
 * Measures the accessibility of pages in Chromium: each in both themes on a wide screen, and on that of a phone.
 *
 * @param origin where the site is served: `http://localhost:4173`
 */
export async function* measurePages(
  origin: string,
  pages: readonly AuditedPage[],
): AsyncGenerator<PageScore, void, undefined> {
  const { lighthouse, puppeteer } = await loadLighthouse();
  const browser = await puppeteer.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    for (const page of pages)
      for (const look of LOOKS) {
        const shown = await openPage(browser, origin + page.path, look);
        if (page.search !== undefined) await search(shown, page.search);
        const result = await lighthouse.snapshot(shown, AUDIT);
        await shown.close();
        if (result === undefined) throw new Error(`Lighthouse has no result for ${page.path}.`);
        const [score, faults] = [accessibilityScore(result.lhr), accessibilityFaults(result.lhr)];
        yield { page, look: `${look.theme}, ${look.screen}`, score, faults };
      }
  } finally {
    await browser.close();
  }
}

async function openPage(browser: Browser, url: string, { theme, screen }: Look): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport(SCREENS[screen]);
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.goto(url, { waitUntil: 'networkidle0' });
  await page.waitForSelector(theme === 'dark' ? 'html.dark' : 'html:not(.dark)');
  return page;
}

/** Opens the search of a page, and waits for its results. */
async function search(page: Page, words: string): Promise<void> {
  await (await page.waitForSelector('.VPNavBarSearch button')).click();
  await (await page.waitForSelector('.VPLocalSearchBox input')).type(words);
  await page.waitForSelector('.VPLocalSearchBox .result');
}
