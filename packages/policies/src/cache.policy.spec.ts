import { type ToolContext, ToolError } from '@adorn/core';
import { type Arguments, type CacheOptions, type FunctionToolFields, isSameJson } from '@adorn/core/backend';
import fc from 'fast-check';

import { credentialForTool } from '../../core/src/auth/auth-credential.js';
import { type CallParts, toolNamed } from '../../core/src/gates/tool-call.fixture.js';
import { Deferred, PolicyStage, settle } from './policy-stage.fixture.js';

describe('cache', () => {
  it('answers equal arguments from one run, whatever the order of their keys', async () => {
    const { respond, runs } = rain();

    const first = await respond({ args: { at: { city: 'Rome', days: [1, 2] }, unit: 'mm' } });
    const second = await respond({ args: { unit: 'mm', at: { days: [1, 2], city: 'Rome' } } });

    expect([first, second]).toEqual([{ run: 1 }, { run: 1 }]);
    expect(runs()).toBe(1);
  });

  it('keeps no result that stands for a failure', async () => {
    const stage = new PolicyStage();
    const run = jest.fn().mockReturnValue({ status: 200 }).mockReturnValueOnce({ status: 503 });
    const tool = Object.assign(toolNamed('rain', { cache: true, run }), {
      failureIn: (result: unknown) =>
        (result as { readonly status: number }).status === 503 ? new ToolError('It is busy.') : undefined,
    });

    const responses = [await stage.respond(tool), await stage.respond(tool), await stage.respond(tool)];

    expect(responses).toEqual([{ status: 503 }, { status: 200 }, { status: 200 }]);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('keeps what a model reads of a large whole number: its digits', async () => {
    const stage = new PolicyStage();
    const run = jest.fn(() => ({ id: 12_345_678_901_234_567_890n }));
    const tool = toolNamed('rain', { cache: true, run });

    const responses = [await stage.respond(tool), await stage.respond(tool)];

    expect(responses).toEqual([{ id: '12345678901234567890' }, { id: '12345678901234567890' }]);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs again for every other argument', () =>
    fc.assert(
      fc.asyncProperty(argumentLists, async (all) => {
        const { respond, runs } = rain();
        const distinct: Arguments[] = [];

        for (const args of all) {
          await respond({ args });
          if (!distinct.some((known) => isSameJson(known, args))) distinct.push(args);
        }

        expect(runs()).toBe(distinct.length);
      }),
      { numRuns: 100 },
    ));

  it.each([
    ['{"__proto__":{"a":1}}', '{}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['{"constructor":1}', '{}'],
    ['{"a":"1"}', '{"a":1}'],
    ['{"a":null}', '{}'],
    ['{"a":[["b"],"c"]}', '{"a":["b",["c"]]}'],
    ['{"a":"\\",\\"b\\":\\"c"}', '{"a":"","b":"c"}'],
    ['{"a":{"b":1}}', '{"a":[{"b":1}]}'],
  ])('takes %s and %s for different arguments', async (one, other) => {
    const { respond, runs } = rain();

    await respond({ args: JSON.parse(one) as Arguments });
    await respond({ args: JSON.parse(other) as Arguments });

    expect(runs()).toBe(2);
  });

  it.each<[CacheOptions['scope'], readonly boolean[]]>([
    [undefined, [true, false, false]],
    ['invocation', [false, false, false]],
    ['session', [true, false, false]],
    ['user', [true, true, false]],
    ['app', [true, true, true]],
  ])('with the scope %s shares a result with another run, session and user: %j', async (scope, shared) => {
    const { respond } = rain({ cache: scope === undefined ? true : { scope } });
    await respond();

    const others = [
      await respond({ invocationId: 'i2' }),
      await respond({ invocationId: 'i2', sessionId: 's2' }),
      await respond({ invocationId: 'i2', userId: 'bob' }),
    ];

    expect(others.map((response) => isSameJson(response, { run: 1 }))).toEqual(shared);
  });

  it('does not share a result that was had with a credential between users, not even in the whole app', async () => {
    const { stage, tool } = rain({ cache: { scope: 'app' } });
    const withCredential = async (userId: string): Promise<unknown> => {
      const call = await stage.call(tool, { userId });
      call.context.credential = { type: 'bearer', token: userId };
      return stage.enter(call);
    };

    expect(await withCredential('ada')).toMatchObject({ response: { run: 1 } });
    expect(await withCredential('bob')).toMatchObject({ response: { run: 2 } });
    expect(await withCredential('ada')).toMatchObject({ response: { run: 1 } });
    expect(await stage.respond(tool)).toEqual({ run: 3 });
  });

  it('does not share a result that was had with another credential of the same user', async () => {
    const { stage, tool } = rain({ cache: true });
    const withKey = async (apiKey: string): Promise<unknown> => {
      const call = await stage.call(tool);
      call.context.credential = credentialForTool({ type: 'apiKey', apiKey });
      return stage.enter(call);
    };

    expect(await withKey('first')).toMatchObject({ response: { run: 1 } });
    expect(await withKey('second')).toMatchObject({ response: { run: 2 } });
    expect(await withKey('first')).toMatchObject({ response: { run: 1 } });
  });

  it('shares a result that was had with a credential no wider than its scope', async () => {
    const { stage, tool, runs } = rain({ cache: { scope: 'session' } });
    for (const sessionId of ['s1', 's2', 's1']) {
      const call = await stage.call(tool, { sessionId });
      call.context.credential = { type: 'bearer', token: 't' };
      await stage.enter(call);
    }

    expect(runs()).toBe(2);
  });

  it('uses a result until its time is over, and none from the future', async () => {
    const { respond, stage } = rain({ cache: { ttlMs: 1_000 } });

    await respond();
    await stage.clock.advance(999);
    expect(await respond()).toEqual({ run: 1 });
    await stage.clock.advance(1);
    expect(await respond()).toEqual({ run: 2 });
    await stage.clock.advance(-1);
    expect(await respond()).toEqual({ run: 3 });
  });

  it('uses a result for five minutes by default, and as long as the runner lives with Infinity', async () => {
    const [usual, endless] = [rain(), rain({ cache: { ttlMs: Infinity } })];
    for (const { respond, stage } of [usual, endless]) {
      await respond();
      await stage.clock.advance(299_999);
      expect(await respond()).toEqual({ run: 1 });
      await stage.clock.advance(1);
    }

    expect(await usual.respond()).toEqual({ run: 2 });
    expect(await endless.respond()).toEqual({ run: 1 });
    endless.stage.gate.close();
    expect(await endless.respond()).toEqual({ run: 2 });
  });

  it('keeps the most recently used results, up to a number', async () => {
    const { respond } = rain({ cache: { maxEntries: 2 } });
    const ask = (city: string): Promise<unknown> => respond({ args: { city } });

    await ask('Rome');
    await ask('Oslo');
    await ask('Rome');
    await ask('Bonn');

    expect(await ask('Rome')).toEqual({ run: 1 });
    expect(await ask('Oslo')).toEqual({ run: 4 });
  });

  it('keeps a thousand results of ten thousand', async () => {
    const { stage, tool, runs } = rain();
    const call = await stage.call(tool);
    for (let n = 0; n < 10_000; n++) {
      call.args = { n };
      await stage.enter(call);
    }
    expect(runs()).toBe(10_000);

    call.args = { n: 9_000 };
    await stage.enter(call);
    expect(runs()).toBe(10_000);
    call.args = { n: 8_999 };
    await stage.enter(call);
    expect(runs()).toBe(10_001);
  });

  it('gives every call a copy, in the form that the first one had', async () => {
    const at = new Date(0);
    const { respond } = rain({ run: () => ({ at, list: [1, undefined], big: 10n }) });
    const seen: unknown[] = [];
    const afterTool = (_tool: unknown, _args: unknown, result: unknown): Promise<undefined> => {
      seen.push(structuredClone(result));
      (result as Record<string, unknown>)['at'] = 'changed';
      return Promise.resolve(undefined);
    };

    await respond({ callbacks: { afterTool } });
    await respond({ callbacks: { afterTool } });

    const expected = { at: '1970-01-01T00:00:00.000Z', list: [1, null], big: '10' };
    expect(seen).toEqual([expected, expected]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'dry'],
    ['a list', [1]],
    ['a generator', generate],
  ])('answers with %s twice in the same way', async (_what, result) => {
    const run = typeof result === 'function' ? (result as () => unknown) : () => result;
    const { respond, runs } = rain({ run });

    expect(await respond()).toEqual(await respond());
    expect(runs()).toBe(1);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => thrower(new Error('down'))],
    ['throws undefined', () => thrower(undefined)],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['gives what JSON cannot hold', () => new Map([[1, 2]])],
  ])('does not keep the answer of a tool that %s', async (_how, run) => {
    const { respond, runs } = rain({ run });

    await respond();
    await respond();

    expect(runs()).toBe(2);
  });

  it('lets afterTool convert what JSON cannot hold', async () => {
    const { respond } = rain({ run: () => new Map([['mm', 3]]) });
    const afterTool = (_tool: unknown, _args: unknown, result: unknown): Promise<unknown> =>
      Promise.resolve(Object.fromEntries(result as Map<string, number>));

    expect(await respond({ callbacks: { afterTool } })).toEqual({ mm: 3 });
  });

  it.each<[string, (context: ToolContext) => void]>([
    [
      'writes state',
      ({ state }) => {
        state.set('seen', 1);
      },
    ],
    ['requests an action', ({ actions }) => void (actions.escalate = true)],
    ['returns a handle', (context) => void (context.longRunning = true)],
    [
      'looks up a credential',
      (context) => void context.getAuthResponse({ scheme: { type: 'http', scheme: 'bearer' }, key: 'met' }),
    ],
    ['has got a credential', (context) => void (context.credential = { type: 'bearer', token: 't' })],
  ])('does not keep the result of a run that %s', async (_what, act) => {
    const { respond, runs } = rain({
      run: (_args, context) => {
        act(context);
        return 'done';
      },
    });

    await respond();
    await respond();

    expect(runs()).toBe(2);
  });

  it('keeps the result where only a callback before it has written state', async () => {
    const { stage, tool, runs } = rain();
    for (const count of [1, 2]) {
      const call = await stage.call(tool);
      call.context.state.set('calls', count);
      await stage.enter(call);
    }

    expect(runs()).toBe(1);
  });

  it('runs again for another payload of the approval', async () => {
    const { stage, tool, runs } = rain();
    for (const max of [1, 2, 1]) {
      const call = await stage.call(tool);
      call.context.confirmation = { hint: 'Sure?', confirmed: true, payload: { max } };
      await stage.enter(call);
    }

    expect(runs()).toBe(2);
  });

  it('runs a tool of the same name with another definition', async () => {
    const stage = new PolicyStage();
    const run = jest.fn(() => 'done');
    for (const description of ['Rain in mm.', 'Rain in inches.', 'Rain in mm.'])
      await stage.respond(toolNamed('rain', { description, cache: true, run }));

    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('equal calls at the same time', () => {
  it('share one run', async () => {
    const { stage, tool, running } = slowRain();
    const calls = [await stage.start(tool), await stage.start(tool), await stage.start(tool)];
    expect(calls.map(({ response }) => response)).toEqual([undefined, undefined, undefined]);

    running[0]?.resolve({ mm: 3 });
    await settle();

    expect(calls.map(({ response }) => response)).toEqual([{ mm: 3 }, { mm: 3 }, { mm: 3 }]);
    expect(running).toHaveLength(1);
  });

  it('share a result that is too large to be kept', async () => {
    const { stage, tool, running } = slowRain();
    const calls = [await stage.start(tool), await stage.start(tool)];

    running[0]?.resolve('x'.repeat(16 * 2 ** 20));
    // It is stored in pieces, with pauses.
    while (calls.some(({ response }) => response === undefined)) await settle();

    expect(running).toHaveLength(1);
    expect(calls.map(({ response }) => response)).toMatchObject([{ truncated: true }, { truncated: true }]);
    await stage.start(tool);
    expect(running).toHaveLength(2);
  });

  it('fail together, and the next one runs again', async () => {
    const { stage, tool, running } = slowRain({ exposeErrors: true });
    const calls = [await stage.start(tool), await stage.start(tool)];

    running[0]?.reject(new Error('down'));
    await settle();
    const third = await stage.start(tool);

    expect(calls.map(({ response }) => response)).toEqual([{ error: 'down' }, { error: 'down' }]);
    expect(third.response).toBeUndefined();
    expect(running).toHaveLength(2);
  });

  it('run again, once, where the invocation of the first is cancelled', async () => {
    const { stage, tool, running } = slowRain();
    const first = await stage.start(tool);
    const others = [await stage.start(tool), await stage.start(tool)];

    await first.cancel();
    expect(running).toHaveLength(2);
    running[1]?.resolve('dry');
    await settle();

    expect(first.response).toMatchObject({ outcome: 'unknown' });
    expect(others.map(({ response }) => response)).toEqual([{ result: 'dry' }, { result: 'dry' }]);
    expect(running).toHaveLength(2);
  });

  it('are left by one whose own invocation is cancelled', async () => {
    const { stage, tool, running } = slowRain();
    const [first, second] = [await stage.start(tool), await stage.start(tool)];

    await second.cancel();
    expect(second.response).toEqual({ error: 'The invocation was cancelled before this was done.' });
    running[0]?.resolve('dry');
    await settle();

    expect(first.response).toEqual({ result: 'dry' });
  });

  it('run each for itself where a run does more than to return a result', async () => {
    const { stage, tool, running } = slowRain();
    const calls = [await stage.start(tool), await stage.start(tool), await stage.start(tool)];

    calls[0]?.call.context.state.set('seen', true);
    running[0]?.resolve('own');
    await settle();
    expect(running).toHaveLength(3);
    for (const one of running) one.resolve('again');
    await settle();

    expect(calls.map(({ response }) => response)).toEqual(
      ['own', 'again', 'again'].map((result) => ({ result })),
    );
  });

  it('do not share a run between scopes', async () => {
    const { stage, tool, running } = slowRain();
    await stage.start(tool);
    await stage.start(tool, { sessionId: 's2' });
    await stage.start(tool, { userId: 'bob' });

    expect(running).toHaveLength(3);
  });
});

const keys = fc.constantFrom('a', 'b', '__proto__', 'constructor', '');
const argumentLists = fc.array(
  fc.dictionary(keys, fc.oneof(fc.constantFrom(1, '1', null, true), fc.jsonValue({ maxDepth: 2 })), {
    noNullPrototype: true,
  }),
  { maxLength: 12 },
);

type Respond = (parts?: CallParts) => Promise<unknown>;

function rain(fields: Partial<FunctionToolFields> = {}) {
  const stage = new PolicyStage();
  let count = 0;
  const tool = toolNamed('rain', {
    cache: true,
    ...fields,
    run: (args, context) => {
      const run = ++count;
      return fields.run === undefined ? { run } : fields.run(args, context);
    },
  });
  const respond: Respond = (parts) => stage.respond(tool, parts);
  return { stage, tool, respond, runs: () => count };
}

/** A tool whose runs the test ends. */
function slowRain(fields: Partial<FunctionToolFields> = {}) {
  const stage = new PolicyStage();
  const running: Deferred<unknown>[] = [];
  const run = (): Promise<unknown> => {
    const one = new Deferred<unknown>();
    running.push(one);
    return one.promise;
  };
  return { stage, running, tool: toolNamed('rain', { cache: true, timeout: Infinity, ...fields, run }) };
}

async function* generate(): AsyncGenerator<unknown, unknown> {
  yield await Promise.resolve('half');
  return { whole: true };
}

function thrower(thrown: unknown): never {
  throw thrown;
}
