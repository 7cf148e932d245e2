import { callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  type AuthConfig,
  createRunner,
  defineAgent,
  type Event,
  type FunctionCall,
  FunctionTool,
} from '../index.js';

describe('a call that waits', () => {
  it('is asked about in an event of its own, and answered as pending in the one response event', async () => {
    const [call, request, response, ...rest] = await pause([refund], {
      name: 'refund',
      args: { cents: 500 },
      id: 'c1',
    });

    expect(call?.longRunningToolIds).toEqual([]);
    expect(shapeOf(request)).toEqual({
      author: 'clerk',
      content: {
        role: 'user',
        parts: [
          {
            functionCall: {
              id: 'adk-1',
              name: 'adk_request_confirmation',
              args: {
                originalFunctionCall: { id: 'c1', name: 'refund', args: { cents: 500 } },
                toolConfirmation: { hint: 'Refund 500 cents?', confirmed: false },
                toolDefinition: expect.stringMatching(/^sha256:[\w-]{43}$/) as unknown,
              },
            },
          },
        ],
      },
      actions: {
        ...NO_ACTIONS,
        requestedToolConfirmations: { c1: { hint: 'Refund 500 cents?', confirmed: false } },
      },
      longRunningToolIds: ['adk-1'],
      nodeInfo: { path: 'clerk' },
    });
    expect(shapeOf(response)).toEqual({
      author: 'clerk',
      content: {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'c1',
              name: 'refund',
              response: { status: 'pending' },
              willContinue: true,
            },
          },
        ],
      },
      actions: NO_ACTIONS,
      nodeInfo: { path: 'clerk' },
    });
    expect(rest).toEqual([]);
  });

  it('shows what the tool wants shown beside the question', async () => {
    const [, request] = await pause([choose], { name: 'choose', id: 'c1' });

    expect(request?.functionCalls[0]?.args?.['toolConfirmation']).toEqual({
      hint: 'Which?',
      confirmed: false,
      payload: { max: 3 },
    });
    expect(request?.actions.requestedToolConfirmations).toEqual({
      c1: { hint: 'Which?', confirmed: false, payload: { max: 3 } },
    });
  });

  it('asks for a credential without any secret', async () => {
    const [, request, response] = await pause([mail], { name: 'mail', args: {}, id: 'c1' });

    expect(shapeOf(request)).toEqual({
      author: 'clerk',
      content: {
        role: 'user',
        parts: [
          {
            functionCall: {
              id: 'adk-1',
              name: 'adk_request_credential',
              args: {
                functionCallId: 'c1',
                authConfig: { authScheme: SCHEME, credentialKey: 'mail' },
                originalFunctionCall: { id: 'c1', name: 'mail', args: {} },
              },
            },
          },
        ],
      },
      actions: { ...NO_ACTIONS, requestedAuthConfigs: { c1: { authScheme: SCHEME, credentialKey: 'mail' } } },
      longRunningToolIds: ['adk-1'],
      nodeInfo: { path: 'clerk' },
    });
    expect(response?.functionResponses).toEqual([
      { id: 'c1', name: 'mail', response: { status: 'pending' }, willContinue: true },
    ]);
  });

  it('is asked about once for each call, before the one event that answers them all', async () => {
    const events = await pause(
      [refund, mail, look],
      { name: 'refund', args: { cents: 1 }, id: 'c1' },
      { name: 'look', id: 'c2' },
      { name: 'mail', id: 'c3' },
    );

    expect(
      events.map(({ functionCalls, functionResponses }) => [
        functionCalls.map(({ name }) => name),
        functionResponses,
      ]),
    ).toEqual([
      [['refund', 'look', 'mail'], []],
      [['adk_request_confirmation'], []],
      [['adk_request_credential'], []],
      [
        [],
        [
          { id: 'c1', name: 'refund', response: { status: 'pending' }, willContinue: true },
          { id: 'c2', name: 'look', response: { seen: true } },
          { id: 'c3', name: 'mail', response: { status: 'pending' }, willContinue: true },
        ],
      ],
    ]);
  });

  it('is in the log with all its events before the first of them is seen', async () => {
    const model = new ScriptedModel(callsTools({ name: 'refund', args: { cents: 1 } }), says('never'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [refund] }), { model });

    for await (const event of runner.run({ sessionId: 's1', message: 'Go.' }))
      if (event.pending.length > 0) break;

    const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'user', sessionId: 's1' });
    expect(
      session?.events.map(({ functionCalls, functionResponses }) => [
        functionCalls.length,
        functionResponses.length,
      ]),
    ).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    expect(await runner.pending({ sessionId: 's1' })).toMatchObject([
      { kind: 'confirmation', tool: 'refund', args: { cents: 1 } },
    ]);
  });
});

const SCHEME: AuthConfig['scheme'] = { type: 'http', scheme: 'bearer' };
const NO_ACTIONS = {
  stateDelta: {},
  artifactDelta: {},
  requestedAuthConfigs: {},
  requestedToolConfirmations: {},
};

const refund = new FunctionTool({
  name: 'refund',
  description: '',
  parameters: { type: 'object', properties: { cents: { type: 'integer' } } },
  confirm: ({ cents }) => `Refund ${String(cents)} cents?`,
  run: () => 'refunded',
});

const choose = new FunctionTool({
  name: 'choose',
  description: '',
  confirm: () => ({ hint: 'Which?', payload: { max: 3 } }),
  run: () => 'chosen',
});

/** Its own credential is of another scheme, so it does not serve. */
const mail = new FunctionTool({
  name: 'mail',
  description: '',
  auth: { scheme: SCHEME, key: 'mail' },
  run: () => 'sent',
});

const look = new FunctionTool({ name: 'look', description: '', run: () => ({ seen: true }) });

async function pause(tools: FunctionTool[], ...calls: FunctionCall[]): Promise<Event[]> {
  const model = new ScriptedModel(callsTools(...calls));
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
  const events = await eventsOf(runner.run({ message: 'Go.' }));
  model.assertDone();
  expect(JSON.stringify(events)).not.toContain('hunter2');
  return events;
}

/** What goes over the wire, without what is different each time. */
function shapeOf(event: Event | undefined): unknown {
  const { id, invocationId: _invocation, timestamp: _time, ...shape } = event?.toJSON() ?? {};
  const own = event?.functionCalls[0]?.id ?? String(id);
  return JSON.parse(JSON.stringify(shape).replaceAll(own, 'adk-1')) as unknown;
}
