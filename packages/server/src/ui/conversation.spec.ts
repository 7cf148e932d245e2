import type { PendingRequest } from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { TestDesk } from '../request.fixture.js';

interface Part {
  readonly type: string;
  readonly state?: string;
  readonly approval?: { readonly id: string; readonly approved?: boolean };
}

/** The parts of calls, and the texts, of a chat that is loaded again. */
async function loaded(desk: TestDesk): Promise<Part[]> {
  const { messages } = await desk.json<{ messages: { role: string; parts: Part[] }[] }>(
    '/adorn/apps/desk/ui-messages/s1',
  );
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  return messages[1]?.parts.filter(({ type }) => type !== 'step-start') ?? [];
}

const KEY = { userId: 'ada', sessionId: 's1' };

describe('a conversation that is loaded again', () => {
  it.each([
    [true, 'output-available'],
    [false, 'output-denied'],
  ])('has its approval, which waits and then is answered: %s', async (approved, state) => {
    await using desk = await TestDesk.open([callsTool('refund', { orderId: 'A' }), says('Well.')]);
    await desk.session('s1');
    const { pending } = await desk.runner.run({ ...KEY, message: 'Refund A' });
    const id = pending[0]?.id;
    expect(await loaded(desk)).toMatchObject([{ state: 'approval-requested', approval: { id } }]);
    const thread = await desk.json('/adorn/apps/desk/ag-ui/s1');
    expect(thread).toMatchObject({ threadId: 's1', interrupts: [{ id, reason: 'confirmation' }] });

    await desk.runner[approved ? 'approve' : 'reject'](pending[0] as PendingRequest);
    expect(await loaded(desk)).toMatchObject([
      { state, approval: { id, approved } },
      { type: 'text', text: 'Well.' },
    ]);
    expect(await desk.json('/adorn/apps/desk/ag-ui/s1')).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, { content: 'Well.' }],
      interrupts: [],
    });
  });

  it('has the form that waits, until it is supplied', async () => {
    await using desk = await TestDesk.open([callsTool('register', {}), says('Welcome.')]);
    await desk.session('s1');
    const { pending } = await desk.runner.run({ ...KEY, message: 'Register' });
    const isForm = ({ type }: Part): boolean => type === 'data-request';
    expect((await loaded(desk)).filter(isForm)).toMatchObject([{ id: pending[0]?.id }]);
    await desk.runner.supply(pending[0] as PendingRequest, 'Ada');
    expect((await loaded(desk)).filter(isForm)).toEqual([]);
  });

  it('is that of its user only', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    await desk.session('s1');
    await desk.runner.run({ ...KEY, message: 'Hi' });
    for (const path of ['ui-messages/s1', 'ui-messages/s1/stream', 'ag-ui/s1'])
      expect((await desk.send(`/adorn/apps/desk/${path}`, { user: 'bob' })).status).toBe(404);
  });
});
