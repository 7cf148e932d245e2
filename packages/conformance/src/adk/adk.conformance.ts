import { installPeer } from '../install-peer/install-peer.js';
import { type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { askAdk } from './ask-adk.js';
import { answerAdk } from './answer-adk.js';
import { serveApiClient } from './serve-api-client.js';

/** Google's own programs on the other side of each door that speaks as they do. */
export const adkConformance: Suite = {
  name: 'adk',
  summary: "Google's AdkApiClient on the server, and agents of its ADK over A2A, both ways",
  takes: 'half a minute, and minutes for the first install',
  async *run(): AsyncGenerator<Section> {
    const folder = await installPeer('adk-devtools');
    yield await timed('AdkApiClient', async () => [
      { name: 'runs, sessions, artifacts', checks: await serveApiClient(folder) },
    ]);
    yield await timed('A2A, an ADK asks Adorn', async () => [
      { name: 'text, tool, confirmation', checks: await answerAdk(folder) },
    ]);
    yield await timed('A2A, Adorn asks an ADK', async () => [
      { name: 'text, tool, confirmation', checks: await askAdk(folder) },
    ]);
  },
};
