import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type PendingRequest,
  agent,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  type Runner,
  SessionService,
} from '../../../index.js';

describe('a long-running tool', () => {
  it('gives a handle, and the run pauses without asking the model', async () => {
    const { runner, model } = await start(callsTool('print', { pages: 3 }, 'c1'));

    const [call, response, ...others] = await say(runner, 'Print.');

    expect(others).toEqual([]);
    expect(call?.longRunningToolIds).toEqual(['c1']);
    expect(response?.functionResponses).toEqual([
      { id: 'c1', name: 'print', response: { ticket: 't-3' }, willContinue: true },
    ]);
    expect(response?.isFinalResponse).toBe(true);
    expect(model.requests).toHaveLength(1);
    expect(await runner.pending(address)).toMatchObject([
      { kind: 'result', id: 'c1', functionCallId: 'c1', tool: 'print', args: { pages: 3 } },
    ]);
  });

  it('goes on when its result is supplied, which the model sees in place of the handle', async () => {
    const { runner, model } = await start(callsTool('print', { pages: 3 }, 'c1'), says('It is printed.'));
    await say(runner, 'Print.');

    const events = await eventsOf(runner.supply(await only(runner), { status: 'printed' }));

    expect(events.map(({ author, text }) => [author, text])).toEqual([['clerk', 'It is printed.']]);
    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Print.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'print', args: { pages: 3 } } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'print', response: { status: 'printed' } } }],
      },
    ]);
    expect(await runner.pending(address)).toEqual([]);
  });

  it('takes its result also for the request of its event, which has no arguments', async () => {
    const { runner } = await start(callsTool('print', { pages: 3 }, 'c1'), says('It is printed.'));
    const [request] = (await say(runner, 'Print.')).flatMap(({ pending }) => pending);

    const events = await eventsOf(
      runner.supply({ ...(await only(runner)), ...request }, { status: 'printed' }),
    );

    expect([request?.args, events.map(({ text }) => text)]).toEqual([{}, ['It is printed.']]);
  });

  it.each<[string, unknown]>([
    ['a list', ['a.pdf']],
    ['a text', 'a.pdf'],
    ['null', null],
  ])('takes a result that is no object, as any tool does: %s', async (_what, result) => {
    const { runner, model } = await start(callsTool('print', {}, 'c1'), says('It is printed.'));
    await say(runner, 'Print.');
    await eventsOf(runner.supply(await only(runner), result));

    expect(model.requests[1]?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({ result });
  });

  it('may find out while it runs that its result comes later', async () => {
    const { runner } = await start(callsTool('print_later', { pages: 3 }, 'c1'), says('It is printed.'));
    await say(runner, 'Print.');

    expect(await runner.pending(address)).toMatchObject([
      { kind: 'result', id: 'c1', tool: 'print_later', args: { pages: 3 } },
    ]);
    const events = await eventsOf(runner.supply(await only(runner), { status: 'printed' }));
    expect(events.at(-1)?.text).toBe('It is printed.');
  });

  it('lets the others of its turn finish; the model is asked when every result is there', async () => {
    const { runner, model } = await start(
      callsTools(
        { id: 'c1', name: 'print', args: {} },
        { id: 'c2', name: 'look', args: {} },
        { id: 'c3', name: 'print', args: {} },
      ),
      says('Both are printed.'),
    );
    await say(runner, 'Print twice.');
    const [first, second] = await runner.pending(address);
    if (first === undefined || second === undefined) throw new Error('two results should be awaited');

    expect(await eventsOf(runner.supply(second, { status: 'second' }))).toEqual([]);
    const events = await eventsOf(runner.supply(first, { status: 'first' }));

    expect(events.at(-1)?.text).toBe('Both are printed.');
    expect(
      model.requests[1]?.contents.at(-1)?.parts?.map(({ functionResponse }) => functionResponse?.response),
    ).toEqual([{ status: 'first' }, { result: 'fine' }, { status: 'second' }]);
  });

  it('that fails is answered like any other, and nothing is awaited', async () => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { runner } = await start(callsTool('jam', {}, 'c1'), says('It is jammed.'));

    const events = await say(runner, 'Print.');

    expect(events.at(-1)?.text).toBe('It is jammed.');
    expect(await runner.pending(address)).toEqual([]);
    jest.restoreAllMocks();
  });

  it('that asks first waits for the yes, and then for its result', async () => {
    const { runner } = await start(callsTool('print_asking', {}, 'c1'), says('It is printed.'));
    await say(runner, 'Print.');

    expect((await runner.pending(address)).map(({ kind }) => kind)).toEqual(['confirmation']);
    for (const request of await runner.pending(address)) {
      if (request.kind === 'confirmation') await eventsOf(runner.approve(request));
    }
    expect((await runner.pending(address)).map(({ kind }) => kind)).toEqual(['result']);
    const events = await eventsOf(runner.supply(await only(runner), { status: 'printed' }));
    expect(events.at(-1)?.text).toBe('It is printed.');
  });

  it('takes interim results, which the model is told, until the final one', async () => {
    const { runner, model } = await start(
      callsTool('print', {}, 'c1'),
      ...[says('A third.'), says('Two thirds.'), says('Done.')],
    );
    await say(runner, 'Print.');
    const request = await only(runner);
    const heard: (string | undefined)[] = [];

    for (const [status, willContinue] of [
      ['one third', true],
      ['two thirds', true],
      ['done', false],
    ] as const) {
      const events = await eventsOf(runner.supply(request, { status }, { willContinue }));
      heard.push(events.at(-1)?.text);
      expect(model.requests.at(-1)?.contents[2]?.parts?.[0]?.functionResponse?.response).toEqual({ status });
      expect(await runner.pending(address)).toHaveLength(willContinue ? 1 : 0);
    }

    expect(heard).toEqual(['A third.', 'Two thirds.', 'Done.']);
  });

  it('keeps a supplied result also where the agent that is to hear it does not run', async () => {
    const store = new InMemorySessionService();
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(SessionService).toConstantValue(store);
      }),
    ];
    const print = new FunctionTool({
      longRunning: true,
      name: 'print',
      description: '',
      run: () => ({ ticket: 't' }),
    });
    const model = new ScriptedModel(callsTool('print', {}, 'c1'));
    await using first = await createRunner(defineAgent({ name: 'old', tools: [print] }), {
      appName: 'shop',
      model,
      modules,
    });
    await say(first, 'Print.');
    @agent({ name: 'silent', description: '' })
    class Silent extends BaseAgent {
      // eslint-disable-next-line require-yield -- it takes no answer
      async *run(): AsyncGenerator<Event, void, undefined> {
        await Promise.resolve();
      }
    }
    await using second = await createRunner(Silent, { appName: 'shop', modules });

    const events = await eventsOf(second.supply(await only(second), { status: 'printed' }));

    expect(events).toEqual([]);
  });

  it('takes no result under the name of another tool', async () => {
    const { runner } = await start(callsTool('print', { pages: 1 }, 'c1'), says('never'));
    await say(runner, 'Print.');

    const message = { functionResponse: { id: 'c1', name: 'refund', response: { done: true } } };

    await expect(eventsOf(runner.run({ ...address, message }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringMatching(/c1.*the name "print"/s) as string,
    });
    expect(await runner.pending(address)).toHaveLength(1);
  });

  it('takes no result after the final one', async () => {
    const { runner } = await start(callsTool('print', {}, 'c1'), says('Done.'));
    await say(runner, 'Print.');
    const request = await only(runner);
    await eventsOf(runner.supply(request, { status: 'done' }));

    await expect(eventsOf(runner.supply(request, { status: 'again' }))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
  });

  it('keeps the model waiting with an interim result while another call of the batch has none', async () => {
    const { runner, model } = await start(
      callsTools({ id: 'c1', name: 'print' }, { id: 'c2', name: 'print' }),
      says('Done.'),
    );
    await say(runner, 'Print twice.');
    const [first, second] = await runner.pending(address);
    if (first === undefined || second === undefined) throw new Error('two should be pending');

    await eventsOf(runner.supply(first, { status: 'half' }, { willContinue: true }));
    expect(model.requests).toHaveLength(1);
    await eventsOf(runner.supply(second, { status: 'done' }));

    expect(model.requests).toHaveLength(2);
    expect((await runner.pending(address)).map(({ id }) => id)).toEqual(['c1']);
  });

  it('that announces has the model speak before the pause, and is awaited as ever', async () => {
    const { runner, model } = await start(
      callsTool('print_announced', {}, 'c1'),
      says('It prints, ticket 1.'),
      says('It is printed.'),
    );

    const run = runner.run({ ...address, message: 'Print.' });
    const result = await run;

    expect(result).toMatchObject({ status: 'paused', text: 'It prints, ticket 1.' });
    expect(model.requests[1]?.contents.at(-1)?.parts).toEqual([
      { functionResponse: { id: 'c1', name: 'print_announced', response: { ticket: 't-1' } } },
    ]);
    const events = await eventsOf(runner.supply(await only(runner), { status: 'printed' }));
    expect(events.at(-1)?.text).toBe('It is printed.');
    expect(await runner.pending(address)).toEqual([]);
  });

  it.each(['print', 'refund'])(
    'that announces stays silent while %s of the same answer waits',
    async (name) => {
      const { runner, model } = await start(
        callsTools({ id: 'c1', name: 'print_announced', args: {} }, { id: 'c2', name, args: {} }),
      );

      await say(runner, 'Both.');

      expect(model.requests).toHaveLength(1);
      expect(await runner.pending(address)).toHaveLength(2);
    },
  );

  it('hands over when its result is there, if another call of the answer asked for that meanwhile', async () => {
    const { runner } = await start(
      callsTools({ id: 'c1', name: 'print', args: {} }, { id: 'c2', name: 'leave', args: {} }),
    );
    await say(runner, 'Print, and leave.');

    const events = await eventsOf(runner.supply(await only(runner), { status: 'printed' }));

    expect(events.map(({ author, actions }) => [author, actions.escalate])).toEqual([['clerk', true]]);
  });

  it.each(['yes', 1, null, {}, { announce: 'yes' }])('refuses %j as longRunning', (longRunning) => {
    const fields = { name: 'print', description: '', run: () => 1, longRunning: longRunning as never };

    expect(() => new FunctionTool(fields)).toThrow('Pass true, false or { announce: true }');
  });

  it('has no interim credential', async () => {
    const { runner } = await start(callsTool('print_asking', {}, 'c1'));
    await say(runner, 'Print.');
    const request = { ...(await only(runner)), kind: 'credential' as const };

    await expect(eventsOf(runner.supply(request, 'key', { willContinue: true }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('only a result can be interim'),
    });
  });
});

const address = { userId: 'ada', sessionId: 's1' };

async function start(...steps: readonly ScriptedStep[]) {
  const parameters = { type: 'object', properties: { pages: { type: 'number' } } };
  const shape = { description: '', parameters };
  @agent({
    description: '',
    tools: [
      new FunctionTool({
        ...shape,
        name: 'print',
        longRunning: true,
        run: ({ pages = 0 }) => ({ ticket: `t-${String(pages)}` }),
      }),
      new FunctionTool({
        ...shape,
        name: 'print_asking',
        longRunning: true,
        confirm: true,
        run: () => ({ ticket: 't-1' }),
      }),
      new FunctionTool({
        ...shape,
        name: 'print_later',
        run(_args, context) {
          context.longRunning = true;
          return { ticket: 't-1' };
        },
      }),
      new FunctionTool({
        ...shape,
        name: 'jam',
        longRunning: true,
        run() {
          throw new Error('paper jam');
        },
      }),
      new FunctionTool({ ...shape, name: 'look', run: () => 'fine' }),
      new FunctionTool({
        ...shape,
        name: 'print_announced',
        longRunning: { announce: true },
        run: () => ({ ticket: 't-1' }),
      }),
      new FunctionTool({ ...shape, name: 'refund', confirm: true, run: () => 'refunded' }),
      new FunctionTool({
        ...shape,
        name: 'leave',
        run(_args, { actions }) {
          actions.escalate = true;
        },
      }),
    ],
  })
  class Clerk extends LlmAgent {}
  const model = new ScriptedModel(...steps);
  return { model, runner: await createRunner(Clerk, { model }) };
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
