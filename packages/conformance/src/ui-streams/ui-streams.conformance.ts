import { type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { leaveAgUi, talkByAgUi } from './ag-ui.js';
import { reloadUseChat, runToolsOfPage, talkByUseChat } from './use-chat.js';

/** Front ends of others hold conversations with a served agent: `useChat` in a DOM, and the client of AG-UI. */
export const uiStreamsConformance: Suite = {
  name: 'ui-streams',
  summary: 'useChat of the AI SDK and the client of AG-UI: texts, tools, approvals, refusals, reloads',
  takes: 'some seconds',
  async *run(): AsyncGenerator<Section> {
    yield await timed('useChat', async () => [
      { name: 'a conversation', checks: await talkByUseChat() },
      { name: 'reloads', checks: await reloadUseChat() },
      { name: 'tools of the page', checks: await runToolsOfPage() },
    ]);
    yield await timed('AG-UI', async () => [
      { name: 'a conversation with reloads', checks: await talkByAgUi() },
      { name: 'a page that is closed', checks: await leaveAgUi() },
    ]);
  },
};
