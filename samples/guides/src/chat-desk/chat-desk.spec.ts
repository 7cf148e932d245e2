import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { createAdornClient } from '@adorn/server/client';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { Chat } from '@ai-sdk/react';
import { serve } from '@hono/node-server';
import { DefaultChatTransport, type UIMessage } from 'ai';

import { openDesk } from './app.js';
import { isForUser } from './is-for-user.js';

const ADA = 'session=cookie-of-ada';
const MIA = 'session=cookie-of-mia';

describe('the page of the desk', () => {
  it('shows the answer, and asks its user before a refund', async () => {
    await using desk = await opened(callsTool('refund', { orderId: 'A-17', euros: 20 }), says('Paid back.'));
    const chat = desk.chat(ADA);

    await chat.sendMessage({ text: 'Refund A-17' });
    const asked = toolOf(chat.messages);
    expect(asked).toMatchObject({ state: 'approval-requested', input: { orderId: 'A-17', euros: 20 } });

    await chat.addToolApprovalResponse({ id: asked?.approval?.id ?? '', approved: true });
    await chat.sendMessage(); // what sendAutomaticallyWhen of a page does
    expect(toolOf(chat.messages)).toMatchObject({ state: 'output-available', output: { refunded: 20 } });
    expect(textOf(chat.messages)).toBe('Paid back.');
    expect(await desk.history(ADA)).toHaveLength(2);
  });

  it.each([
    [20, 'requester', true],
    [640, { role: 'manager' }, false],
  ])('knows who may approve a refund of %d euros, live and after a reload', async (euros, rule, isUsers) => {
    await using desk = await opened(callsTool('refund', { orderId: 'A-17', euros }));
    const chat = desk.chat(ADA);
    await chat.sendMessage({ text: 'Refund A-17' });

    for (const messages of [chat.messages, await desk.history(ADA)]) {
      const approval = toolOf(messages)?.approval;
      const hint = `Refund ${String(euros)} EUR for order A-17?`;
      expect(approval?.descriptor).toEqual({ hint, approvers: [rule] });
      expect(isForUser(approval)).toBe(isUsers);
    }
  });

  it('leaves a refund above the limit to a manager, and has her answer after a reload', async () => {
    await using desk = await opened(callsTool('refund', { orderId: 'A-17', euros: 640 }), says('Paid back.'));
    const chat = desk.chat(ADA);
    await chat.sendMessage({ text: 'Refund A-17' });
    const id = toolOf(chat.messages)?.approval?.id ?? '';

    await chat.addToolApprovalResponse({ id, approved: true });
    await chat.sendMessage();
    expect(chat.error?.message).toContain('APPROVER_NOT_ALLOWED');

    const mia = createAdornClient(desk.url, { headers: { cookie: MIA } });
    const [request] = (await mia.inbox()).requests;
    expect(request).toMatchObject({ userId: 'ada', hint: 'Refund 640 EUR for order A-17?' });
    await mia.sessionOf(request!).approve(request!);
    expect(textOf(await desk.history(ADA))).toBe('Paid back.');
  });

  it('sends a file, which a tool reads and the history shows at its address', async () => {
    await using desk = await opened(callsTool('read_upload', { name: 'receipt.txt' }), says('20 euros.'));
    const chat = desk.chat(ADA);
    const url = `data:text/plain;base64,${Buffer.from('20 EUR').toString('base64')}`;

    await chat.sendMessage({
      text: 'How much is it?',
      files: [{ type: 'file', filename: 'receipt.txt', mediaType: 'text/plain', url }],
    });
    expect(toolOf(chat.messages)).toMatchObject({ state: 'output-available', output: { text: '20 EUR' } });

    const file = (await desk.history(ADA))[0]?.parts.find((part) => part.type === 'file');
    const saved = await fetch(new URL(file?.url ?? '', desk.url), { headers: { cookie: ADA } });
    expect(await saved.text()).toBe('20 EUR');
  });

  it('stops the run', async () => {
    await using desk = await opened(callsTool('count'));
    const chat = desk.chat(ADA);
    const sent = chat.sendMessage({ text: 'How many are left?' });
    while (toolOf(chat.messages) === undefined) await setTimeout(10);

    await chat.stop();
    await sent;
    const isCancelled = ({ parts }: UIMessage) => parts.some(({ type }) => type === 'data-error');
    while (!(await desk.history(ADA)).some(isCancelled)) await setTimeout(10);
    expect(chat.status).toBe('ready');
  });

  it('has nothing for a stranger, and an empty chat for another user', async () => {
    await using desk = await opened(says('Hello.'));
    await desk.chat(ADA).sendMessage({ text: 'Hello?' });
    const stranger = desk.chat('');

    await stranger.sendMessage({ text: 'Hello?' });
    expect(stranger.error?.message).toContain('ACCESS_REFUSED');
    expect(await desk.history(MIA)).toEqual([]);
  });
});

/** The desk at a port of this machine, and the pages that are open. */
async function opened(...steps: readonly ScriptedStep[]) {
  const { app, close } = await openDesk(new ScriptedModel(...steps));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const api = `${url}/adorn/apps/desk/ui-messages`;
  return {
    url,
    /** A page with this cookie: what `useChat` is made of. */
    chat: (cookie: string) =>
      new Chat<UIMessage>({ id: 'c1', transport: new DefaultChatTransport({ api, headers: { cookie } }) }),
    /** What a page that is loaded again shows. */
    history: async (cookie: string): Promise<UIMessage[]> => {
      const response = await fetch(`${api}/c1`, { headers: { cookie } });
      return ((await response.json()) as { messages: UIMessage[] }).messages;
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      server.close();
    },
  };
}

function toolOf(messages: readonly UIMessage[]) {
  return messages.at(-1)?.parts.findLast((part) => part.type === 'dynamic-tool');
}

function textOf(messages: readonly UIMessage[]): string | undefined {
  return messages.at(-1)?.parts.findLast((part) => part.type === 'text')?.text;
}
