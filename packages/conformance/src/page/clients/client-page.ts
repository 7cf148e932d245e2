import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import type { FrontDesk } from '../../ui-streams/front-desk.js';

/** How long the page may take to show something. */
const LIMIT_MS = 10_000;
const BETWEEN_LOOKS_MS = 20;

/** The page of an application that is made with a client of others, in Chromium. It has the origin of its server. */
export class ClientPage implements AsyncDisposable {
  /** Errors of the console and of the page. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly address: string,
  ) {
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
  }

  /** @param program the bundled program of the page */
  static async open(browser: Browser, desk: FrontDesk, program: string): Promise<ClientPage> {
    const context = await browser.newContext({ extraHTTPHeaders: desk.headers });
    const { origin } = new URL(desk.url);
    const files = new Map([
      ['/client', { contentType: 'text/html', body: PAGE }],
      ['/client.js', { contentType: 'text/javascript', body: program }],
      ['/favicon.ico', { status: 204, body: '' }],
    ]);
    await context.route(
      ({ pathname }) => files.has(pathname),
      (route) => route.fulfill(files.get(new URL(route.request().url()).pathname)),
    );
    const page = new ClientPage(context, await context.newPage(), `${origin}/client`);
    await page.reload();
    return page;
  }

  /** Loads the page anew, as a person does who comes back. */
  async reload(): Promise<void> {
    await this.page.goto(this.address);
    await this.page.getByRole('textbox', { name: 'Message' }).waitFor();
  }

  /** Writes a message, and presses the button of that name. */
  async send(text: string, button = 'Send'): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text);
    await this.press(button);
  }

  /** Sends a message. @returns when the button was pressed, in milliseconds since 1970 */
  async sendTimed(text: string, button: string): Promise<number> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text);
    const pressed = this.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          addEventListener('click', () => resolve(Date.now()), { capture: true, once: true });
        }),
    );
    await this.press(button);
    return pressed;
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  /** The conversation as it is shown, a line for each text and call. */
  async shown(): Promise<string[]> {
    return this.page.locator('#conversation > li').allInnerTexts();
  }

  /** Waits until the page shows exactly these lines. */
  async shows(...lines: readonly string[]): Promise<void> {
    await this.until((shown) => JSON.stringify(shown) === JSON.stringify(lines)).catch(() => undefined);
    assert.deepEqual(await this.shown(), lines);
  }

  /** Waits until the lines of the page are as they should be. */
  async until(isMet: (shown: readonly string[]) => boolean): Promise<void> {
    const end = Date.now() + LIMIT_MS;
    while (!isMet(await this.shown())) {
      if (Date.now() > end) assert.fail(`The page shows\n${(await this.shown()).join('\n')}`);
      await setTimeout(BETWEEN_LOOKS_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Client</title>
<main id="root"></main>
<script type="module" src="/client.js"></script>`;
