import { HttpAgent } from '@ag-ui/client';
import type { Message, RunAgentInput } from '@ag-ui/core';
import { callsTool, streams } from '@adorn/testing';

import type { Check } from '../check.js';
import { Checklist } from './checklist.js';
import { FrontDesk, TALK } from './front-desk.js';

type Resume = NonNullable<RunAgentInput['resume']>[number];

const THREAD = 't1';

/** A page with an agent of AG-UI. Opened again, it is the page after a reload. */
class AgUiPage {
  private constructor(
    readonly agent: HttpAgent,
    /** The ids of the interrupts that wait. */
    public interrupts: string[],
  ) {}

  static async open(desk: FrontDesk, isReload = false): Promise<AgUiPage> {
    const { messages, state, interrupts } = isReload
      ? await desk.json(`/ag-ui/${THREAD}`)
      : { messages: [], state: {}, interrupts: [] };
    const agent = new HttpAgent({
      url: `${desk.url}/ag-ui`,
      headers: desk.headers,
      threadId: THREAD,
      initialMessages: messages as Message[],
      initialState: state,
    });
    const open = interrupts as { id: string }[];
    return new AgUiPage(
      agent,
      open.map(({ id }) => id),
    );
  }

  /** The messages, short: `user: Hi`, `call refund`, `result {…}`, `assistant: Hello`. */
  get shown(): string[] {
    return this.agent.messages.map((message) => {
      if (message.role === 'assistant' && message.toolCalls)
        return `call ${message.toolCalls.map((call) => call.function.name).join(', ')}`;
      const content = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
      return message.role === 'tool' ? `result ${content}` : `${message.role}: ${content}`;
    });
  }

  async send(content: string): Promise<void> {
    this.agent.addMessage({ id: `m-${content}`, role: 'user', content });
    await this.run();
  }

  async answer(status: Resume['status'], payload?: unknown): Promise<void> {
    await this.run(this.interrupts.map((interruptId) => ({ interruptId, status, payload })));
  }

  private async run(resume?: Resume[]): Promise<void> {
    this.interrupts = [];
    await this.agent.runAgent(resume ? { resume } : {}, {
      onRunFinishedEvent: ({ event }) => {
        const { outcome } = event as { outcome?: { interrupts?: { id: string }[] } };
        this.interrupts = (outcome?.interrupts ?? []).map(({ id }) => id);
      },
    });
  }
}

/** Text, a call with its result, an approval and a refusal, each behind a reload. */
export async function talkByAgUi(): Promise<Check[]> {
  const list = new Checklist();
  await using desk = await FrontDesk.open(TALK);
  const page = await AgUiPage.open(desk);
  await page.send('Hi');
  list.equal('a text', ['user: Hi', 'assistant: Good day.'], page.shown);
  await page.send('Refund A');
  const found = 'result {"orderId":"A","status":"shipped"}';
  const asked = ['user: Refund A', 'call find_order', found, 'call refund'];
  list.equal('a call with its result, and a call that waits', asked, page.shown.slice(2));
  list.equal('the approval is an interrupt', 1, page.interrupts.length);
  list.equal('nothing is done before the approval', [], desk.refunds);

  const second = await AgUiPage.open(desk, true);
  list.equal('a reload shows the same conversation', page.shown, second.shown);
  list.equal('a reload shows the interrupt that waits', page.interrupts, second.interrupts);
  await second.answer('resolved', { approved: true });
  list.equal(
    'an approval after the reload',
    ['result {"refunded":"A"}', 'assistant: Refunded.'],
    second.shown.slice(6),
  );
  list.equal('the approved call ran once', ['A'], desk.refunds);

  await second.send('Refund B');
  const third = await AgUiPage.open(desk, true);
  await third.answer('resolved', { approved: false, reason: 'No.' });
  list.equal('a refusal after a reload', 'assistant: As you like.', third.shown.at(-1));
  list.equal('the refused call did not run', ['A'], desk.refunds);
  const fourth = await AgUiPage.open(desk, true);
  list.equal('a reload at the end shows the same conversation', third.shown, fourth.shown);
  list.equal('nothing waits at the end', [], fourth.interrupts);
  return list.checks;
}

/** The page is closed while a tool runs: the run ends, and the conversation goes on after the reload. */
export async function leaveAgUi(): Promise<Check[]> {
  const list = new Checklist();
  await using desk = await FrontDesk.open([callsTool('count_stock'), streams('Still ', 'here.')]);
  const page = await AgUiPage.open(desk);
  page.agent.addMessage({ id: 'm1', role: 'user', content: 'Count' });
  await page.agent
    .runAgent(
      {},
      {
        onToolCallEndEvent: () => {
          page.agent.abortRun();
        },
      },
    )
    .catch(() => undefined);
  const again = await AgUiPage.open(desk, true);
  list.equal('a reload shows what was stored', ['user: Count', 'call count_stock'], again.shown.slice(0, 2));
  await again.send('Hello');
  list.equal('the conversation goes on', 'assistant: Still here.', again.shown.at(-1));
  return list.checks;
}
