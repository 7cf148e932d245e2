import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { copyPeer, installPeer, PEER_FOLDERS } from '../../install-peer/install-peer.js';
import type { FrontDesk } from '../../ui-streams/front-desk.js';
import { bundleProgram } from './bundle-program.js';
import { ClientPage } from './client-page.js';

/** The page of assistant-ui with its runtime for the AI SDK. */
export async function openAssistantUi(browser: Browser, desk: FrontDesk): Promise<ClientPage> {
  return open(browser, desk, '/client');
}

/** The page of assistant-ui with its runtime for AG-UI. */
export async function openAssistantUiByAgUi(browser: Browser, desk: FrontDesk): Promise<ClientPage> {
  return open(browser, desk, '/client?ag-ui');
}

async function open(browser: Browser, desk: FrontDesk, path: string): Promise<ClientPage> {
  await installPeer('assistant-ui');
  const folder = copyPeer('assistant-ui', PEER_FOLDERS, ['page.jsx']);
  const program = await bundleProgram(join(folder, 'page.jsx'));
  return ClientPage.open(browser, desk, program, { address: new URL(path, desk.url).href });
}
