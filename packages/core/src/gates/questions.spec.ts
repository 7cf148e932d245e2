import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  Clock,
  ContainerModule,
  createRunner,
  CredentialRejectedError,
  defineAgent,
  Deny,
  type Event,
  FunctionTool,
  InMemorySessionService,
  Logger,
  type PendingRequest,
  Plugin,
  type Runner,
  SessionService,
  type ToolContext,
} from '../index.js';
import { crashed } from './crashed-session.fixture.js';
import { Lines } from './questions.fixture.js';
import { PENDING_RESPONSE } from '../events/placeholder-response.js';

const KEY = { userId: 'user', sessionId: 's1' };
const SCHEME = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;

describe('a callback that asks when its tool has ended', () => {
  it('gets the result of the tool, and its control actions and state hold though the tool does not run again', async () => {
    const tool = pay({
      run: (_args, context) => {
        context.state.set('paid', (context.state.get<number>('paid') ?? 0) + 1);
        context.actions.skipSummarization = true;
        return [7n, 'two'];
      },
    });
    const results: unknown[] = [];
    const asking = after((result, context) => {
      results.push(result);
      context.state.set('seen', (context.state.get<number>('seen') ?? 0) + 1);
      context.requestConfirmation('Show it?');
    });
    const sessions = new InMemorySessionService();
    const first = await start({ tools: [tool], plugins: [asking], sessions }, callsTool('pay', {}, 'c1'));
    await say(first);
    const stored = await stateOf(first, sessions);
    const second = await start({ tools: [tool], plugins: [asking], sessions });

    const events = await approve(second);

    expect(results).toEqual([
      [7n, 'two'],
      ['7', 'two'],
    ]);
    expect(stored).toEqual({ paid: 1 });
    expect(await stateOf(second, sessions)).toEqual({ paid: 1, seen: 1 });
    const last = events.at(-1);
    expect(last?.functionResponses).toMatchObject([{ response: { result: ['7', 'two'] } }]);
    expect(last?.actions.skipSummarization).toBe(true);
  });

  it.each<[string, FunctionToolFields['run'], unknown]>([
    ['undefined', () => undefined, { result: null }],
    [
      'a Deny',
      () => new Deny('not today'),
      { error: expect.stringContaining('denied') as unknown, reason: 'not today' },
    ],
    ['a Blob', () => new Blob(['hi'], { type: 'text/plain' }), { mimeType: 'text/plain', data: 'aGk=' }],
    ['an object', () => ({ a: [null, 1] }), { a: [null, 1] }],
  ])('is told %s as the tool ended with it', async (_what, run, told) => {
    const sessions = new InMemorySessionService();
    const parts = {
      tools: [pay({ run })],
      plugins: [after((_result, context) => void context.requestConfirmation())],
      sessions,
    };
    await say(await start(parts, callsTool('pay', {}, 'c1')));

    const events = await approve(await start(parts, says('Done.')));

    expect(responseIn(events)).toMatchObject(told as object);
  });

  it('fails the call if the result is not JSON: the outcome is unknown, and the tool has run once', async () => {
    let ran = 0;
    const tool = pay({ run: () => ({ ran: ++ran, call: () => 1 }) });
    const asking = after((_result, context) => void context.requestConfirmation());
    await using runner = await start({ tools: [tool], plugins: [asking] }, callsTool('pay'), says('Done.'));

    const events = await say(runner);

    expect([ran, responseIn(events)]).toMatchObject([1, { outcome: 'unknown' }]);
    expect(await runner.pending(KEY)).toEqual([]);
  });

  it('is answered by a log of an earlier version, which does not hold the result, as unknown', async () => {
    let ran = 0;
    const originalFunctionCall = { id: 'c1', name: 'pay', args: {} };
    const args = {
      originalFunctionCall,
      toolConfirmation: { hint: 'Show it?', confirmed: false },
      askedBy: 'tool',
      mayHaveTakenEffect: true,
    };
    const functionResponse = { id: 'c1', name: 'pay', response: PENDING_RESPONSE, willContinue: true };
    const sessions = await crashed(
      { author: 'clerk', content: { role: 'model', parts: [{ functionCall: originalFunctionCall }] } },
      {
        author: 'clerk',
        longRunningToolIds: ['q1'],
        content: {
          role: 'user',
          parts: [{ functionCall: { id: 'q1', name: 'adk_request_confirmation', args } }],
        },
      },
      { author: 'clerk', content: { role: 'user', parts: [{ functionResponse }] } },
    );
    await using runner = await start({ tools: [pay({ run: () => ++ran })], sessions }, says('Done.'));

    const events = await approve(runner);

    expect([ran, responseIn(events)]).toMatchObject([0, { outcome: 'unknown' }]);
  });
});

describe('a function that cannot ask', () => {
  it('gets an error, and the call has its outcome: idempotent', async () => {
    const codes: unknown[] = [];
    const tool = pay({
      idempotent: (_args: unknown, context: ToolContext) => {
        try {
          context.requestConfirmation();
        } catch (error) {
          codes.push(error);
        }
        return true;
      },
      retry: { attempts: 2, delayMs: 0 },
      run: () => {
        throw new Error('The line is busy.');
      },
    });
    await using runner = await start({ tools: [tool] }, callsTool('pay'), says('Done.'));

    await say(runner);

    expect(codes).toMatchObject([{ code: 'CONTEXT_CLOSED' }]);
    expect(await runner.pending(KEY)).toEqual([]);
  });

  it('gets an error when its call has its outcome', async () => {
    const contexts: ToolContext[] = [];
    const tool = pay({ run: (_args, context) => contexts.push(context) });
    await using runner = await start({ tools: [tool] }, callsTool('pay'), says('Done.'));
    await say(runner);

    expect(() => contexts[0]?.requestConfirmation()).toThrow(
      expect.objectContaining({ code: 'CONTEXT_CLOSED' }) as Error,
    );
    await expect(contexts[0]?.requestInput({})).rejects.toMatchObject({ code: 'CONTEXT_CLOSED' });
    expect(await runner.pending(KEY)).toEqual([]);
  });
});

describe('a Deny of checkTool', () => {
  it('refuses a call about which another checkTool asks: nobody is asked', async () => {
    class Asks extends Plugin {
      override readonly name: string = 'asks';
      override checkTool(_tool: unknown, _args: unknown, context: ToolContext): undefined {
        context.requestConfirmation();
      }
    }
    class Denies extends Plugin {
      override readonly name: string = 'denies';
      override checkTool(): Deny {
        return new Deny('never');
      }
    }
    const plugins = [new Asks(), new Denies()];
    await using runner = await start({ tools: [pay({})], plugins }, callsTool('pay'), says('Done.'));

    const events = await say(runner);

    expect(responseIn(events)).toEqual({ error: 'tool call was denied', reason: 'never' });
    expect(await runner.pending(KEY)).toEqual([]);
  });
});

describe('an answer that was given', () => {
  it('is not asked for again after a credential was renewed within the call', async () => {
    const used: unknown[] = [];
    const tool = pay({
      run: async (_args, context) => {
        context.requestConfirmation('Really?');
        const credential = await context.requestCredential({ scheme: SCHEME, key: 'desk' });
        used.push(credential);
        if (used.length === 1) throw new CredentialRejectedError('The key is old.');
        return 'paid';
      },
    });
    await using runner = await start({ tools: [tool] }, callsTool('pay', {}, 'c1'), says('Done.'));
    await say(runner);
    const kinds: string[] = [];
    for (let [request] = await runner.pending(KEY); request; [request] = await runner.pending(KEY)) {
      kinds.push(`${request.kind} ${request.askedAgain?.reason ?? 'first'}`);
      await answer(runner, request);
    }

    expect(kinds).toEqual([
      'confirmation first',
      'credential QUESTION_DIFFERS',
      'credential CREDENTIAL_REJECTED',
    ]);
    expect(used).toHaveLength(2);
  });

  it('in time stays valid while the call waits for a credential', async () => {
    const clock = new ManualClock();
    const tool = pay({ confirm: true, auth: { scheme: SCHEME, key: 'desk' } });
    const parts = { tools: [tool], clock, expires: 60_000 };
    await using runner = await start(parts, callsTool('pay', {}, 'c1'), says('Done.'));
    await say(runner);
    await approve(runner);
    await clock.advance(3_600_000);

    const [request] = await runner.pending(KEY);
    const events = await answer(runner, request!);

    expect([request?.kind, responseIn(events)]).toEqual(['credential', { result: 'paid' }]);
  });

  it('too late is asked for again, and the request, the log and the event say so', async () => {
    const clock = new ManualClock();
    const logger = new Lines();
    const parts = { tools: [pay({ confirm: true })], clock, logger, expires: 60_000 };
    await using runner = await start(parts, callsTool('pay', {}, 'c1'), says('Done.'));
    await say(runner);
    const [first] = await runner.pending(KEY);
    await clock.advance(60_000);
    await answer(runner, first!);

    const [again] = await runner.pending(KEY);

    expect(again?.askedAgain).toEqual({
      reason: 'EXPIRED',
      message: 'The earlier answer was given after the question had expired.',
      request: first?.id,
    });
    expect(logger.lines.find(([line]) => line === 'a call asks a person again')?.[1]).toMatchObject({
      reason: 'EXPIRED',
    });
    await expect(
      eventsOf(runner.approve({ ...again!, askedAgain: { reason: 'OTHER_CALL', message: '' } })),
    ).rejects.toMatchObject({
      code: 'REQUEST_CHANGED',
    });
  });

  it('to a request that says that its call may have taken effect is compared with it', async () => {
    const asking = after((_result, context) => void context.requestConfirmation());
    await using runner = await start(
      { tools: [pay({})], plugins: [asking] },
      callsTool('pay'),
      says('Done.'),
    );
    await say(runner);
    const [request] = await runner.pending(KEY);

    const changed = eventsOf(runner.approve({ ...request!, mayHaveTakenEffect: false }));

    await expect(changed).rejects.toMatchObject({ code: 'REQUEST_CHANGED' });
    expect(await runner.pending(KEY)).toEqual([request]);
  });
});

interface Parts {
  readonly tools: readonly FunctionTool[];
  readonly plugins?: readonly Plugin[];
  readonly sessions?: SessionService;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** In milliseconds. */
  readonly expires?: number;
}

async function start(parts: Parts, ...steps: readonly ScriptedStep[]): Promise<Runner> {
  const { tools, plugins = [], sessions, clock, logger = new Lines(), expires = Infinity } = parts;
  const bindings = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(logger);
    if (sessions) bind(SessionService).toConstantValue(sessions);
    if (clock) bind(Clock).toConstantValue(clock);
  });
  return createRunner(defineAgent({ name: 'clerk', tools: [...tools] }), {
    model: new ScriptedModel(...steps),
    modules: [toolPolicies, bindings],
    plugins,
    config: { confirmationExpiresAfter: expires },
  });
}

function pay(fields: Partial<FunctionToolFields>): FunctionTool {
  return new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object' },
    run: () => 'paid',
    ...fields,
  });
}

function after(ask: (result: unknown, context: ToolContext) => void): Plugin {
  return new (class extends Plugin {
    override readonly name = 'after';
    override afterTool(_tool: unknown, _args: unknown, result: unknown, context: ToolContext): void {
      ask(result, context);
    }
  })();
}

function say(runner: Runner): Promise<Event[]> {
  return eventsOf(runner.run({ ...KEY, message: 'Pay.' }));
}

async function approve(runner: Runner): Promise<Event[]> {
  const [request] = await runner.pending(KEY);
  if (request === undefined) throw new Error('Nothing is pending.');
  return eventsOf(runner.approve(request));
}

function answer(runner: Runner, request: PendingRequest): Promise<Event[]> {
  return eventsOf(
    request.kind === 'credential'
      ? runner.supply(request, { type: 'apiKey', apiKey: 'a-secret-key' })
      : runner.approve(request),
  );
}

/** The last response to the call. */
function responseIn(events: readonly Event[]): unknown {
  return events.flatMap(({ functionResponses }) => functionResponses).at(-1)?.response;
}

async function stateOf({ appName }: Runner, sessions: SessionService): Promise<unknown> {
  return { ...(await sessions.getSession({ appName, ...KEY }))?.state };
}
