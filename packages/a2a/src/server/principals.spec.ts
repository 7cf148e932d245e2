import { randomUUID } from 'node:crypto';

import { agent, createRunner, defineTool, LlmAgent, type Runner } from '@adorn/core';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { a2aHandler, type A2aHandler } from './a2a-handler.js';

const URL_OF_HANDLER = 'http://127.0.0.1:9/a2a';
const PEOPLE: Readonly<Record<string, object | string>> = {
  ada: { id: 'ada', tenant: 'acme' },
  plain: 'ada',
  mia: { id: 'mia', roles: ['manager'], tenant: 'acme' },
  bot: { id: 'bot', userId: 'ada', roles: ['manager'], tenant: 'acme' },
  broken: { id: 'mia', roles: null },
  nameless: { roles: ['manager'] },
};
let seen: unknown[] = [];

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  confirm: true,
  approvers: { role: 'manager', self: true },
  parameters: { type: 'object', properties: {} },
  run: (_args: object, context: { requester: unknown; confirmation?: { by?: string } }) => {
    seen.push(context.requester, context.confirmation?.by);
  },
} as never);

@agent({ name: 'desk', description: 'Pays.', tools: [pay] })
class Desk extends LlmAgent {}

describe('a principal over A2A', () => {
  let runner: Runner;
  let handler: A2aHandler;

  beforeEach(async () => {
    seen = [];
    runner = await createRunner(Desk, { model: new ScriptedModel(callsTool('pay', {}), says('Paid.')) });
    handler = await a2aHandler(runner, {
      ...{ url: URL_OF_HANDLER, recover: false, approve: () => true, logger: SILENT },
      authenticate: ({ headers }) => PEOPLE[headers.get('authorization') ?? ''],
    });
  });

  afterEach(async () => {
    await handler.close();
    await runner.close();
  });

  it('is the requester with its roles and tenant, and answers with them', async () => {
    const taskId = (await send('mia', { parts: [{ text: 'Pay.' }] })).taskId ?? '';
    await send('mia', { taskId, parts: [{ data: { confirmed: true } }] });
    const mia = { id: 'mia', roles: ['manager'], tenant: 'acme', attributes: {} };
    expect(seen).toEqual([mia, 'mia']);
  });

  it('is told why it may not answer, and the request stays open', async () => {
    const { taskId = '', contextId = '' } = await send('ada', { parts: [{ text: 'Pay.' }] });
    const refused = await send('ada', { taskId, parts: [{ data: { confirmed: true } }] });
    expect(refused.error).toContain('"ada" may not answer the request');
    expect(seen).toEqual([]);
    expect(await runner.pending({ userId: 'ada', sessionId: contextId })).toHaveLength(1);
    // Who acts for the user has the tasks of that user, and roles of its own, yet is the requester's.
    await send('bot', { taskId, parts: [{ data: { confirmed: true } }] });
    expect(seen).toEqual([{ id: 'ada', roles: [], tenant: 'acme', attributes: {} }, 'bot']);
  });

  it.each(['broken', 'nameless', 'nobody'])('is refused if it is %s', async (user) => {
    expect(await send(user, { parts: [{ text: 'Pay.' }] })).toMatchObject({ status: 401 });
  });

  async function send(user: string, said: object) {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', ...said };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    const headers = { 'content-type': 'application/json', authorization: user, 'a2a-version': '1.0' };
    const response = await handler(new Request(URL_OF_HANDLER, { method: 'POST', headers, body }));
    const json = (await response.json()) as {
      result?: { task?: { id: string; contextId: string } };
      error?: { message: string };
    };
    const { id: taskId, contextId } = json.result?.task ?? {};
    return { status: response.status, taskId, contextId, error: json.error?.message };
  }
});

const silent = (): void => undefined;
const SILENT = { debug: silent, info: silent, warn: silent, error: silent };
