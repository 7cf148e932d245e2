import { callsTool, says, type ScriptedStep, streams } from '@adorn/testing';
import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';

import { openDesk } from '../desk.fixture.js';
import { serve } from '../serve.js';

type Part = UIMessage['parts'][number];

const CALL = { type: 'dynamic-tool', toolName: 'find_order' };
const IMAGE = { mimeType: 'image/png', data: 'iVBORw==' };

/** What an answer shows, as `front-ends.md` says. */
const PARTS: readonly [name: string, steps: readonly ScriptedStep[], part: object][] = [
  ['text', [streams('Hel', 'lo.')], { type: 'text', text: 'Hello.', state: 'done' }],
  [
    'reasoning',
    [{ content: { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'Hello.' }] } }],
    { type: 'reasoning', text: 'Hm.', state: 'done' },
  ],
  [
    'file',
    [{ content: { role: 'model', parts: [{ inlineData: IMAGE }] } }],
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw==' },
  ],
  [
    'a call with its result',
    [callsTool('find_order', { orderId: 'A' }), says('Shipped.')],
    { ...CALL, state: 'output-available', input: { orderId: 'A' }, output: { status: 'shipped' } },
  ],
  [
    'a call that failed',
    [callsTool('find_order', {}), says('Which?')],
    { ...CALL, state: 'output-error', errorText: expect.stringContaining('orderId') as string },
  ],
  [
    'a confirmation',
    [callsTool('refund', { orderId: 'A' })],
    {
      type: 'dynamic-tool',
      state: 'approval-requested',
      approval: {
        id: expect.any(String) as string,
        descriptor: { hint: 'Refund it?' },
      },
    },
  ],
  [
    'another request',
    [callsTool('register', {})],
    { type: 'data-request', data: { kind: 'input', tool: 'register' } },
  ],
  [
    'an error',
    [{ errorCode: 'SAFETY', errorMessage: 'Refused.' }],
    { type: 'data-error', data: { code: 'SAFETY' } },
  ],
];

describe('the parts of an answer, for DefaultChatTransport', () => {
  it.each(PARTS)('%s is streamed, and is the same in a chat that is loaded again', async (_, steps, part) => {
    await using desk = await opened(steps);

    await desk.chat.sendMessage({ text: 'Hello' });

    const isMeant = ({ type }: Part): boolean => type === (part as Part).type;
    const streamed = desk.chat.lastMessage?.parts.filter(isMeant);
    expect(streamed).toMatchObject([part]);
    expect((await desk.loaded()).filter(isMeant)).toMatchObject([part]);
  });

  it('a request that is no confirmation is answered by the body, and asks no more', async () => {
    await using desk = await opened([callsTool('register', {}), says('Welcome.')]);
    await desk.chat.sendMessage({ text: 'Register me' });
    const asked = desk.chat.lastMessage?.parts.find(({ type }) => type === 'data-request');
    const requestId = asked && 'id' in asked ? asked.id : undefined;

    await desk.chat.sendMessage(undefined, { body: { answer: { requestId, value: 'Ada' } } });

    const shown = await desk.loaded();
    expect(shown).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ output: { result: 'registered Ada' } }),
        expect.objectContaining({ text: 'Welcome.' }),
      ]) as object,
    );
    expect(shown.map(({ type }) => type)).not.toContain('data-request');
  });
});

async function opened(steps: readonly ScriptedStep[]) {
  const runner = await openDesk(steps);
  const server = await serve(runner, { port: 0, page: false });
  const api = `${server.url}/adorn/apps/desk/ui-messages`;
  const headers = { authorization: `Bearer ${server.token ?? ''}` };
  const chat = new Chat<UIMessage>({ id: 'c1', transport: new DefaultChatTransport({ api, headers }) });
  return {
    chat,
    /** The parts of the answer after a reload. */
    loaded: async (): Promise<readonly Part[]> => {
      const response = await fetch(`${api}/c1`, { headers });
      const { messages } = (await response.json()) as { messages: UIMessage[] };
      return messages.at(-1)?.parts ?? [];
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await runner.close();
    },
  };
}
