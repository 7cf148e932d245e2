import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import type { FrontDesk } from '../../ui-streams/front-desk.js';

/** How long the page may take to show something. */
const LIMIT_MS = 10_000;
const BETWEEN_LOOKS_MS = 20;

/** Where a page is, and the server that is closed with it. */
export interface ClientPlace {
  readonly address?: string;
  readonly server?: AsyncDisposable;
}

/** The page of an application that is made with a client of others, in Chromium. Its files come from no server. */
export class ClientPage implements AsyncDisposable {
  /** Errors of the console and of the page. */
  readonly faults: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly address: string,
    private readonly server: AsyncDisposable | undefined,
  ) {
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
  }

  /**
   * @param program the bundled program of the page
   * @param place where the page is, at the server of the desk by default, and what is closed with it
   */
  static async open(
    browser: Browser,
    desk: FrontDesk,
    program: string,
    { address = new URL('/client', desk.url).href, server }: ClientPlace = {},
  ): Promise<ClientPage> {
    const context = await browser.newContext({ extraHTTPHeaders: desk.headers });
    const files = new Map([
      ['/client', { contentType: 'text/html', body: PAGE }],
      ['/client.js', { contentType: 'text/javascript', body: program }],
      ['/favicon.ico', { status: 204, body: '' }],
    ]);
    await context.route(
      ({ pathname }) => files.has(pathname),
      (route) => route.fulfill(files.get(new URL(route.request().url()).pathname)),
    );
    const page = new ClientPage(context, await context.newPage(), address, server);
    try {
      await page.reload();
      return page;
    } catch (error) {
      await page[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Loads the page anew, as a person does who comes back. */
  async reload(): Promise<void> {
    await this.page.goto(this.address);
    await this.page.getByRole('textbox').waitFor();
  }

  /** Writes a message, and presses Enter. */
  async say(text: string): Promise<void> {
    const box = this.page.getByRole('textbox');
    await box.fill(text);
    await box.press('Enter');
  }

  /** Waits until the page has a text. */
  async sees(text: string): Promise<void> {
    await this.page.getByText(text, { exact: true }).last().waitFor();
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

  /** Waits until a button is there. */
  async offers(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).waitFor();
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
    await this.server?.[Symbol.asyncDispose]();
  }
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Client</title>
<main id="root"></main>
<script type="module" src="/client.js"></script>`;
