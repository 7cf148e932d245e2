import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { agent, type AgentClass, LlmAgent, SequentialAgent } from '@adorn/core';
import { callsTool, says, type ScriptedStep } from '@adorn/testing';

import { slack, type SlackOptions } from './slack.js';
import { eventBody, pressBody, signedBySlack, SIGNING_SECRET, SlackServer } from './slack-api.fixture.js';
import { NOW, refunds, serveChannel, Support } from './support-desk.fixture.js';

const THREAD = '1515449522.000016';

const people: Readonly<Record<string, { id: string; roles: readonly string[] }>> = {
  U061F7AUR: { id: 'ada', roles: [] },
  U0MANAGER: { id: 'mia', roles: ['manager'] },
};

const folder = mkdtempSync(join(tmpdir(), 'adorn-slack-'));
const opened: (() => Promise<unknown>)[] = [];
let api: SlackServer;
let count = 0;

beforeEach(async () => {
  api = await SlackServer.open();
  refunds.length = 0;
});

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  await api[Symbol.asyncDispose]();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function open(
  steps: readonly ScriptedStep[],
  {
    file = join(folder, `${String(count++)}.db`),
    root,
    ...options
  }: Partial<SlackOptions> & { file?: string; root?: AgentClass<unknown> } = {},
) {
  const desk = slack({
    signingSecret: SIGNING_SECRET,
    botToken: 'xoxb-not-a-token',
    apiUrl: api.url,
    principal: ({ id }) => people[id],
    ...options,
  });
  const { runner, model, handler } = await serveChannel(desk, { steps, file, root });
  opened.push(
    () => runner.close(),
    () => handler.close(),
  );
  const send = (
    body: string,
    options: { isForm?: boolean; secret?: string; at?: number } = {},
  ): Promise<Response> => handler(signedBySlack(body, options.at ?? NOW, options));
  return { runner, model, handler, send, file };
}

const userId = 'slack:T123ABC456:C0LAN2Q65';
const sessionId = `${userId}/${THREAD}`;

const MENTION = eventBody({ text: '<@U0LAN0Z89> refund W1 &amp; tell me', ts: THREAD });

describe('Slack', () => {
  it('answers the handshake of the Events API', async () => {
    const { send } = await open([]);

    const response = await send(
      JSON.stringify({ token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl', challenge: '3eZbrw1aB', type: 'url_verification' }),
    );

    expect(await response.json()).toEqual({ challenge: '3eZbrw1aB' });
  });

  it('answers a mention in its thread, which is a session, in the name of who wrote it', async () => {
    const { runner, send, model } = await open([says('It is on its way <!channel>.')]);

    expect((await send(MENTION)).status).toBe(200);
    const [posted] = await api.callsOf('chat.postMessage', 1);

    expect(posted).toEqual({
      method: 'chat.postMessage',
      token: 'Bearer xoxb-not-a-token',
      body: { channel: 'C0LAN2Q65', thread_ts: THREAD, text: 'It is on its way &lt;!channel&gt;.' },
    });
    expect(model.requests[0]?.contents[0]?.parts?.[0]?.text).toBe('refund W1 & tell me');
    const session = await runner.sessions.getSession({ appName: 'shop', userId, sessionId });
    expect(session?.events[0]?.customMetadata?.['adorn:requester']).toMatchObject({ id: 'ada' });
  });

  it('writes what the last agent of a workflow says, and not what it says before a question', async () => {
    @agent({ description: 'Drafts.' })
    class Draft extends LlmAgent {}
    @agent({ description: 'Checks a draft, and then helps.', subAgents: [Draft, Support] })
    class Flow extends SequentialAgent {}
    const steps = [says('Draft.'), callsTool('refund', { order: 'W1' }), says('Refunded.')];
    const { runner, send } = await open(steps, { root: Flow });
    await send(MENTION);
    const [card] = await api.callsOf('chat.postMessage', 1);
    expect(card?.body['text']).toBe('Refund it?');

    const [request] = await runner.pending({ userId, sessionId });
    const press = pressBody({
      user: 'U0MANAGER',
      action: 'adorn_approve',
      value: request?.id ?? '',
      thread: THREAD,
    });
    await send(press, { isForm: true });

    const posted = await api.callsOf('chat.postMessage', 2);
    expect(posted.map(({ body }) => body['text'])).toEqual(['Refund it?', 'Refunded.']);
  });

  it('runs a delivery once, however often Slack repeats it, and in which form it comes', async () => {
    const { send, model } = await open([says('Once.')]);
    const asMessage = eventBody({
      type: 'message',
      channel_type: 'channel',
      text: '<@U0LAN0Z89> refund W1 &amp; tell me',
      ts: THREAD,
    });

    const responses = await Promise.all([send(MENTION), send(MENTION), send(MENTION)]);
    await api.callsOf('chat.postMessage', 1);
    responses.push(await send(MENTION), await send(asMessage));
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(model.requests).toHaveLength(1);
    expect(api.calls).toHaveLength(1);
  });

  it('reads on in a thread that it was called into, and not what people say elsewhere', async () => {
    const { send, model } = await open([says('One.'), says('Two.'), says('Three.')]);
    await send(MENTION);
    await api.callsOf('chat.postMessage', 1);

    await send(
      eventBody({ type: 'message', channel_type: 'channel', text: 'And W2?', ts: '2.1', thread_ts: THREAD }),
    );
    await send(eventBody({ type: 'message', channel_type: 'channel', text: 'Lunch?', ts: '3.1' }));
    await send(
      eventBody({ type: 'message', channel_type: 'channel', text: 'Yes.', ts: '4.1', thread_ts: '3.1' }),
    );
    await send(eventBody({ type: 'message', channel_type: 'im', channel: 'D1', text: 'Hello', ts: '5.1' }));
    const posted = await api.callsOf('chat.postMessage', 3);

    expect(posted.map(({ body }) => [body['channel'], body['thread_ts'], body['text']]).sort()).toEqual([
      ['C0LAN2Q65', THREAD, 'One.'],
      ['C0LAN2Q65', THREAD, expect.stringMatching(/Two|Three/)],
      ['D1', '5.1', expect.stringMatching(/Two|Three/)],
    ]);
    expect(model.requests).toHaveLength(3);
  });

  it('does not answer bots, edits, people without a principal, and empty texts', async () => {
    const { send, model } = await open([]);

    await send(eventBody({ text: 'hi', ts: '1.1', bot_id: 'B1' }));
    await send(
      eventBody({ type: 'message', channel_type: 'im', text: 'hi', ts: '1.2', subtype: 'message_changed' }),
    );
    await send(eventBody({ text: 'hi', ts: '1.3', user: 'USTRANGER' }));
    await send(eventBody({ text: '<@U0LAN0Z89>', ts: '1.4' }));
    await send(JSON.stringify({ type: 'event_callback', event: null }));
    await send('null');
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(model.requests).toHaveLength(0);
    expect(api.calls).toEqual([]);
  });

  it('shows a question as a card, which only those may press who may answer', async () => {
    const { runner, send } = await open([callsTool('refund', { order: 'W1' }), says('Refunded.')]);
    await send(MENTION);
    const [card] = await api.callsOf('chat.postMessage', 1);
    const [request] = await runner.pending({ userId, sessionId });
    const blocks = card?.body['blocks'] as { elements?: { action_id: string; value: string }[] }[];
    expect(card?.body).toMatchObject({ channel: 'C0LAN2Q65', thread_ts: THREAD, text: 'Refund it?' });
    expect(JSON.stringify(blocks)).toContain('W1');
    expect(blocks[1]?.elements?.map(({ action_id, value }) => [action_id, value])).toEqual([
      ['adorn_approve', request?.id],
      ['adorn_reject', request?.id],
    ]);
    const press = (user: string): string =>
      pressBody({ user, action: 'adorn_approve', value: request?.id ?? '', thread: THREAD });

    for (const user of ['U061F7AUR', 'USTRANGER'])
      expect((await send(press(user), { isForm: true })).status).toBe(200);
    const [told] = await api.callsOf('chat.postEphemeral', 1);
    expect(told?.body).toMatchObject({
      user: 'U061F7AUR',
      thread_ts: THREAD,
      text: 'You may not answer this.',
    });
    expect(refunds).toEqual([]);

    await send(press('U0MANAGER'), { isForm: true });
    const [, answer] = await api.callsOf('chat.postMessage', 2);
    const [edited] = await api.callsOf('chat.update', 1);
    expect(answer?.body).toMatchObject({ thread_ts: THREAD, text: 'Refunded.' });
    expect(edited?.body).toMatchObject({
      channel: 'C0LAN2Q65',
      ts: '1700000000.000100',
      text: 'Answered: refund.',
    });
    expect(refunds).toEqual(['W1']);
    const session = await runner.sessions.getSession({ appName: 'shop', userId, sessionId });
    expect(JSON.stringify(session?.events.map(({ functionResponses }) => functionResponses))).toContain(
      '"by":"mia"',
    );

    await send(press('U0MANAGER'), { isForm: true });
    const told2 = await api.callsOf('chat.postEphemeral', 2);
    expect(told2[1]?.body['text']).toBe('This was answered already.');
    expect(refunds).toEqual(['W1']);
  });

  it('shows one card in however many processes, and takes its buttons after a restart', async () => {
    const steps = [callsTool('refund', { order: 'W1' }), says('Left.')];
    const first = await open(steps);
    await open([], { file: first.file });
    await open([], { file: first.file });
    await first.send(MENTION);
    await api.callsOf('chat.postMessage', 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(api.calls).toHaveLength(1);
    for (const close of opened.splice(0).reverse()) await close();

    const next = await open([says('Left.')], { file: first.file });
    const [request] = await next.runner.pending({ userId, sessionId });
    await next.send(
      pressBody({ user: 'U0MANAGER', action: 'adorn_reject', value: request?.id ?? '', thread: THREAD }),
      { isForm: true },
    );
    await api.callsOf('chat.update', 1);

    expect((await api.callsOf('chat.postMessage', 2)).map(({ body }) => body['text'])).toEqual([
      'Refund it?',
      'Left.',
    ]);
    expect(refunds).toEqual([]);
  });

  it.each<[string, { isForm?: boolean; secret?: string; at?: number }, string]>([
    ['another secret', { secret: 'another secret of another app' }, MENTION],
    ['a recorded request of six minutes ago', { at: NOW - 360 }, MENTION],
  ])('refuses %s', async (_what, options, body) => {
    const { send } = await open([]);

    expect((await send(body, options)).status).toBe(401);
  });

  it('refuses another body under a signature, and a request without one', async () => {
    const { handler, runner } = await open([]);
    const { headers } = signedBySlack(MENTION, NOW);

    const forged = new Request('http://localhost/channels/slack', {
      method: 'POST',
      headers,
      body: MENTION.replace('W1', 'W2'),
    });
    const bare = new Request('http://localhost/channels/slack', { method: 'POST', body: MENTION });

    expect((await handler(forged)).status).toBe(401);
    expect((await handler(bare)).status).toBe(401);
    expect(await runner.sessions.listSessions({ appName: 'shop', userId })).toEqual([]);
  });

  it('waits as long as Slack asks it to, and gives up what Slack refuses', async () => {
    api.script.push({ status: 429, headers: { 'retry-after': '0' }, body: {} }, { status: 503, body: {} });
    const { send } = await open([says('Late.'), says('Never.')]);

    await send(MENTION);
    const posted = await api.callsOf('chat.postMessage', 3);
    expect(posted.map(({ body }) => body['text'])).toEqual(['Late.', 'Late.', 'Late.']);

    api.script.push({ status: 200, body: { ok: false, error: 'not_in_channel' } });
    await send(eventBody({ text: '<@U0LAN0Z89> again', ts: '9.1', thread_ts: THREAD }));
    await api.callsOf('chat.postMessage', 4);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(api.calls).toHaveLength(4);
  });

  it('is refused with options that cannot be used, and shows no secret', () => {
    const options = { signingSecret: 'short', botToken: 'xoxb-1-2-3', principal: () => undefined };

    expect(() => slack(options)).toThrow(/slack: signingSecret is a text\. Pass the text that Slack shows/);
    expect(() => slack({ ...options, signingSecret: SIGNING_SECRET, bottoken: 'x' } as never)).toThrow(
      /Did you mean/,
    );
    expect(() => slack({ signingSecret: SIGNING_SECRET, botToken: 'xoxb-1-2-3' } as never)).toThrow(
      /principal is missing/,
    );
  });
});
