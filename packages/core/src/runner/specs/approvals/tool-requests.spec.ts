import {
  callsTool,
  callsTools,
  eventsOf,
  ManualClock,
  says,
  ScriptedModel,
  type ScriptedStep,
} from '@adorn/testing';
import { z } from 'zod';

import type { AppendOptions, FunctionToolFields } from '../../../backend.js';
import {
  type AuthConfig,
  Clock,
  ContainerModule,
  type Content,
  createRunner,
  CredentialRejectedError,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  Logger,
  type PendingRequest,
  Plugin,
  type RunConfig,
  type Runner,
  type Session,
  SessionService,
  type ToolContext,
} from '../../../index.js';
import { MortalSessionService } from '../../../agents/workflow/workflow.fixture.js';
import { ListLogger } from '../../../gates/tool-call.fixture.js';
import { PENDING_RESPONSE } from '../../../events/placeholder-response.js';

describe('a tool that asks for an input while it runs', () => {
  it.each([
    ['requestInput', (context: ToolContext) => context.requestInput({ aprovers: 'others' } as never)],
    [
      'requestConfirmation',
      (context: ToolContext) => context.requestConfirmation({ hint: 'Pay?', aprovers: 'others' } as never),
    ],
  ])(
    'fails for a misspelt option of %s: the requester is not asked in place of others',
    async (method, ask) => {
      const failures: unknown[] = [];
      const asking = tool(async (_args, context) => {
        await Promise.resolve(context)
          .then(ask)
          .catch((error: unknown) => failures.push(error));
        throw new Error('ended');
      });
      await using runner = await start([asking], callsTool('work'), says('No.'));
      await say(runner);

      expect(await runner.pending(address)).toEqual([]);
      expect(failures).toMatchObject([
        {
          message: expect.stringContaining(
            `context.${method}: there is no option aprovers. Did you mean approvers?`,
          ),
        },
      ]);
    },
  );

  it('asks those whom a confirmation names, also without a hint', async () => {
    const pay = tool((_args, context) => {
      context.requestConfirmation({ approvers: 'others' });
      return 'paid';
    });
    await using runner = await start([pay], callsTool('work'), says('Paid.'));
    await say(runner);

    const [request] = await runner.pending(address);
    expect(request).toMatchObject({ hint: 'Approve execution of tool `work`?', approvers: ['others'] });
  });

  it('pauses the run, and runs again with the answer', async () => {
    const runs: unknown[] = [];
    const book = tool(async (_args, context) => {
      const day = await context.requestInput({ message: 'Which day?', schema: DAY });
      runs.push(day);
      return { booked: day };
    });
    await using runner = await start([book], callsTool('work'), says('Booked.'));

    await say(runner);

    expect(runs).toEqual([]);
    expect(await runner.pending(address)).toMatchObject([
      { kind: 'input', tool: 'work', hint: 'Which day?', schema: DAY, askedBy: 'tool' },
    ]);
    const events = await supply(runner, 'Monday');
    expect(runs).toEqual(['Monday']);
    expect(events.at(-1)?.text).toBe('Booked.');
    expect(await runner.pending(address)).toEqual([]);
  });

  it('keeps its answers where the process dies while it runs with them', async () => {
    class FailingSessions extends InMemorySessionService {
      isFailing = false;

      override async appendEvent(...args: Parameters<SessionService['appendEvent']>) {
        if (this.isFailing && args[1].author !== 'user') throw new Error('The store is down.');
        return super.appendEvent(...args);
      }
    }
    const sessions = new FailingSessions();
    const days: unknown[] = [];
    const book = tool(
      async (_args, context) => days.push(await context.requestInput({ message: 'Which day?' })),
      {
        idempotent: true,
      },
    );
    const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
    const open = (...steps: readonly ScriptedStep[]) =>
      createRunner(defineAgent({ name: 'clerk', tools: [book], model: new ScriptedModel(...steps) }), {
        modules,
      });
    const first = await open(callsTool('work'));
    await say(first);
    sessions.isFailing = true;
    await expect(supply(first, 'Monday')).rejects.toThrow('down');
    sessions.isFailing = false;

    const events = await eventsOf((await open(says('Booked.'))).resume(address));

    expect([days, events.at(-1)?.text]).toEqual([['Monday', 'Monday'], 'Booked.']);
  });

  it('is asked as the clients of the ADK know it', async () => {
    const ask = tool((_args, context) =>
      context.requestInput({ message: 'Which day?', payload: { from: 1 }, schema: DAY }),
    );
    await using runner = await start([ask], callsTool('work'));

    const events = await say(runner);

    const [asking] = events.flatMap(({ functionCalls }) => functionCalls).slice(1);
    expect(asking?.name).toBe('adk_request_input');
    expect(asking?.args).toMatchObject({
      interruptId: asking?.id,
      message: 'Which day?',
      payload: { from: 1 },
      response_schema: DAY,
    });
  });

  it('gets each of several answers in turn, whatever the order of its own questions', async () => {
    let run = 0;
    const answers: unknown[] = [];
    const ask = tool(async (_args, context) => {
      const names = run++ % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      const given: Record<string, unknown> = {};
      for (const name of names) given[name] = await context.requestInput({ message: name });
      answers.push(given);
      return 'ok';
    });
    await using runner = await start([ask], callsTool('work'), says('Done.'));
    await say(runner);

    await supply(runner, 1);
    await supply(runner, 2);

    expect(answers).toEqual([{ a: 1, b: 2 }]);
  });

  it('is told to let the pause pass', async () => {
    const caught: unknown[] = [];
    const ask = tool(async (_args, context) => {
      await context.requestInput({}).catch((error: unknown) => caught.push(error));
    });
    await using runner = await start([ask], callsTool('work'));

    await say(runner);

    expect(caught).toMatchObject([
      {
        code: 'TOOL_PAUSED',
        message:
          'The tool "work" waits for an answer to its request. Do not catch this error: the tool runs again from its ' +
          'start once the answer is there.',
      },
    ]);
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('asks the same twice if it says the same twice', async () => {
    const answers: unknown[] = [];
    const ask = tool(async (_args, context) => {
      answers.push([await context.requestInput({}), await context.requestInput({})]);
    });
    await using runner = await start([ask], callsTool('work'), says('Done.'));
    await say(runner);

    expect(await runner.pending(address)).toMatchObject([{ kind: 'input', hint: '' }]);
    await supply(runner, 'one');
    expect(answers).toEqual([]);
    await supply(runner, 'two');

    expect(answers).toEqual([['one', 'two']]);
  });

  it.each([
    ['of another type', { result: 7 }],
    ['outside the choices', { result: 'Sunday' }],
    ['that is empty', {}],
    ['under another name', { answer: 'Monday' }],
  ])('refuses an answer %s, and the request stays open', async (_name, response) => {
    const ask = tool((_args, context) => context.requestInput({ schema: DAY }));
    await using runner = await start([ask], callsTool('work'), says('Done.'));
    await say(runner);
    const request = await only(runner);

    const functionResponse = { id: request.id, name: 'adk_request_input', response };
    const answered = eventsOf(runner.run({ ...address, message: { functionResponse } }));

    await expect(answered).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message:
        `The answer to "${request.id}" is not valid. Send a function response with { result: … }, which is ` +
        '{"type":"string","enum":["Monday","Tuesday"]}; the request stays pending.',
    });
    expect(await runner.pending(address)).toEqual([request]);
  });

  it('takes an object as a client sends it, bare or under result', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    for (const response of [{ a: 1 }, { result: { a: 1 } }]) {
      const got: unknown[] = [];
      const ask = tool(async (_args, context) => got.push(await context.requestInput({ schema })));
      await using runner = await start([ask], callsTool('work'), says('Done.'));
      await say(runner);
      const { id } = await only(runner);

      await eventsOf(runner.run({ ...address, message: { functionResponse: { id, response } } }));

      expect(got).toEqual([{ a: 1 }]);
    }
  });

  it('takes a schema of a library, whose output it gets; a refused answer is told to the model', async () => {
    const got: unknown[] = [];
    const schema = z.object({ day: z.string().refine((day) => day !== 'never', 'No such day.') });
    const ask = tool(async (_args, context) => {
      const { day } = await context.requestInput({ schema });
      got.push(day);
    });
    await using runner = await start(
      [ask],
      callsTools({ name: 'work', args: {} }),
      callsTools({ name: 'work', args: {} }),
      says('Done.'),
    );
    await say(runner);

    const events = await supply(runner, { day: 'never' });

    expect(JSON.stringify(events.map(({ functionResponses }) => functionResponses))).toContain(
      'No such day.',
    );
    await supply(runner, { day: 'Monday' });
    expect(got).toEqual(['Monday']);
  });

  it('pauses also if the tool does not wait for the answer, or catches the error', async () => {
    const careless: FunctionToolFields['run'][] = [
      (_args, context) => {
        void context.requestInput({ message: 'Sure?' });
        return 'done';
      },
      async (_args, context) => {
        try {
          return await context.requestInput({ message: 'Sure?' });
        } catch {
          return 'done';
        }
      },
    ];
    for (const run of careless) {
      await using runner = await start([tool(run)], callsTool('work'));
      const events = await say(runner);

      expect(await runner.pending(address)).toMatchObject([{ kind: 'input', hint: 'Sure?' }]);
      expect(events.at(-1)?.functionResponses).toMatchObject([{ response: PENDING_RESPONSE }]);
    }
  });

  it('fails the call if the schema cannot be written as JSON Schema', async () => {
    const schema = { '~standard': { version: 1 as const, vendor: 'mine', validate: () => ({ value: 1 }) } };
    const logger = new ListLogger();
    const ask = tool((_args, context) => context.requestInput({ schema }));
    await using runner = await startWith({ tools: [ask], logger }, callsTool('work'), says('Sorry.'));

    const events = await say(runner);

    expect(events.at(-1)?.text).toBe('Sorry.');
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each([
    [{ type: 'strnig' }],
    [{ type: 'string', pattern: '(' }],
    [{ type: 'string', minLength: '3' }],
    [{ type: 'object', properties: { day: { type: 'string', required: true } } }],
    [{ $ref: '#/$defs/day' }],
  ])('fails the call if its schema is not valid: %j', async (schema) => {
    const ask = tool((_args, context) => context.requestInput({ schema }));
    await using runner = await start([ask], callsTool('work'), says('Sorry.'));

    const events = await say(runner);

    expect([events.at(-1)?.text, await runner.pending(address)]).toEqual(['Sorry.', []]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { error: expect.stringContaining('ToolSchemaInvalidError') as string } },
    ]);
  });

  it('is refused by a rejection: its tool does not run again, and the model reads the reason', async () => {
    let runs = 0;
    const book = tool(async (_args, context) => {
      runs++;
      return context.requestInput({ message: 'Which day?', schema: DAY });
    });
    const model = new ScriptedModel(callsTool('work'), says('Never mind.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [book] }));
    await say(runner);

    const { text } = await runner.reject(await only(runner), { reason: 'none of your business' });

    expect([text, runs, await runner.pending(address)]).toEqual(['Never mind.', 1, []]);
    expect(model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({
      error: 'tool call was rejected',
      reason: 'none of your business',
    });
  });

  it('is refused by a rejection also if the process dies before the call has its response', async () => {
    let runs = 0;
    const book = tool(
      async (_args, context) => {
        runs++;
        return context.requestInput({ message: 'Which day?', schema: DAY });
      },
      { idempotent: true },
    );
    const sessions = new MortalSessionService();
    const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
    const model = new ScriptedModel(callsTool('work'), says('Never mind.'));
    const root = defineAgent({ name: 'clerk', model, tools: [book] });
    await using runner = await createRunner(root, { modules: [bindings] });
    await say(runner);
    sessions.left = 1;
    await expect(runner.reject(await only(runner))).rejects.toThrow('dead');
    sessions.left = Infinity;

    const events = await eventsOf(runner.resume(address));

    expect([runs, events.at(-1)?.text]).toEqual([1, 'Never mind.']);
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { error: 'tool call was rejected by the user' } },
    ]);
  });

  it('has an object with `confirmed` as its input if it is sent under `result`', async () => {
    const got: unknown[] = [];
    const ask = tool(async (_args, context) => got.push(await context.requestInput({})));
    await using runner = await start([ask], callsTool('work'), says('Done.'));
    await say(runner);

    await supply(runner, { confirmed: false });

    expect(got).toEqual([{ confirmed: false }]);
  });

  it('locks nothing if its schema in the log is not valid: others are answered, and it is rejected', async () => {
    const ask = tool((_args, context) => context.requestInput({ message: 'Which day?', schema: DAY }));
    const gated = new FunctionTool({ name: 'gated', description: '', confirm: true, run: () => 'done' });
    const calls = callsTools({ name: 'work', id: 'c1' }, { name: 'gated', id: 'c2' });
    const model = new ScriptedModel(calls, says('Well.'));
    const sessions = new ContainerModule(({ bind }) => void bind(SessionService).to(WithInvalidSchema));
    const root = defineAgent({ name: 'clerk', model, tools: [ask, gated] });
    await using runner = await createRunner(root, { modules: [sessions] });
    await say(runner);

    const [input, confirmation] = await runner.pending(address);
    await runner.approve(confirmation!);
    await expect(runner.supply(input!, 'Monday')).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('a rejection, because its schema is not valid') as unknown,
    });
    const { text } = await runner.reject(input!);

    expect(text).toBe('Well.');
  });

  it('asks without a message where it gives none, and takes no approval with the same words for the input', async () => {
    let runs = 0;
    const ask = tool(async (_args, context) => {
      if (++runs === 1) context.requestConfirmation('');
      return { day: await context.requestInput({}) };
    });
    await using runner = await start([ask], callsTool('work'), says('Booked.'));
    await say(runner);

    await approve(runner);

    const request = await only(runner);
    expect([request.kind, request.hint]).toEqual(['input', '']);
    const events = await supply(runner, 'Monday');
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { day: 'Monday' } },
    ]);
  });

  it('is no failure: nothing is logged, and onToolError is not asked', async () => {
    const logger = new ListLogger();
    const recovered: unknown[] = [];
    const ask = tool((_args, context) => context.requestInput({}));
    class Recovering extends Plugin {
      readonly name = 'recovering';

      override onToolError(...[, , error]: Parameters<NonNullable<Plugin['onToolError']>>) {
        recovered.push(error);
        return { result: 'recovered' };
      }
    }
    const root = defineAgent({ name: 'clerk', model: new ScriptedModel(callsTool('work')), tools: [ask] });
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(Logger).toConstantValue(logger);
        bind(Plugin).toConstantValue(new Recovering());
      }),
    ];
    await using runner = await createRunner(root, { modules });

    await say(runner);

    expect(await runner.pending(address)).toHaveLength(1);
    expect({ recovered, lines: logger.lines }).toEqual({ recovered: [], lines: [] });
  });
});

describe('a tool that asks for an approval while it runs', () => {
  it('asks anew where the payload that was approved is not the one that it shows now', async () => {
    let max = 5;
    const ran: unknown[] = [];
    const refund = tool((_args, context) => {
      const payload = { max };
      context.requestConfirmation({ hint: 'Refund?', payload });
      ran.push(payload);
    });
    await using runner = await start([refund], callsTool('work'), says('Done.'));
    await say(runner);
    max = 5_000;

    await eventsOf(runner.approve(await only(runner)));

    expect(ran).toEqual([]);
    expect(await runner.pending(address)).toMatchObject([{ hint: 'Refund?', payload: { max: 5_000 } }]);
  });

  it('goes on with the approval, its payload, and who gave it', async () => {
    const approvals: unknown[] = [];
    const refund = tool((_args, context) => {
      approvals.push(context.requestConfirmation({ hint: 'Refund?', payload: { max: 5 } }));
      return 'refunded';
    });
    await using runner = await start([refund], callsTool('work'), says('Done.'));
    await say(runner);
    const request = await only(runner);
    expect(request).toMatchObject({
      kind: 'confirmation',
      hint: 'Refund?',
      payload: { max: 5 },
      askedBy: 'tool',
    });

    await eventsOf(runner.approve(request, { by: 'eve', channel: 'slack', payload: { max: 3 } }));

    expect(approvals).toEqual([
      { hint: 'Refund?', confirmed: true, payload: { max: 3 }, by: 'eve', channel: 'slack' },
    ]);
  });

  it('does not run again once it is refused: the model is told', async () => {
    const runs: unknown[] = [];
    const refund = tool((_args, context) => {
      runs.push(1);
      return context.requestConfirmation('Refund?');
    });
    await using runner = await start([refund], callsTool('work'), says('Pity.'));
    await say(runner);

    const events = await eventsOf(runner.reject(await only(runner), { reason: 'too much' }));

    expect(runs).toHaveLength(1);
    expect(events.flatMap(({ functionResponses }) => functionResponses).at(-1)?.response).toEqual({
      error: 'tool call was rejected',
      reason: 'too much',
    });
  });

  it('is not answered by the approval of the call itself, nor by one of another question', async () => {
    let hint = 'Refund 5?';
    const approved: string[] = [];
    const refund = tool(
      (_args, context) => {
        approved.push(context.requestConfirmation(hint).hint);
      },
      { confirm: 'Call it?' },
    );
    await using runner = await start([refund], callsTool('work'), says('Done.'));
    await say(runner);
    await approve(runner);
    expect(await only(runner)).toMatchObject({ hint: 'Refund 5?', askedBy: 'tool' });
    hint = 'Refund 500?';

    await approve(runner);

    expect(approved).toEqual([]);
    expect(await only(runner)).toMatchObject({ hint: 'Refund 500?' });
    await approve(runner);
    expect(approved).toEqual(['Refund 500?']);
  });

  it('cannot be approved for the whole session', async () => {
    const refund = tool((_args, context) => context.requestConfirmation('Refund?'));
    await using runner = await start([refund], callsTool('work'));
    await say(runner);
    const request = await only(runner);

    await expect(eventsOf(runner.approve(request, { remember: 'session' }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
    });
    expect(await runner.pending(address)).toEqual([request]);
  });

  it('is kept in the log as approved once, also where the run of the message says remember', async () => {
    const refund = tool((_args, context) => context.requestConfirmation('Refund?'));
    await using runner = await start([refund], callsTool('work'), says('Done.'));
    await say(runner);
    const { id } = await only(runner);
    const message = { functionResponse: { id, response: { confirmed: true } } };

    await eventsOf(runner.run({ ...address, message, remember: 'session' }));

    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
    const answers = session?.events.filter(({ author }) => author === 'user').slice(1);
    expect(answers?.map(({ functionResponses }) => functionResponses[0]?.response)).toEqual([
      { confirmed: true, by: 'ada', at: expect.any(Number) as unknown },
    ]);
  });
});

const KEY = 's3cret-key';
const SCHEME = { type: 'apiKey', in: 'header', name: 'X-Key' } as const;
const SHOP: AuthConfig = { scheme: SCHEME, key: 'shop' };
const CLIENT = { type: 'oauthClient', clientId: 'my-app' } as const;
const CONSENT: AuthConfig['scheme'] = {
  type: 'oauth2',
  flows: {
    authorizationCode: {
      authorizationUrl: 'https://issuer.example/authorize',
      tokenUrl: 'https://issuer.example/token',
      scopes: [],
    },
  },
};

describe('a tool that asks for a credential while it runs', () => {
  it('pauses the run as clients of the ADK know it, and runs again with the credential', async () => {
    const used: unknown[] = [];
    const fetchOrder = tool(async (_args, context) => {
      const credential = await context.requestCredential(SHOP);
      used.push(credential);
      return { used: credential };
    });
    await using runner = await start([fetchOrder], callsTool('work', {}, 'c1'), says('Found.'));

    const asked = await say(runner);

    expect(used).toEqual([]);
    const request = await only(runner);
    expect(request).toMatchObject({
      kind: 'credential',
      tool: 'work',
      functionCallId: 'c1',
      askedBy: 'tool',
      authConfig: { authScheme: SHOP.scheme, credentialKey: 'tool:work:shop' },
    });
    const [call] = asked.flatMap(({ functionCalls }) => functionCalls).slice(1);
    expect(call).toMatchObject({ name: 'adk_request_credential', args: { functionCallId: 'c1' } });

    const answered = await supply(runner, { type: 'apiKey', apiKey: KEY });

    expect(used).toEqual([{ type: 'apiKey', apiKey: KEY }]);
    expect(answered.at(-1)?.text).toBe('Found.');
    expect(await runner.pending(address)).toEqual([]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
    expect(JSON.stringify([asked, answered, session?.events, session?.state])).not.toContain(KEY);
  });

  it('is asked once: a later call finds what was supplied', async () => {
    const used: unknown[] = [];
    const fetchOrder = tool(async (_args, context) => used.push(await context.requestCredential(SHOP)));
    await using runner = await start([fetchOrder], callsTool('work'), callsTool('work'), says('Both.'));
    await say(runner);

    const events = await supply(runner, KEY);

    expect(events.at(-1)?.text).toBe('Both.');
    expect(used).toHaveLength(2);
  });

  it('gets no credential of another tool, whatever key a model names', async () => {
    const used: unknown[] = [];
    const charge = new FunctionTool({
      name: 'charge',
      description: '',
      auth: SHOP,
      run: (_args, context) => used.push(context.credential),
    });
    const fetchOrder = tool(async (args, context) => {
      used.push(await context.getAuthResponse({ ...SHOP, key: args['carrier'] as string }));
      return context.requestCredential({ ...SHOP, key: args['carrier'] as string });
    });
    await using runner = await start(
      [charge, fetchOrder],
      callsTool('charge'),
      callsTool('work', { carrier: 'shop' }),
    );
    await say(runner);

    await supply(runner, KEY);

    expect(used).toEqual([{ type: 'apiKey', apiKey: KEY }, undefined]);
    expect((await only(runner)).authConfig?.credentialKey).toBe('tool:work:shop');
  });

  it('shares a credential by its key if its config says so, and has that of its own auth', async () => {
    const used: unknown[] = [];
    const charge = new FunctionTool({
      name: 'charge',
      description: '',
      auth: SHOP,
      run: async (_args, context) => used.push(await context.getAuthResponse(SHOP)),
    });
    const fetchOrder = tool(async (_args, context) =>
      used.push(await context.requestCredential({ ...SHOP, shared: true })),
    );
    await using runner = await start(
      [charge, fetchOrder],
      callsTool('charge'),
      callsTool('work'),
      says('Both.'),
    );
    await say(runner);

    await supply(runner, KEY);

    expect(used).toEqual([
      { type: 'apiKey', apiKey: KEY },
      { type: 'apiKey', apiKey: KEY },
    ]);
  });

  it('finds it by getAuthResponse in its next run', async () => {
    const found: unknown[] = [];
    const fetchOrder = tool(async (_args, context) => {
      found.push((await context.getAuthResponse(SHOP)) !== undefined);
      await context.requestCredential(SHOP);
    });
    await using runner = await start([fetchOrder], callsTool('work'), says('Found.'));
    await say(runner);

    await supply(runner, KEY);

    expect(found).toEqual([false, true]);
  });

  it('gets several in turn, beside its approvals and inputs', async () => {
    const got: unknown[] = [];
    const compare = tool(async (_args, context) => {
      const day = await context.requestInput({ message: 'Which day?' });
      const one = await context.requestCredential(SHOP);
      context.requestConfirmation('Compare?');
      const other = await context.requestCredential({ ...SHOP, key: 'rival' });
      got.push([day, one, other]);
    });
    await using runner = await start([compare], callsTool('work'), says('Compared.'));
    await say(runner);

    await supply(runner, 'Monday');
    await supply(runner, KEY);
    await approve(runner);
    await supply(runner, 'another key');

    expect(got).toEqual([
      ['Monday', { type: 'apiKey', apiKey: KEY }, { type: 'apiKey', apiKey: 'another key' }],
    ]);
  });

  it('asks anew for one that its service refuses', async () => {
    const used: unknown[] = [];
    const fetchOrder = tool(async (_args, context) => {
      const credential = await context.requestCredential(SHOP);
      used.push(credential);
      if (used.length === 2) throw new CredentialRejectedError();
      return 'found';
    });
    await using runner = await start([fetchOrder], callsTool('work'), callsTool('work'), says('Both.'));
    await say(runner);
    await supply(runner, KEY);

    const events = await supply(runner, 'a newer key');

    expect(used).toMatchObject([{ apiKey: KEY }, { apiKey: KEY }, { apiKey: 'a newer key' }]);
    expect(events.at(-1)?.text).toBe('Both.');
  });

  it('pauses also if the tool catches the error', async () => {
    const careless = tool(async (_args, context) => {
      try {
        return await context.requestCredential(SHOP);
      } catch {
        return 'done';
      }
    });
    await using runner = await start([careless], callsTool('work'));

    const events = await say(runner);

    expect(await runner.pending(address)).toMatchObject([{ kind: 'credential' }]);
    expect(events.at(-1)?.functionResponses).toMatchObject([{ response: PENDING_RESPONSE }]);
  });

  it.each<[string, AuthConfig]>([
    ['a config without a key', { scheme: SCHEME }],
    ['a key of the framework', { scheme: SCHEME, key: 'consent:s-1', shared: true }],
    ['a scheme that nothing is bound for', { scheme: CONSENT, credential: CLIENT }],
    ['nothing', null as unknown as AuthConfig],
  ])('fails the call for %s: nobody is asked', async (_what, config) => {
    const fetchOrder = tool((_args, context) => context.requestCredential(config));
    await using runner = await start([fetchOrder], callsTool('work'), says('Sorry.'));

    const events = await say(runner);

    expect(await runner.pending(address)).toEqual([]);
    expect(events.at(-1)?.text).toBe('Sorry.');
  });
});

describe('an approval', () => {
  it('for the session lets later calls of the tool run unasked, as long as its definition stays', async () => {
    const ran: unknown[] = [];
    const pay = tool((args) => ran.push(args), { confirm: true });
    const call = (cents: number) => callsTool('work', { cents });
    await using runner = await start([pay], call(1), call(2), says('Both.'));
    await say(runner);

    await eventsOf(runner.approve(await only(runner), { remember: 'session' }));

    expect(ran).toEqual([{ cents: 1 }, { cents: 2 }]);
  });

  it('for the session is not taken from a message', async () => {
    const ran: unknown[] = [];
    const pay = tool((args) => ran.push(args), { confirm: true });
    await using runner = await start([pay], callsTool('work', { n: 1 }), callsTool('work', { n: 2 }));
    await say(runner);
    const { id } = await only(runner);

    const response = { confirmed: true, remember: 'session', by: 'the boss', channel: 'phone', at: 1 };
    const [answer] = await eventsOf(
      runner.run({ ...address, by: 'eve', message: { functionResponse: { id, response } } }),
    );
    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });

    expect(ran).toEqual([{ n: 1 }]);
    expect(answer).toBeDefined();
    const stored = session?.events.findLast(({ author }) => author === 'user')?.functionResponses[0]
      ?.response;
    expect(stored).toEqual({ confirmed: true, by: 'eve', at: expect.any(Number) });
    expect(stored?.['at']).not.toBe(1);
  });

  it('for the session does not outlive a rewind of it', async () => {
    const ran: unknown[] = [];
    const pay = tool((args) => ran.push(args), { confirm: true });
    const call = (cents: number) => callsTool('work', { cents });
    await using runner = await start([pay], call(1), says('Paid.'), call(2));
    await say(runner);
    const approving = runner.approve(await only(runner), { remember: 'session' });
    const [first] = await eventsOf(approving);

    await runner.rewind({ ...address, invocationId: first?.invocationId ?? '' });
    await eventsOf(runner.reject(await only(runner)));

    expect(ran).toEqual([{ cents: 1 }]);
    expect(await runner.pending(address)).toMatchObject([{ args: { cents: 2 } }]);
  });

  it('that comes too late is asked for anew', async () => {
    const ran: unknown[] = [];
    const clock = new ManualClock();
    const pay = tool(() => ran.push(1), { confirm: true });
    const config = { confirmationExpiresAfter: 60_000 };
    await using runner = await startWith({ tools: [pay], clock, config }, callsTool('work'), says('Paid.'));
    await say(runner);
    const request = await only(runner);
    expect(request.expiresAt).toBe(clock.now() + 60);
    await clock.advance(60_000);

    await eventsOf(runner.approve(request));

    expect(ran).toEqual([]);
    const again = await only(runner);
    expect(again.id).not.toBe(request.id);
    await clock.advance(59_000);
    await eventsOf(runner.approve(again));
    expect(ran).toEqual([1]);
  });

  it('of a credential or an input is refused: they want another answer', async () => {
    const ask = tool((_args, context) => context.requestInput({}));
    await using runner = await start([ask], callsTool('work'));
    await say(runner);
    const request = await only(runner);

    await expect(eventsOf(runner.approve(request))).rejects.toThrow('Use runner.supply');
    await expect(eventsOf(runner.supply({ ...request, kind: 'confirmation' }, true))).rejects.toThrow(
      'Use runner.approve',
    );
  });
});

const address = { userId: 'ada', sessionId: 's1' };

const DAY = { type: 'string', enum: ['Monday', 'Tuesday'] };

function tool(
  run: (args: Record<string, unknown>, context: ToolContext) => unknown,
  fields: Partial<FunctionToolFields> = {},
): FunctionTool {
  return new FunctionTool({
    name: 'work',
    description: 'Works.',
    parameters: { type: 'object' },
    run,
    ...fields,
  });
}

/** Stores the schema `DAY` as one that is not valid. */
class WithInvalidSchema extends InMemorySessionService {
  override appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session> {
    const text = JSON.stringify(event.content).replaceAll(JSON.stringify(DAY), '{"type":"strnig"}');
    return super.appendEvent(session, event.with({ content: JSON.parse(text) as Content }), options);
  }
}

interface Parts {
  readonly tools: FunctionTool[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly config?: RunConfig;
}

function start(tools: FunctionTool[], ...steps: ScriptedStep[]): Promise<Runner> {
  return startWith({ tools }, ...steps);
}

function startWith({ tools, clock, logger = new ListLogger(), config }: Parts, ...steps: ScriptedStep[]) {
  const root = defineAgent({ name: 'clerk', model: new ScriptedModel(...steps), tools });
  const services = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(logger);
    if (clock !== undefined) bind(Clock).toConstantValue(clock);
  });
  return createRunner(root, { modules: [services], ...(config !== undefined && { config }) });
}

function say(runner: Runner) {
  return eventsOf(runner.run({ ...address, message: 'Go on.' }));
}

async function only(runner: Runner): Promise<PendingRequest> {
  const pending = await runner.pending(address);
  const [request] = pending;
  if (request === undefined || pending.length > 1) throw new Error(`${String(pending.length)} are pending`);
  return request;
}

async function approve(runner: Runner) {
  return eventsOf(runner.approve(await only(runner)));
}

async function supply(runner: Runner, value: unknown) {
  return eventsOf(runner.supply(await only(runner), value));
}
