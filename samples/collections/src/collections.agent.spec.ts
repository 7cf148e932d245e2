import {
  callsLive,
  callsTool,
  hears,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilAudio,
  untilResponse,
  untilText,
} from '@adorn/testing';
import { createRunner } from 'adorn';

import { Collections } from './collections.agent.js';

const ADDRESS = { userId: 'c-1999', sessionId: 'call-7' };
const IDENTITY = { accountId: '10020030', bornOn: '1985-12-10' };

describe('the collections desk', () => {
  it('verifies, informs and arranges by voice', async () => {
    const model = new ScriptedLive(
      untilText(),
      speaks('This is the bank; the call is recorded.'),
      untilAudio(),
      hears('My account is 10020030, and I was born on 10 December 1985.'),
      callsLive('verify', IDENTITY, 'v1'),
      untilResponse('v1'),
      speaks('Thank you.'),
      untilText(),
      callsLive('agree', { monthly: 10_000 }, 'a1'),
      untilResponse('a1'),
      speaks('A hundred dollars a month.'),
      untilText(),
      callsLive('arrange', { monthly: 10_000 }, 'r1'),
      untilResponse('r1'),
      speaks('It is arranged.'),
    );
    await using runner = await createRunner(Collections, { model: new ScriptedModel() });
    await using live = runner.live({ ...ADDRESS, model });
    const call = model.follow(live);
    await call.toTurnEnd();
    void live.sendAudio(new Uint8Array(640));
    await call.toTurnEnd();
    await call.toConnected();
    live.sendText('I can pay a hundred dollars a month.');
    await call.toTurnEnd();
    await call.toConnected();
    live.sendText('Please arrange it.');
    await call.toTurnEnd();

    const phases = model.connections.map(
      ({ setup }) => /Phase of the conversation: (\w+)/.exec(setup.instruction)?.[1],
    );
    expect(phases).toEqual(['verifying', 'informing', 'arranging']);
    expect(model.connection.responses.at(-1)?.response).toEqual({ monthly: 10_000, plan: 'P-1' });
    const session = await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS });
    expect(session?.state).toMatchObject({ phase: 'arranging', verified: true, agreed: 10_000 });
  });

  it('is tested by text: a stranger hears nothing of the debt, and no tool of a later phase runs', async () => {
    const model = new ScriptedModel(
      callsTool('verify', { ...IDENTITY, bornOn: '2000-01-01' }),
      callsTool('arrange', { monthly: 1 }),
      says('I cannot help you.'),
    );
    await using runner = await createRunner(Collections, { model });

    const { events } = await runner.run({ ...ADDRESS, message: 'I am Ada.' });

    const responses = events.flatMap(({ functionResponses }) =>
      functionResponses.map(({ response }) => response),
    );
    expect(responses).toEqual([
      { result: false },
      expect.objectContaining({
        reason:
          "Tool 'arrange' is not available in the current conversation phase. This phase allows: verify.",
      }),
    ]);
    expect(model.requests.at(-1)?.config.systemInstruction).toContain('Do not mention the debt.');
  });
});
