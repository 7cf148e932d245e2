import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { copyPeer, installPeer, PEER_FOLDERS } from '../../install-peer/install-peer.js';
import type { FrontDesk } from '../../ui-streams/front-desk.js';
import { SampleProcess } from '../sample-process.js';
import { bundleProgram } from './bundle-program.js';
import { ClientPage } from './client-page.js';

/** CopilotKit's page and runtime, installed. */
async function openFolder(): Promise<string> {
  await installPeer('copilotkit');
  return copyPeer('copilotkit', PEER_FOLDERS, ['page.jsx', 'runtime.mjs']);
}

/** The page of CopilotKit, which talks to the server itself. */
export async function openCopilotKit(browser: Browser, desk: FrontDesk): Promise<ClientPage> {
  return ClientPage.open(browser, desk, await bundleProgram(join(await openFolder(), 'page.jsx')));
}

/** The page of CopilotKit, which talks to CopilotKit's runtime, which talks to the server. */
export async function openThroughRuntime(browser: Browser, desk: FrontDesk): Promise<ClientPage> {
  const folder = await openFolder();
  const program = await bundleProgram(join(folder, 'page.jsx'));
  const agent = JSON.stringify({ url: `${desk.url}/ag-ui`, headers: desk.headers });
  const env = { COPILOTKIT_TELEMETRY_DISABLED: 'true' };
  const server = await SampleProcess.start(join(folder, 'runtime.mjs'), { args: [agent], env });
  const address = `${server.addresses[0] ?? ''}/client?runtime=/api/copilotkit`;
  return ClientPage.open(browser, desk, program, { address, server });
}
