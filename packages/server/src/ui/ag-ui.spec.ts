import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { callsTool, streams } from '@adorn/testing';

import { openDesk, Orders } from '../desk.fixture.js';
import { serve } from '../serve.js';

describe('AG-UI', () => {
  it('holds a conversation with a tool, an approval, changed arguments and state, by its own client', async () => {
    Orders.refunds.length = 0;
    await using runner = await openDesk([
      callsTool('note', { text: 'milk' }),
      callsTool('refund', { orderId: 'A' }),
      streams('Re', 'funded.'),
      callsTool('refund', { orderId: 'C' }),
      streams('As ', 'you like.'),
    ]);
    await using server = await serve(runner, { port: 0 });
    const headers = { authorization: `Bearer ${server.token ?? ''}` };
    const agent = new HttpAgent({ url: `${server.url}/adorn/apps/desk/ag-ui`, headers, threadId: 't1' });
    agent.addMessage({ id: 'm1', role: 'user', content: 'Refund A' });
    const events: BaseEvent[] = [];
    const subscriber = { onEvent: ({ event }: { event: BaseEvent }) => void events.push(event) };
    await agent.runAgent({ runId: 'r1' }, subscriber);
    expect(agent.state).toEqual({ noted: 'milk' });
    const finished = events.at(-1) as BaseEvent & {
      outcome: { interrupts: { id: string; message: string }[] };
    };
    expect(finished).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: {
        type: 'interrupt',
        interrupts: [{ reason: 'confirmation', message: 'Refund it?', metadata: { tool: 'refund' } }],
      },
    });
    expect(Orders.refunds).toEqual([]);

    const interruptId = finished.outcome.interrupts[0]?.id ?? '';
    const payload = { approved: true, args: { orderId: 'B' } };
    const resume: RunAgentInput['resume'] = [{ interruptId, status: 'resolved', payload }];
    await agent.runAgent({ runId: 'r2', resume }, subscriber);
    expect(Orders.refunds).toEqual(['B']);
    expect(agent.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Refunded.' });

    agent.addMessage({ id: 'm2', role: 'user', content: 'Refund C' });
    await agent.runAgent({ runId: 'r3' }, subscriber);
    const [open] = await runner.pending({ userId: 'user', sessionId: 't1' });
    await agent.runAgent(
      { runId: 'r4', resume: [{ interruptId: open?.id ?? '', status: 'cancelled' }] },
      subscriber,
    );
    expect(Orders.refunds).toEqual(['B']);
    expect(agent.messages.at(-1)).toMatchObject({ content: 'As you like.' });
  });

  it('sends a message to the thread whose run goes on, by a property of the run', async () => {
    await using runner = await openDesk([callsTool('count'), streams('Stop', 'ped.')]);
    await using server = await serve(runner, { port: 0 });
    const headers = { authorization: `Bearer ${server.token ?? ''}` };
    const agentOf = () =>
      new HttpAgent({ url: `${server.url}/adorn/apps/desk/ag-ui`, headers, threadId: 't1' });
    const [first, second] = [agentOf(), agentOf()];
    first.addMessage({ id: 'm1', role: 'user', content: 'Count' });
    const ended: BaseEvent[] = [];
    let begin: () => void = () => undefined;
    const began = new Promise<void>((resolve) => (begin = resolve));
    const counting = first.runAgent(
      { runId: 'r1' },
      {
        onEvent: ({ event }: { event: BaseEvent }) => {
          ended.push(event);
          if ((event.type as string) === 'TOOL_CALL_END') begin();
        },
      },
    );
    await began;
    second.addMessage({ id: 'm2', role: 'user', content: 'No, stop' });
    await second.runAgent({ runId: 'r2', forwardedProps: { when: 'instead' } });
    await counting;

    expect(ended.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(second.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Stopped.' });
    second.addMessage({ id: 'm3', role: 'user', content: 'Soon' });
    await expect(second.runAgent({ runId: 'r3', forwardedProps: { when: 'soon' } })).rejects.toThrow();
  });

  it('ends a cancelled run without an outcome for a client before 1.0, which knows none for it', async () => {
    await using runner = await openDesk([callsTool('count'), callsTool('count')]);
    await using server = await serve(runner, { port: 0 });
    const endOf = async (fields: object) => {
      const headers = {
        authorization: `Bearer ${server.token ?? ''}`,
        'content-type': 'application/json',
      };
      const messages = [{ id: 'm1', role: 'user', content: 'Count' }];
      const body = JSON.stringify({ threadId: 't1', runId: 'r1', messages, ...fields });
      const url = `${server.url}/adorn/apps/desk/ag-ui`;
      const response = await fetch(url, { method: 'POST', headers, body });
      const invocationId = response.headers.get('x-adorn-invocation') ?? '';
      await runner.cancelRun({ userId: 'user', sessionId: 't1', invocationId });
      const last = (await response.text()).trim().split('data: ').at(-1) ?? '';
      return JSON.parse(last) as { type: string; outcome?: object };
    };

    expect(await endOf({})).toEqual({ type: 'RUN_FINISHED', threadId: 't1', runId: 'r1', result: '' });
    expect(await endOf({ protocolVersion: '1.0' })).toMatchObject({ outcome: { type: 'cancelled' } });
  });
});
