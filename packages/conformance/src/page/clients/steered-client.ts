import { fileURLToPath } from 'node:url';

import type { Browser } from 'playwright-core';

import type { FrontDesk } from '../../ui-streams/front-desk.js';
import { bundleProgram } from './bundle-program.js';
import { ClientPage } from './client-page.js';

/** The page of a client, and what it shows. */
export interface SteeredClient {
  /** A file beside this one. */
  readonly program: string;
  /** The call of `count_stock` while it runs, and with its result. */
  readonly running: string;
  readonly counted: readonly string[];
  /** The call that a message took the place of: as the page shows it, and after a reload. */
  readonly cancelled: readonly string[];
  readonly cancelledLater: readonly string[];
  /** Where a message waits that is to be read next: in the mailbox of the session, or on the page. */
  readonly queue: 'mailbox' | 'page';
}

export const USE_CHAT: SteeredClient = {
  program: './use-chat.program.js',
  running: 'count_stock input-available',
  counted: ['count_stock output-available'],
  cancelled: ['count_stock output-error', 'CANCELLED'],
  cancelledLater: ['count_stock output-error', 'CANCELLED'],
  queue: 'mailbox',
};

export const AG_UI: SteeredClient = {
  program: './ag-ui.program.js',
  running: 'call count_stock',
  counted: ['call count_stock', 'result {"count":7}'],
  cancelled: ['call count_stock'],
  cancelledLater: ['call count_stock', 'failed'],
  queue: 'page',
};

/** Opens the page of a client. */
export async function openPage(
  browser: Browser,
  desk: FrontDesk,
  { program }: SteeredClient,
): Promise<ClientPage> {
  const entry = fileURLToPath(new URL(program, import.meta.url));
  return ClientPage.open(browser, desk, await bundleProgram(entry));
}
