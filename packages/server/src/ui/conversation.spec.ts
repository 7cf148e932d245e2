import type { PendingRequest } from '@adorn/core';
import { SaveFilesAsArtifactsPlugin } from '@adorn/plugins';
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

  it('is empty for an id that its page has just made up, and there is no run to follow', async () => {
    await using desk = await TestDesk.open([]);
    expect(await desk.json('/adorn/apps/desk/ui-messages/new')).toEqual({ messages: [] });
    expect(await desk.json('/adorn/apps/desk/ag-ui/new')).toEqual({
      ...{ threadId: 'new', messages: [], state: {}, interrupts: [] },
    });
    expect((await desk.send('/adorn/apps/desk/ui-messages/new/stream')).status).toBe(204);
    expect(await desk.json('/adorn/apps/desk/ui-messages/new/stream', { method: 'DELETE' })).toEqual({
      stopped: false,
    });
  });

  it('is that of its user only: to others its id is a new one', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    await desk.session('s1');
    await desk.runner.run({ ...KEY, message: 'Hi' });
    const bob = { user: 'bob' };
    expect(await desk.json('/adorn/apps/desk/ui-messages/s1', bob)).toEqual({ messages: [] });
    expect(await desk.json('/adorn/apps/desk/ag-ui/s1', bob)).toMatchObject({ messages: [], state: {} });
    expect((await desk.send('/adorn/apps/desk/ui-messages/s1/stream', bob)).status).toBe(204);
  });

  it.each([[false], [true]])('shows a file of the user, saved as an artifact: %s', async (isSaved) => {
    const plugins = isSaved ? [new SaveFilesAsArtifactsPlugin()] : [];
    await using desk = await TestDesk.open([says('Thanks.'), says('Again.')], {}, { plugins });
    const file = {
      type: 'file',
      mediaType: 'image/png',
      filename: 'a.png',
      url: 'data:image/png;base64,aGVsbG8=',
    };
    const parts = [{ type: 'text', text: 'See' }, file];
    const chat = '/adorn/apps/desk/ui-messages';
    await (
      await desk.send(chat, { body: { id: 's1', messages: [{ id: 'm', role: 'user', parts }] } })
    ).text();
    const { messages } = await desk.json<{ messages: { id: string; parts: (typeof file)[] }[] }>(
      `${chat}/s1`,
    );
    const shown = messages[0]?.parts.at(-1);
    expect(shown).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'a.png' });
    const url = shown?.url ?? '';
    const bytes = await (url.startsWith('data:') ? fetch(url) : desk.send(url)).then((answer) =>
      answer.text(),
    );
    expect(bytes).toBe('hello');
    expect(await desk.json('/adorn/apps/desk/ag-ui/s1')).toMatchObject({
      messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'image' }] }, { role: 'assistant' }],
    });

    // The page sends the message again as it has loaded it.
    const body = { id: 's1', trigger: 'regenerate-message', messages: [messages[0]] };
    await (await desk.send(chat, { body })).text();
    const again = await desk.json<{ messages: { parts: (typeof file)[] }[] }>(`${chat}/s1`);
    const second = again.messages[0]?.parts.at(-1)?.url ?? '';
    const kept = await (second.startsWith('data:') ? fetch(second) : desk.send(second));
    expect(await kept.text()).toBe('hello');
  });

  it('says that its run was cancelled', async () => {
    await using desk = await TestDesk.open([callsTool('count')]);
    const body = {
      id: 's1',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Count' }] }],
    };
    const chat = '/adorn/apps/desk/ui-messages';
    const live = await desk.send(`${chat}?resume=true`, { body });
    expect(await desk.json(`${chat}/s1/stream`, { method: 'DELETE' })).toEqual({ stopped: true });
    const told = { type: 'data-error', data: { code: 'CANCELLED' } };
    expect((await live.text()).match(/"type":"data-error"/g)).toHaveLength(1);
    const { messages } = await desk.json<{ messages: { role: string; parts: unknown[] }[] }>(`${chat}/s1`);
    expect(messages.at(-1)).toMatchObject({ role: 'assistant' });
    expect(messages.at(-1)?.parts.at(-1)).toMatchObject(told);
  });
});
