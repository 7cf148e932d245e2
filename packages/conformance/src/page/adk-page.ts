import { mkdirSync } from 'node:fs';

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** Milliseconds that anything on the page may take. */
const LIMIT_MS = 8_000;

/** What adk-web asks for and takes as missing if the answer is 404, which Chromium reports. */
const MAY_BE_MISSING = /\/dev\/apps\/[^/]+\/builder(\?|$)/;

/** Google's adk-web in a browser, served by Adorn. What goes wrong in the background is noted. */
export class AdkPage {
  /** Errors of the console, and responses with a status of 500 and above, of all windows. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    context.setDefaultTimeout(LIMIT_MS);
    context.on('page', (opened) => this.watch(opened));
    this.watch(page);
  }

  /** Opens the page with the token, then as a user of its own: a credential is kept for a user. */
  static async open(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<AdkPage> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ['microphone', 'camera'],
    });
    // The page takes its fonts from Google's servers, which a test does not ask.
    await context.route(/fonts\.(gstatic|googleapis)\.com/, (route) => route.fulfill({ body: '' }));
    const adk = new AdkPage(context, await context.newPage());
    await adk.page.goto(url);
    await adk.page.goto(new URL(`/dev-ui/?app=support&userId=${theme}`, url).href);
    await adk.message.waitFor();
    if (theme === 'light') await adk.icon('light_mode').click();
    await adk.page.mouse.move(0, 0);
    await adk.page.locator('.mat-mdc-tooltip').waitFor({ state: 'detached' });
    return adk;
  }

  private watch(page: Page): void {
    page.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' && !MAY_BE_MISSING.test(url))
        this.faults.push(`console: ${message.text()} ${url}`);
    });
    page.on('pageerror', ({ message }) => {
      // What adk-web does not catch of the request that its own stop button aborts.
      if (message !== 'signal is aborted without reason') this.faults.push(`page: ${message}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.faults.push(`${String(response.status())} ${response.url()}`);
    });
  }

  /** Where a message is written. */
  get message(): Locator {
    return this.page.locator('textarea.chat-input-box');
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press('Enter');
  }

  /** Waits until the page shows the text. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).last().waitFor();
  }

  /** A button by the name of its icon. */
  icon(name: string): Locator {
    return this.page.locator('button:visible', { has: this.page.getByText(name, { exact: true }) }).first();
  }

  /** A chip of a call or a response. */
  chip(text: string): Locator {
    return this.page.locator('button.hover-info-button', { hasText: text });
  }

  /** A view of the side panel. */
  tab(name: 'Info' | 'State' | 'Artifacts' | 'Evals'): Locator {
    return this.page.locator('.mdc-tab', { hasText: name });
  }

  async openSessions(): Promise<void> {
    await this.page.locator('.selector-button:visible', { hasText: 'arrow_drop_down' }).nth(1).click();
    await this.shows('Select a Session');
  }

  async screenshot(folder: string, name: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: `${folder}/${name}.png` });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
