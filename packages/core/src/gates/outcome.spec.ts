import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  Deny,
  FunctionTool,
  InMemorySessionService,
  Plugin,
  SessionService,
  ToolError,
} from '../index.js';
import { address, CALL, crashed } from './crashed-session.fixture.js';

const EFFECT = 'It may have taken effect.';

describe('the outcome of a call that fails after its tool has begun', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const broken = (): never => {
    throw new RangeError('secret');
  };

  it.each<[string, Partial<FunctionToolFields>, Partial<Plugin>, string]>([
    ['the time limit is reached', { run: never, timeout: 1 }, {}, 'the tool did not answer within 1 ms'],
    ['the tool throws', { run: broken }, {}, 'the tool failed (RangeError)'],
    ['afterTool throws', {}, { afterTool: broken }, 'the tool failed (RangeError)'],
    [
      'afterTool denies',
      {},
      { afterTool: () => new Deny('no') },
      'tool call was denied after the tool had begun',
    ],
    [
      'onToolError throws after the time limit',
      { run: never, timeout: 1 },
      { onToolError: broken },
      'the tool failed (RangeError)',
    ],
  ])('is unknown, and nobody is invited to repeat it: %s', async (_when, fields, hooks, cause) => {
    for (const effect of [undefined, 'write'] as const) {
      const response = await responseTo({ ...fields, effect }, hooks);

      expect(response).toMatchObject({ error: `outcome unknown: ${cause}. ${EFFECT}`, outcome: 'unknown' });
    }
  });

  it('is unknown also if the result cannot be read', async () => {
    const response = await responseTo({ run: () => 1n.constructor });

    expect(response).toMatchObject({ outcome: 'unknown' });
  });

  it.each(['beforeTool', 'afterTool', 'onToolError'] as const)(
    'is decided within checkTimeout if %s never answers',
    async (hook) => {
      const run = hook === 'onToolError' ? broken : () => 'paid';
      const response = await responseTo({ run, checkTimeout: 5 }, { [hook]: never });

      const error = response?.['error'];
      expect(error).toContain(`${hook} of the tool`);
      expect(error).toContain('did not answer within 5 ms');
      expect(response?.['outcome']).toBe(hook === 'beforeTool' ? undefined : 'unknown');
    },
  );

  it('of a tool that only reads says that it may be repeated', async () => {
    expect(await responseTo({ effect: 'read', run: never, timeout: 1 })).toEqual({
      error: 'The tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
    });
    expect(await responseTo({ effect: 'read', run: broken })).toEqual({
      error: 'The tool failed (RangeError). Details are hidden. Continue without it, or retry.',
    });
  });

  it('of an idempotent tool is unknown, and may be repeated', async () => {
    expect(await responseTo({ idempotent: true, run: never, timeout: 1 })).toEqual({
      error: 'The tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
      outcome: 'unknown',
    });
  });

  it('is the message of a ToolError: the tool itself knows', async () => {
    const run = () => Promise.reject(new ToolError('The card was declined.'));

    expect(await responseTo({ run })).toEqual({ error: 'The card was declined.' });
    expect(await responseTo({ run }, { onToolError: broken })).not.toHaveProperty('outcome');
    expect(await responseTo({ run: () => new Deny('no') })).not.toHaveProperty('outcome');
    expect(
      await responseTo({ run: () => new Deny('no') }, { afterTool: () => undefined }),
    ).not.toHaveProperty('outcome');
  });

  it('is unknown with the message of a ToolError that says so', async () => {
    const run = () => Promise.reject(new ToolError('No answer.', { mayHaveTakenEffect: true }));

    expect(await responseTo({ run })).toEqual({ error: 'No answer.', outcome: 'unknown' });
  });

  it('stays unknown if a later attempt throws a ToolError', async () => {
    let attempts = 0;
    const run = () =>
      attempts++ === 0 ? broken() : Promise.reject(new ToolError('No answer.', { final: true }));
    const retry = { attempts: 2, delayMs: 1, unsafe: true };

    expect(await responseTo({ run, retry })).toEqual({ error: 'No answer.', outcome: 'unknown' });
  });

  it.each<[string, Partial<FunctionToolFields>, Partial<Plugin>]>([
    ['beforeTool throws', {}, { beforeTool: broken }],
    ['beforeTool denies', {}, { beforeTool: () => new Deny('no') }],
    ['checkTool denies', {}, { checkTool: () => new Deny('no') }],
    ['the arguments do not fit', { parameters: { type: 'object', required: ['cents'] } }, {}],
    ['the rate limit is reached', { rateLimit: { calls: 1, perMs: 60_000 } }, {}],
  ])('is not unknown if the tool has not begun: %s', async (when, fields, hooks) => {
    const model = new ScriptedModel(callsTool('pay', {}, 'c1'), callsTool('pay', {}, 'c2'), says('Done.'));
    const events = await run(fields, hooks, model);

    const last = events.flatMap(({ functionResponses }) => functionResponses).at(-1);
    expect([when, last?.response?.['error']]).toEqual([when, expect.any(String)]);
    expect(last?.response).not.toHaveProperty('outcome');
  });
});

describe('the outcome of an interrupted call that runs again and does not complete', () => {
  it.each<[string, Partial<FunctionToolFields>, Partial<Plugin>]>([
    ['is denied', {}, { checkTool: () => new Deny('closed today') }],
    ['has arguments that no longer fit', { parameters: { type: 'object', required: ['cents'] } }, {}],
    ['throws', { run: () => Promise.reject(new Error('down')) }, {}],
    ['throws a ToolError', { run: () => Promise.reject(new ToolError('down')) }, {}],
  ])('stays unknown: it %s', async (_what, fields, hooks) => {
    const store = await crashed(CALL);
    const model = new ScriptedModel(says('Done.'));
    await resumed(store, { idempotent: true, ...fields }, hooks, model);

    expect(shownTo(model)).toMatchObject({ error: expect.any(String) as unknown, outcome: 'unknown' });
  });

  it('invites nobody to repeat it unless every call of the tool may be repeated', async () => {
    const store = await crashed(CALL);
    const model = new ScriptedModel(says('Done.'));
    const parameters = { type: 'object', required: ['cents'] };
    await resumed(store, { idempotent: () => true, parameters }, {}, model);

    expect(shownTo(model)).toEqual({
      error: `outcome unknown: the call was not run again (ToolArgumentsInvalidError). ${EFFECT}`,
      outcome: 'unknown',
    });
  });

  it('stays unknown if it is asked about anew and rejected', async () => {
    const store = await crashed(CALL, ASKED, PENDING, APPROVED);
    const model = new ScriptedModel(says('Done.'));
    const runner = await runnerOf(store, { idempotent: true, confirm: true }, {}, model);
    await runner.run({ ...address, message: 'And?' });
    const [request] = await runner.pending(address);
    if (request === undefined) throw new Error('nothing is pending');
    expect(request).toMatchObject({ kind: 'confirmation', mayHaveTakenEffect: true });

    await eventsOf(runner.reject(request, { reason: 'not now' }));

    expect(shownTo(model)).toEqual({
      error: 'tool call was rejected',
      reason: 'not now',
      outcome: 'unknown',
    });
  });

  it('is known if reconcile found that the interrupted run had no effect', async () => {
    const store = await crashed(CALL);
    const model = new ScriptedModel(says('Done.'));
    const declined = () => Promise.reject(new ToolError('The card was declined.'));
    await resumed(store, { run: declined, reconcile: () => undefined }, {}, model);

    expect(shownTo(model)).toEqual({ error: 'The card was declined.' });
  });
});

const ASKED = {
  author: 'clerk',
  longRunningToolIds: ['q1'],
  content: {
    role: 'user',
    parts: [
      {
        functionCall: {
          id: 'q1',
          name: 'adk_request_confirmation',
          args: {
            originalFunctionCall: { id: 'c1', name: 'pay', args: {} },
            toolConfirmation: { hint: 'Pay?', confirmed: false },
            toolDefinition: 'sha256:earlier',
          },
        },
      },
    ],
  },
};

const PENDING = {
  author: 'clerk',
  content: {
    role: 'user',
    parts: [{ functionResponse: { id: 'c1', name: 'pay', response: {}, willContinue: true } }],
  },
};

const APPROVED = {
  author: 'user',
  content: {
    role: 'user',
    parts: [
      { functionResponse: { id: 'q1', name: 'adk_request_confirmation', response: { confirmed: true } } },
    ],
  },
};

function runnerOf(
  store: SessionService,
  fields: Partial<FunctionToolFields>,
  hooks: Partial<Plugin>,
  model: ScriptedModel,
) {
  const pay = new FunctionTool({
    name: 'pay',
    description: '',
    parameters: { type: 'object' },
    run: () => 'paid',
    ...fields,
  });
  return createRunner(defineAgent({ name: 'clerk', tools: [pay] }), {
    model,
    appName: 'clerk',
    plugins: [Object.assign(new Hooks(), hooks)],
    config: { takeOverAfter: 0 },
    modules: [
      toolPolicies,
      new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store)),
    ],
  });
}

class Hooks extends Plugin {
  readonly name = 'hooks';
}

async function resumed(
  store: SessionService,
  fields: Partial<FunctionToolFields>,
  hooks: Partial<Plugin>,
  model: ScriptedModel,
) {
  await using runner = await runnerOf(store, fields, hooks, model);
  return await eventsOf(runner.run({ ...address, message: 'And?' }));
}

async function run(fields: Partial<FunctionToolFields>, hooks: Partial<Plugin>, model: ScriptedModel) {
  await using runner = await runnerOf(new InMemorySessionService(), fields, hooks, model);
  return await eventsOf(runner.run({ ...address, message: 'Pay.' }));
}

/** The response to one call of a tool. */
async function responseTo(fields: Partial<FunctionToolFields>, hooks: Partial<Plugin> = {}) {
  const steps: ScriptedStep[] = [callsTool('pay'), says('Done.')];
  const events = await run(fields, hooks, new ScriptedModel(...steps));
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}

/** The last response that the model was shown. */
function shownTo(model: ScriptedModel) {
  const parts = model.requests.at(-1)?.contents.flatMap(({ parts = [] }) => parts) ?? [];
  return parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []).at(-1);
}
