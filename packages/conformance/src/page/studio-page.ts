import { mkdirSync } from 'node:fs';

import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

/** Milliseconds that anything on the page may take. */
const LIMIT_MS = 8_000;

/** How a page is opened. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  /** A cookie of the browser, such as `user=ada`. Default: none. */
  readonly cookie?: string;
  /** What a person does on the page that is opened, before the studio is there. Default: nothing. */
  readonly before?: (page: Page) => Promise<void>;
  /** The time at which the page stands, in seconds since 1970. Default: that of the system, which goes on. */
  readonly now?: number;
}

/** The studio in a browser, as a person uses it. What goes wrong in the background is noted. */
export class StudioPage {
  /** Errors of the console, and responses with a status of 500 and above. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 500) this.faults.push(`${String(response.status())} ${response.url()}`);
    });
  }

  /** Opens the address of a server in a browser context of its own. */
  static async open(browser: Browser, url: string, options: PageOptions = {}): Promise<StudioPage> {
    const { width = 1440, height = 900, theme = 'light', cookie, now, before } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      hasTouch: width < 600,
      permissions: ['microphone'],
      ...(now !== undefined && { locale: 'en-GB', timezoneId: 'UTC' }),
    });
    if (now !== undefined) await context.clock.setFixedTime(now * 1000);
    if (cookie !== undefined) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
    }
    const studio = new StudioPage(context, await context.newPage());
    await studio.page.goto(url);
    await before?.(studio.page);
    await studio.page.locator('.start h1, .thread').first().waitFor();
    return studio;
  }

  async send(text: string): Promise<void> {
    const area = this.page.getByRole('textbox', { name: 'Message', exact: true });
    await area.fill(text);
    await area.press('Enter');
  }

  /** Waits until no run goes on. */
  async settled(): Promise<void> {
    await this.page.locator('[role="log"][aria-busy="false"]').waitFor();
  }

  /** The card of the last call of a tool. */
  card(tool: string): Locator {
    return this.page
      .locator('.call', { has: this.page.getByRole('button', { name: tool, exact: true }) })
      .last();
  }

  /** The last answer of an agent. */
  answer(): Locator {
    return this.page.locator('.answer').last();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** The button that answers the request that waits. */
  action(name: 'approve' | 'reject'): Locator {
    return this.page.locator(`[data-action="${name}"]`).last();
  }

  /** Opens a view of the inspector. */
  async open(view: 'Run' | 'State' | 'Files' | 'Agents' | 'Evals'): Promise<void> {
    await this.page.locator('.segments').getByRole('button', { name: view }).click();
  }

  /** Waits until the element has the text. */
  async shows(element: Locator, text: string): Promise<void> {
    await element.filter({ hasText: text }).waitFor();
  }

  /** Waits until the meter of the microphone shows the tone that Chromium plays each second. */
  async showsLevel(): Promise<void> {
    await this.page.waitForFunction(() => document.querySelectorAll('.level .is-lit').length > 5);
  }

  async screenshot(folder: string, name: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: `${folder}/${name}.png` });
  }

  /** Serious findings of axe on the page as it is. */
  async findings(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, help, nodes }) =>
          `axe ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      );
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}
