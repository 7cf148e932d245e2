import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type PendingRequest,
  agent,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  LlmAgent,
  type Runner,
  tool,
  type ToolContext,
} from '../../../index.js';
import { PENDING_RESPONSE } from '../../../events/placeholder-response.js';

describe('a call that has to be confirmed', () => {
  it('does not run: a synthetic call asks, and the call itself is answered as pending', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 900 }, 'c1'));

    const [call, request, response, ...others] = await say(runner, 'Refund.');

    expect(others).toEqual([]);
    expect(call?.functionCalls).toEqual([{ id: 'c1', name: 'refund', args: { cents: 900 } }]);
    const [asked] = request?.functionCalls ?? [];
    expect(asked).toEqual({
      id: asked?.id,
      name: 'adk_request_confirmation',
      args: {
        originalFunctionCall: { id: 'c1', name: 'refund', args: { cents: 900 } },
        toolConfirmation: { hint: 'Refund 900 cents?', confirmed: false },
        toolDefinition: DIGEST,
      },
    });
    expect(asked?.id).not.toBe('c1');
    expect(request?.longRunningToolIds).toEqual([asked?.id]);
    expect(request?.actions.requestedToolConfirmations).toEqual({
      c1: { hint: 'Refund 900 cents?', confirmed: false },
    });
    expect(response?.functionResponses).toEqual([
      { id: 'c1', name: 'refund', response: PENDING_RESPONSE, willContinue: true },
    ]);
    expect(ran).toEqual([]);
  });

  it('leaves its run paused in the record, until it is answered', async () => {
    const { runner } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    const key = { appName: 'clerk', ...address };
    const statuses = async (): Promise<unknown[]> => {
      const paused = await runner.sessions.listRuns({ appName: 'clerk', status: 'paused' });
      return [(await runner.sessions.getSession(key))?.lastRun?.status, paused.length];
    };

    await say(runner, 'Refund.');
    expect(await statuses()).toEqual(['paused', 1]);
    await runner.approve((await runner.pending(address))[0] as PendingRequest);

    expect(await statuses()).toEqual(['ended', 0]);
  });

  it('is in the log with its question before the question is seen', async () => {
    const { runner } = await start(callsTool('refund', { cents: 900 }));

    for await (const event of runner.run({ ...address, message: 'Refund.' })) {
      if (event.pending.length === 0) continue;
      expect(
        (await storedEvents(runner)).map(({ functionCalls, functionResponses }) => [
          functionCalls.length,
          functionResponses.length,
        ]),
      ).toEqual([
        [0, 0],
        [1, 0],
        [1, 0],
        [0, 1],
      ]);
      break;
    }

    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('is listed with what is asked, where and by which run', async () => {
    const { runner } = await start(callsTool('refund', { cents: 900 }, 'c1'));
    const [, asking] = await say(runner, 'Refund.');

    expect(await runner.pending(address)).toEqual([
      {
        kind: 'confirmation',
        id: asking?.functionCalls[0]?.id,
        functionCallId: 'c1',
        tool: 'refund',
        args: { cents: 900 },
        definition: DIGEST,
        hint: 'Refund 900 cents?',
        askedAt: asking?.timestamp,
        appName: 'clerk',
        ...address,
        invocationId: asking?.invocationId,
        path: 'clerk',
      },
    ]);
    expect(await runner.pending({ ...address, sessionId: 's2' })).toEqual([]);
  });

  it('runs once when it is approved, with what was sent along, and the model sees one response', async () => {
    const { runner, ran, model } = await start(callsTool('refund', { cents: 900 }, 'c1'), says('Done.'));
    await say(runner, 'Refund.');

    const events = await eventsOf(
      runner.approve(await only(runner), { by: 'eve', channel: 'slack', payload: { note: 'ok' } }),
    );

    expect(ran).toEqual([
      {
        cents: 900,
        confirmation: {
          hint: 'Refund 900 cents?',
          confirmed: true,
          payload: { note: 'ok' },
          by: 'eve',
          channel: 'slack',
        },
      },
    ]);
    expect(events.map(({ text, functionResponses }) => [text, functionResponses])).toEqual([
      ['', [{ id: 'c1', name: 'refund', response: { result: 'refunded 900' } }]],
      ['Done.', []],
    ]);
    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Refund.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'refund', args: { cents: 900 } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'refund', response: { result: 'refunded 900' } } }],
      },
    ]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('keeps in the log who approved it, by which way and when', async () => {
    const { runner } = await start(callsTool('refund', { cents: 900 }), says('Done.'));
    await say(runner, 'Refund.');
    await eventsOf(runner.approve(await only(runner), { by: 'eve', channel: 'slack' }));

    const answer = (await storedEvents(runner)).filter(({ author }) => author === 'user').at(-1)
      ?.functionResponses[0];
    expect(answer).toMatchObject({
      name: 'adk_request_confirmation',
      response: { confirmed: true, by: 'eve', channel: 'slack' },
    });
    expect(typeof answer?.response?.['at']).toBe('number');
  });

  it('does not run when it is refused, and the model learns the reason where there is one', async () => {
    const { runner, ran, model } = await start(
      callsTool('refund', { cents: 900 }),
      says('Sorry.'),
      callsTool('refund', { cents: 800 }),
      says('Sorry.'),
    );
    await say(runner, 'Refund.');
    const [response, last] = await eventsOf(runner.reject(await only(runner), { reason: 'Too much.' }));
    await say(runner, 'Refund less.');
    await eventsOf(runner.reject(await only(runner)));

    expect(response?.functionResponses.map((one) => one.response)).toEqual([
      { error: 'tool call was rejected', reason: 'Too much.' },
    ]);
    expect(last?.text).toBe('Sorry.');
    expect(ran).toEqual([]);
    expect(model.requests.at(-1)?.contents.at(-1)?.parts).toEqual([
      { functionResponse: { name: 'refund', response: { error: 'tool call was rejected by the user' } } },
    ]);
  });

  it('waits while the conversation goes on, and can still be approved', async () => {
    const { runner, ran, model } = await start(
      callsTool('refund', { cents: 900 }, 'c1'),
      says('It is being looked at.'),
      says('Done.'),
    );
    await say(runner, 'Refund.');

    const events = await say(runner, 'How far is it?');

    expect(events.map(({ text }) => text)).toEqual(['It is being looked at.']);
    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Refund.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'refund', args: { cents: 900 } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'refund', response: PENDING_RESPONSE } }],
      },
      { role: 'user', parts: [{ text: 'How far is it?' }] },
    ]);
    await eventsOf(runner.approve(await only(runner)));
    expect(ran).toHaveLength(1);
    expect(model.requests[2]?.contents.slice(2, 4)).toEqual([
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'refund', response: { result: 'refunded 900' } } }],
      },
      { role: 'user', parts: [{ text: 'How far is it?' }] },
    ]);
  });

  it('asks its predicate with the bound arguments, and not where the predicate says no', async () => {
    const { runner, ran } = await start(callsTool('refund', { cents: 500 }), says('Done.'));

    const events = await say(runner, 'Refund.');

    expect(ran).toEqual([{ cents: 500, confirmation: undefined }]);
    expect(events.at(-1)?.text).toBe('Done.');
  });

  it('is asked about with the name of its tool where the tool has no words of its own', async () => {
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
    const model = new ScriptedModel(callsTool('pay'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [pay] }), { model });

    await say(runner, 'Pay.');

    expect(await only(runner)).toMatchObject({ hint: 'Approve execution of tool `pay`?' });
  });
});

const DIGEST = expect.stringMatching(/^sha256:[\w-]{43}$/) as unknown;

const address = { userId: 'ada', sessionId: 's1' };
const cents = { type: 'object', properties: { cents: { type: 'number' } }, required: ['cents'] };

async function start(...steps: readonly ScriptedStep[]) {
  const ran: unknown[] = [];
  class Orders {
    @tool({ parameters: cents, confirm: (args) => args.cents > 500 && `Refund ${String(args.cents)} cents?` })
    refund(args: { cents: number }, { confirmation }: ToolContext): string {
      ran.push({ ...args, confirmation });
      return `refunded ${String(args.cents)}`;
    }

    @tool({ parameters: { type: 'object' } })
    look(): string {
      return 'fine';
    }
  }
  @agent({ description: '', tools: [Orders] })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { ran, model, runner: await createRunner(Clerk, { model }) };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}

async function storedEvents(runner: Runner): Promise<readonly Event[]> {
  return (await runner.sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
