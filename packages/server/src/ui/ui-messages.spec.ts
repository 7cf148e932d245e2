import { callsTool, streams } from '@adorn/testing';
import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';
import { Window } from 'happy-dom';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';

import { openDesk, Orders } from '../desk.fixture.js';
import { serve } from '../serve.js';

type Chat = ReturnType<typeof useChat>;

/** A page with one chat. @param resume true to follow a run that goes on, as a page does that is loaded */
async function openPage(
  url: string,
  token: string,
  { resume = false }: { readonly resume?: boolean } = {},
): Promise<{ readonly chat: () => Chat; readonly close: () => Promise<void> }> {
  const window = new Window();
  Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true });
  let current: Chat | undefined;
  const transport = new DefaultChatTransport({
    api: `${url}/adorn/apps/desk/ui-messages`,
    body: { resume },
    headers: { authorization: `Bearer ${token}` },
  });
  const Page = () => {
    current = useChat({
      id: 'c1',
      transport,
      resume,
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    return createElement('p', undefined, current.messages.length);
  };
  const root = createRoot(window.document.body);
  await act(async () => {
    root.render(createElement(Page));
  });
  const chat = (): Chat => {
    if (current === undefined) throw new Error('The page is not rendered.');
    return current;
  };
  return {
    chat,
    close: async () => {
      await act(async () => {
        root.unmount();
      });
      await window.happyDOM.close();
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 400; tries++)
    await act(async () => {
      await new Promise((resolve) => setTimeout(resolve, 25));
    });
  expect(condition()).toBe(true);
}

function texts({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('useChat of the AI SDK', () => {
  it('begins ready in a new chat, follows its run after a reload, and ends it by the route for that', async () => {
    await using runner = await openDesk([callsTool('count')]);
    await using server = await serve(runner, { port: 0 });
    const first = await openPage(server.url, server.token ?? '', { resume: true });
    await until(() => first.chat().status === 'ready');
    expect([first.chat().error, first.chat().messages]).toEqual([undefined, []]);
    await act(async () => {
      void first.chat().sendMessage({ text: 'Count' });
      await Promise.resolve();
    });
    const isCounting = ({ chat }: typeof first): boolean =>
      chat().messages.some(({ parts }) => parts.some(({ type }) => type === 'dynamic-tool'));
    await until(() => isCounting(first));
    await first.close();

    const second = await openPage(server.url, server.token ?? '', { resume: true });
    await until(() => isCounting(second));
    const headers = { authorization: `Bearer ${server.token ?? ''}` };
    const stream = `${server.url}/adorn/apps/desk/ui-messages/c1/stream`;
    expect(await (await fetch(stream, { method: 'DELETE', headers })).json()).toEqual({ stopped: true });
    await until(() => second.chat().status === 'ready');
    expect(second.chat().messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        type: 'data-error',
        data: expect.objectContaining({ code: 'CANCELLED' }) as unknown,
      }),
    );
    await second.close();
  });

  it('sends a message to the run that goes on, which reads it before its next model call, and follows that run', async () => {
    let post: () => void = () => undefined;
    const posted = new Promise<void>((resolve) => (post = resolve));
    await using runner = await openDesk([
      async () => {
        await posted;
        return callsTool('find_order', { orderId: 'A' });
      },
      streams('Only ', 'A.'),
      streams('Again', '.'),
    ]);
    await using server = await serve(runner, { port: 0 });
    const { chat, close } = await openPage(server.url, server.token ?? '', { resume: true });
    await until(() => chat().status === 'ready');
    await act(async () => {
      void chat().sendMessage({ text: 'Find all' });
      await Promise.resolve();
    });
    await until(() => chat().status === 'streaming' || chat().status === 'submitted');
    await act(async () => {
      await chat().stop();
    });
    await act(async () => {
      void chat().sendMessage({ text: 'Only A' }, { body: { when: 'now' } });
      await Promise.resolve();
    });
    const key = { appName: runner.appName, userId: 'user', sessionId: 'c1' };
    for (let mail = 0; mail === 0; mail = (await runner.sessions.listMail(key)).length)
      await new Promise((resolve) => setTimeout(resolve, 10));
    post();
    await until(() => chat().status === 'ready' && texts(chat().messages.at(-1) as UIMessage) === 'Only A.');

    const shown = chat().messages.flatMap(({ parts }) => parts.map(({ type }) => type));
    expect(shown).not.toContain('data-message'); // its sender has it already
    const session = await runner.sessions.getSession(key);
    expect(session?.events.filter(({ author }) => author === 'user').map(({ text }) => text)).toEqual([
      'Find all',
      'Only A',
    ]);
    expect(new Set(session?.events.map(({ invocationId }) => invocationId)).size).toBe(1);

    await act(() => chat().regenerate());
    await until(() => chat().status === 'ready' && texts(chat().messages.at(-1) as UIMessage) === 'Again.');
    const again = await runner.sessions.getSession(key);
    expect(again?.events.findLast(({ author, text }) => author === 'user' && text !== '')?.text).toBe(
      'Find allOnly A',
    );
    await close();
  });

  it('sends a message in place of the run that goes on: that one is cancelled, and the answer is streamed', async () => {
    await using runner = await openDesk([callsTool('count'), streams('Stop', 'ped.')]);
    await using server = await serve(runner, { port: 0 });
    const { chat, close } = await openPage(server.url, server.token ?? '', { resume: true });
    await until(() => chat().status === 'ready');
    await act(async () => {
      void chat().sendMessage({ text: 'Count' });
      await Promise.resolve();
    });
    await until(() => chat().messages.some(({ parts }) => parts.some(({ type }) => type === 'dynamic-tool')));
    await act(async () => {
      await chat().stop();
    });
    await act(async () => {
      void chat().sendMessage({ text: 'No, stop' }, { body: { when: 'instead' } });
      await Promise.resolve();
    });
    await until(() => chat().status === 'ready' && texts(chat().messages.at(-1) as UIMessage) === 'Stopped.');
    expect(chat().error).toBeUndefined();
    await close();
  });

  it('holds a conversation with tools, an approval and a refusal', async () => {
    Orders.refunds.length = 0;
    await using runner = await openDesk([
      callsTool('find_order', { orderId: 'A' }),
      callsTool('refund', { orderId: 'A' }),
      streams('Re', 'funded.'),
      callsTool('refund', { orderId: 'B' }),
      streams('As ', 'you like.'),
    ]);
    await using server = await serve(runner, { port: 0 });
    const { chat, close } = await openPage(server.url, server.token ?? '');
    const respond = (answer: Parameters<Chat['addToolApprovalResponse']>[0]) =>
      chat().addToolApprovalResponse(answer);
    const partOf = (state: string) =>
      chat()
        .messages.at(-1)
        ?.parts.find((part) => part.type === 'dynamic-tool' && part.state === state) as
        { approval: { id: string }; toolName: string } | undefined;

    await act(() => chat().sendMessage({ text: 'Refund A' }));
    await until(() => chat().status === 'ready');
    expect(chat().error).toBeUndefined();
    expect(partOf('output-available')).toMatchObject({
      toolName: 'find_order',
      output: { status: 'shipped' },
    });
    const asked = partOf('approval-requested');
    expect([asked?.toolName, Orders.refunds]).toEqual(['refund', []]);

    await act(async () => {
      await respond({ id: asked?.approval.id ?? '', approved: true });
    });
    await until(
      () => chat().status === 'ready' && texts(chat().messages.at(-1) as UIMessage) === 'Refunded.',
    );
    expect(Orders.refunds).toEqual(['A']);
    expect(chat().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);

    await act(() => chat().sendMessage({ text: 'Refund B' }));
    await until(() => partOf('approval-requested') !== undefined && chat().status === 'ready');
    await act(async () => {
      const id = partOf('approval-requested')?.approval.id ?? '';
      await respond({ id, approved: false, reason: 'No.' });
    });
    await until(
      () => chat().status === 'ready' && texts(chat().messages.at(-1) as UIMessage) === 'As you like.',
    );
    expect(partOf('output-denied')).toMatchObject({ toolName: 'refund' });
    expect([Orders.refunds, chat().error]).toEqual([['A'], undefined]);
    await close();
  });
});
