import { says, type ScriptedStep } from '@adorn/testing';
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';

import { createAdornClient } from '../client/index.js';
import { openDesk } from '../desk.fixture.js';
import { serve } from '../serve.js';

const ASKS: ScriptedStep = {
  content: {
    role: 'model',
    parts: [{ text: 'I refund it.' }, { functionCall: { name: 'refund', args: { orderId: 'A' } } }],
  },
};

/** Who has the run go on: this server, or code beside it, as another process would. */
const WAYS = ['a route', 'the runner'] as const;

describe.each(WAYS)('a run that an approval continues by %s, for resumeStream', (way) => {
  it.each(['a page that is loaded again', 'the page that asked'])('is followed by %s', async (page) => {
    await using desk = await opened();
    await desk.chat.sendMessage({ text: 'Refund A' });
    const approving = desk.approve(way);
    await desk.isRunning;

    const chat = page === 'the page that asked' ? desk.chat : await desk.reload();
    const following = chat.resumeStream();
    await until(() => chat.status === 'streaming' && shownIn(chat).includes('refund'));
    desk.goOn();
    await Promise.all([following, approving]);

    expect(chat.error).toBeUndefined();
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(shownIn(chat)).toEqual(['I refund it.', 'refund', 'Refunded.']);
    expect(chat.lastMessage?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
      state: 'output-available',
    });
    // The same as a page has that comes later.
    expect(shownIn(await desk.reload())).toEqual(shownIn(chat));
  });

  it('is no part of what a page loads before, and of nothing else', async () => {
    await using desk = await opened();
    await desk.chat.sendMessage({ text: 'Refund A' });
    expect((await desk.reload()).messages).toHaveLength(2);
    const approving = desk.approve(way);
    await desk.isRunning;

    expect((await desk.reload()).messages.map(({ role }) => role)).toEqual(['user']);

    desk.goOn();
    await approving;
    expect((await desk.reload()).messages).toHaveLength(2);
  });
});

function shownIn(chat: Chat<UIMessage>): (string | undefined)[] {
  return chat.messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ parts }) => parts)
    .flatMap((part) => {
      if (part.type === 'text') return [part.text];
      return part.type === 'dynamic-tool' ? [part.toolName] : [];
    });
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 25));
  expect(condition()).toBe(true);
}

async function opened() {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let run: () => void = () => undefined;
  const isRunning = new Promise<void>((resolve) => (run = resolve));
  const runner = await openDesk([
    ASKS,
    async () => {
      run();
      await gate;
      return says('Refunded.');
    },
  ]);
  const server = await serve(runner, { port: 0, page: false });
  const token = server.token ?? '';
  const api = `${server.url}/adorn/apps/desk/ui-messages`;
  const headers = { authorization: `Bearer ${token}` };
  const chatWith = (messages: UIMessage[]) =>
    new Chat<UIMessage>({ id: 'c1', messages, transport: new DefaultChatTransport({ api, headers }) });
  return {
    chat: chatWith([]),
    goOn,
    isRunning,
    approve: async (way: (typeof WAYS)[number]): Promise<void> => {
      const [request] = await runner.pending({ userId: 'user', sessionId: 'c1' });
      if (request === undefined) throw new Error('Nothing is pending.');
      if (way === 'the runner') await runner.approve(request);
      else
        await createAdornClient(server.url, { token })
          .sessionOf({ ...request })
          .approve(request);
    },
    reload: async (): Promise<Chat<UIMessage>> => {
      const response = await fetch(`${api}/c1`, { headers });
      const { messages } = (await response.json()) as { messages: UIMessage[] };
      return chatWith(messages);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await runner.close();
    },
  };
}
