import { createRunner, type PendingRequest } from '@adorn/core';
import { adornHandler } from '@adorn/server';
import { ScriptedModel } from '@adorn/testing';

import { slack } from './slack.js';
import { eventBody, pressBody, signedBySlack, SIGNING_SECRET, SlackServer } from './slack-api.fixture.js';
import { Support } from './support-desk.fixture.js';

const MIA = { id: 'mia', roles: ['manager'], attributes: {} };
const NOW = Math.floor(Date.now() / 1_000);
const THREAD = '1515449522.000016';
const ADDRESS = {
  userId: 'slack:T123ABC456:C0LAN2Q65',
  sessionId: `slack:T123ABC456:C0LAN2Q65/${THREAD}`,
};

describe('a channel whose runs are those of a fleet', () => {
  it('submits a message and an answer with who they are of and where they came from', async () => {
    await using served = await serve();
    await served.receive(eventBody({ text: '<@U0LAN0Z89> hello', ts: THREAD }));
    const request = await served.press('adorn_reject');
    expect(served.submitted).toEqual([
      expect.objectContaining({ ...ADDRESS, message: 'hello', by: MIA, channel: 'slack' }),
      { ...ADDRESS, reject: request, by: MIA, channel: 'slack' },
    ]);
  });

  it('tells who pressed a button that a fleet did not take the answer, and keeps the question', async () => {
    await using served = await serve();
    served.refuse = new Error('the queue does not answer');
    const request = await served.press('adorn_approve');
    const [{ body } = { body: {} }] = await served.api.callsOf('chat.postEphemeral', 1);
    expect(body).toMatchObject({ user: 'mia', text: expect.stringContaining('was not taken') as unknown });
    expect(await served.runner.pending(ADDRESS)).toEqual([request]);
  });
});

async function serve() {
  const api = await SlackServer.open();
  const submitted: unknown[] = [];
  const desk = slack({
    ...{ signingSecret: SIGNING_SECRET, botToken: 'xoxb-not-a-token', apiUrl: api.url },
    principal: () => MIA,
    fleet: {
      submit: (submission) => {
        if (served.refuse) return Promise.reject(served.refuse);
        submitted.push(submission);
        return Promise.resolve();
      },
    },
  });
  const runner = await createRunner(Support, { model: new ScriptedModel(), plugins: [desk] });
  const handler = await adornHandler(runner, { authenticate: () => undefined, endpoints: [desk] });
  const served = {
    ...{ api, runner, submitted, refuse: undefined as Error | undefined },

    async receive(body: string, isForm = false): Promise<void> {
      expect((await handler(signedBySlack(body, NOW, { isForm }))).status).toBe(200);
    },

    async press(action: 'adorn_approve' | 'adorn_reject'): Promise<PendingRequest> {
      await runner.call({ tool: 'refund', args: { order: 'W1' }, ...ADDRESS, by: 'ada' });
      const [request] = (await runner.pending(ADDRESS)) as [PendingRequest];
      await served.receive(pressBody({ user: 'mia', action, value: request.id, thread: THREAD }), true);
      return request;
    },

    async [Symbol.asyncDispose](): Promise<void> {
      await runner.close();
      await handler.close();
      await api[Symbol.asyncDispose]();
    },
  };
  return served;
}
