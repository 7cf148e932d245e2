import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  agentTool,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  workflow,
  type PendingRequest,
  type Plugin,
  type RunConfig,
  type Runner,
  SessionService,
  type ToolContext,
} from '../../../index.js';

const address = { userId: 'ada', sessionId: 's1' };

describe('a request that is answered otherwise than it was made', () => {
  it.each<[string, Partial<PendingRequest>]>([
    ['args', { args: { cents: 300 } }],
    ['tool', { tool: 'look' }],
    ['appName', { appName: 'other' }],
    ['hint', { hint: 'Nothing happens.' }],
    ['invocationId', { invocationId: 'e-0' }],
    ['definition', { definition: 'sha256:0' }],
  ])('is refused, and stays pending: %s', async (field, change) => {
    const { runner, ran } = await pause();
    const request = await only(runner);

    for (const answer of [
      runner.approve({ ...request, ...change }),
      runner.reject({ ...request, ...change }),
    ])
      await expect(eventsOf(answer)).rejects.toMatchObject({
        code: 'REQUEST_CHANGED',
        field,
        message: expect.stringContaining(`: ${field} is different. Nothing was run`) as unknown,
      });

    expect([ran, await runner.pending(address)]).toEqual([[], [request]]);
    await eventsOf(runner.approve(request));
    expect(ran).toEqual([500]);
  });

  it('is answered where it went through JSON, or lacks what is optional', async () => {
    const { runner, ran } = await pause();
    const { hint, definition, ...request } = await only(runner);

    await eventsOf(runner.approve(JSON.parse(JSON.stringify(request)) as PendingRequest));

    expect([hint, definition?.slice(0, 7), ran]).toEqual(['Pay 500 cents?', 'sha256:', [500]]);
  });

  it('is refused where a message has other arguments with the answer', async () => {
    const { runner, ran } = await pause();
    const { id } = await only(runner);
    const answerWith = (cents: number) =>
      runner.run({
        ...address,
        message: {
          functionResponse: {
            id,
            name: 'adk_request_confirmation',
            response: { confirmed: true, args: { cents } },
          },
        },
      });

    await expect(eventsOf(answerWith(300))).rejects.toMatchObject({ code: 'REQUEST_CHANGED', field: 'args' });
    await eventsOf(answerWith(500));

    expect(ran).toEqual([500]);
  });
});

describe('an approval with other arguments', () => {
  it('runs the call with them, without another question, and the model is told', async () => {
    const { runner, ran, model, sessions } = await pause();

    const result = await runner.approve(await only(runner), {
      args: { cents: 300, note: 'half' },
      by: 'grace',
    });

    expect([result.text, ran]).toEqual(['Done.', [300]]);
    expect(model.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({
      paid: 300,
      by: 'grace',
      argumentsChangedByPerson: { cents: 300, note: 'half' },
    });
    const answers = (await storedEvents(sessions)).filter(({ author }) => author === 'user');
    expect(answers.at(-1)?.functionResponses[0]?.response).toEqual({
      confirmed: true,
      args: { cents: 300, note: 'half' },
      by: 'grace',
      at: expect.any(Number) as unknown,
    });
  });

  it('names removed arguments as null', async () => {
    const { runner, model } = await pause({ args: { cents: 500, note: 'all' } });

    await eventsOf(runner.approve(await only(runner), { args: { cents: 500 } }));

    expect(model.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toMatchObject({
      paid: 500,
      argumentsChangedByPerson: { note: null },
    });
  });

  it('coerces them as those of a model, and covers what it coerced', async () => {
    const { runner, ran } = await pause();

    const result = await runner.approve(await only(runner), { args: { cents: '300' } });

    expect([result.status, ran]).toEqual(['answered', [300]]);
  });

  it.each([[null], ['300'], [300], [[300]]])('are named, and not %j', async (args) => {
    const { runner, ran } = await pause();
    const request = await only(runner);

    await expect(
      eventsOf(runner.approve(request, { args: args as unknown as object })),
    ).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('its args are not an object. Pass the arguments by name') as unknown,
    });

    expect([ran, await runner.pending(address)]).toEqual([[], [request]]);
  });

  it.each<[string, object]>([
    ['a wrong type', { cents: 'lots' }],
    ['a missing one', {}],
    ['an unknown one', { cents: 1, centz: 2 }],
    ['what the tool itself refuses', { cents: -1 }],
  ])('is refused before it is stored if they do not fit: %s', async (_what, args) => {
    const { runner, ran, sessions } = await pause();
    const request = await only(runner);
    const { length } = await storedEvents(sessions);

    await expect(eventsOf(runner.approve(request, { args }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('the request stays pending') as unknown,
    });

    expect([ran, (await storedEvents(sessions)).length, await runner.pending(address)]).toEqual([
      [],
      length,
      [request],
    ]);
  });

  it('passes every gate with them: a plugin may deny them, and is asked for each', async () => {
    const seen: unknown[] = [];
    const plugin: Plugin = {
      name: 'watch',
      beforeTool: (_tool, args) => void seen.push(args),
    };
    const { runner, ran } = await pause({ plugins: [plugin] });

    await eventsOf(runner.approve(await only(runner), { args: { cents: 300 } }));

    expect([seen, ran]).toEqual([[{ cents: 300 }], [300]]);
  });

  it('asks anew where beforeTool changes them, and the next approval goes on from them', async () => {
    const plugin: Plugin = {
      name: 'round',
      beforeTool: (_tool, args) => void (args['cents'] = Number(args['cents']) + 1),
    };
    const { runner, ran } = await pause({ plugins: [plugin] });

    await eventsOf(runner.approve(await only(runner), { args: { cents: 300 } }));
    expect([ran, (await only(runner)).args]).toEqual([[], { cents: 301 }]);
    await eventsOf(runner.approve(await only(runner)));

    expect(ran).toEqual([301]);
  });

  it('asks anew about them where it has expired', async () => {
    const { runner, ran } = await pause({ config: { confirmationExpiresAfter: 0 } });

    await eventsOf(runner.approve(await only(runner), { args: { cents: 300 } }));

    expect([ran, (await only(runner)).args]).toEqual([[], { cents: 300 }]);
  });

  it('is given by another process', async () => {
    const { sessions, ran } = await pause();
    const second = await open({ sessions, ran }, says('Done.'));

    const args: Payment = { cents: 300 };

    await eventsOf(second.runner.approve(await only(second.runner), { args }));

    expect(ran).toEqual([300]);
  });

  it('runs with them where the process died once it was stored', async () => {
    const sessions = new FailingSessions();
    const { runner, ran } = await pause({ sessions });
    sessions.isFailing = true;
    await expect(eventsOf(runner.approve(await only(runner), { args: { cents: 300 } }))).rejects.toThrow(
      'down',
    );
    sessions.isFailing = false;
    const second = await open({ sessions, ran }, says('Done.'));

    const events = await eventsOf(second.runner.resume(address));

    expect(ran).toEqual([300, 300]);
    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toMatchObject({
      argumentsChangedByPerson: { cents: 300 },
    });
  });

  it('changes only its own call of several agents in parallel', async () => {
    const ran: number[] = [];
    const workers = ['alice', 'bob'].map((name) =>
      worker(name, ran, [callsTool('pay', { cents: 500 }), says('Paid.')]),
    );
    const [alice, bob] = workers as [(typeof workers)[0], (typeof workers)[0]];
    const runner = await createRunner(workflow.parallel(alice, bob, { name: 'both' }));
    await eventsOf(runner.run({ ...address, message: 'Pay.' }));
    const [first, second] = await runner.pending(address);

    await eventsOf(runner.approve(second as PendingRequest, { args: { cents: 300 } }));
    await eventsOf(runner.approve(first as PendingRequest));

    expect(ran).toEqual([300, 500]);
  });

  it('changes a call within an agent that runs as a tool, and the call of the agent itself', async () => {
    const ran: number[] = [];
    const clerk = worker('clerk', ran, [callsTool('pay', { cents: 500 }), says('Paid.')]);
    const model = new ScriptedModel(callsTool('clerk', { request: 'Pay 500.' }), says('Done.'));
    const boss = defineAgent({ name: 'boss', tools: [agentTool(clerk, { confirm: true })], model });
    const runner = await createRunner(boss);
    await eventsOf(runner.run({ ...address, message: 'Go.' }));

    await eventsOf(runner.approve(await only(runner), { args: { request: 'Pay 400.' } }));
    const events = await eventsOf(runner.approve(await only(runner), { args: { cents: 300 } }));

    expect([ran, events.at(-1)?.text]).toEqual([[300], 'Done.']);
    expect(model.requests.at(-1)?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toMatchObject({
      argumentsChangedByPerson: { request: 'Pay 400.' },
    });
    const session = await runner.sessions.getSession({ appName: 'boss', ...address });
    const texts = session?.events.flatMap(({ author, content }) =>
      author === 'user' ? (content?.parts ?? []) : [],
    );
    expect(texts?.flatMap(({ text }) => text ?? [])).toEqual(['Go.', 'Pay 400.']);
  });
});

function worker(
  name: string,
  ran: number[],
  steps: readonly ScriptedStep[],
  model = new ScriptedModel(...steps),
) {
  const pay = new FunctionTool({
    name: 'pay',
    description: '',
    confirm: ({ cents }) => `Pay ${String(cents)} cents?`,
    idempotent: true,
    parameters: {
      type: 'object',
      properties: { cents: { type: 'number', minimum: 0 }, note: { type: 'string' } },
      required: ['cents'],
      additionalProperties: false,
    },
    run: ({ cents }, context: ToolContext) => {
      ran.push(cents as number);
      return { paid: cents, by: context.confirmation?.by };
    },
  });
  return defineAgent({ name, description: name, tools: [pay], model });
}

/** An interface, which is no `Record`. */
interface Payment {
  readonly cents: number;
}

interface Options {
  readonly args?: Record<string, unknown>;
  readonly plugins?: readonly Plugin[];
  readonly config?: RunConfig;
  readonly sessions?: InMemorySessionService;
  readonly ran?: number[];
}

/** Stores messages, and fails to store what an agent writes. */
class FailingSessions extends InMemorySessionService {
  isFailing = false;

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>) {
    if (this.isFailing && args[1].author !== 'user') throw new Error('The store is down.');
    return super.appendEvent(...args);
  }
}

async function open(options: Options, ...steps: readonly ScriptedStep[]) {
  const { plugins = [], config = {}, sessions = new InMemorySessionService(), ran = [] } = options;
  const model = new ScriptedModel(...steps);
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  const runner = await createRunner(worker('clerk', ran, [], model), { modules, plugins, config });
  return { runner, ran, model, sessions };
}

/** A runner whose agent waits for the approval of a payment of 500 cents. */
async function pause(options: Options = {}) {
  const opened = await open(options, callsTool('pay', options.args ?? { cents: 500 }), says('Done.'));
  await eventsOf(opened.runner.run({ ...address, message: 'Pay.' }));
  return opened;
}

async function only(runner: Runner<unknown>): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}

async function storedEvents(sessions: InMemorySessionService): Promise<readonly Event[]> {
  return (await sessions.getSession({ appName: 'clerk', ...address }))?.events ?? [];
}
