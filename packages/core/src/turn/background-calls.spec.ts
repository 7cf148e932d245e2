import {
  callsTool,
  callsTools,
  eventsOf,
  says,
  ScriptedModel,
  type ScriptedStep,
  streams,
} from '@adorn/testing';

import type { FunctionToolFields } from '../backend.js';
import {
  agent,
  agentTool,
  BaseAgent,
  Clock,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  Logger,
  type Runner,
  workflow,
  SessionService,
  type ToolContext,
  withOptions,
} from '../index.js';
import { ListLogger } from '../gates/tool-call.fixture.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('a background tool', () => {
  it('is answered as running at once; the model goes on, and gets the result when it has answered', async () => {
    const print = slow('print');
    const { runner, model } = await clerk(
      [print.tool],
      callsTool('print', {}, 'c1'),
      () => {
        print.end({ status: 'printed' });
        return says('It prints.');
      },
      says('It is printed.'),
    );

    const events = await say(runner);

    expect(events.map(row)).toEqual([
      'print c1',
      'c1 running',
      'It prints.',
      'c1 {"status":"printed"}',
      'It is printed. (complete)',
    ]);
    expect(responsesIn(model, 1)).toEqual([{ status: 'running', tool: 'print' }]);
    expect(responsesIn(model, 2)).toEqual([{ status: 'printed' }]);
    expect(events.flatMap(({ longRunningToolIds }) => longRunningToolIds)).toEqual([]);
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });

  it('has a note for the model, and no time limit of its own', async () => {
    const print = slow('print', { description: 'Prints.' });
    const { runner, model } = await clerk([print.tool], says('Fine.'));
    await say(runner);

    expect(JSON.stringify(model.requests[0]?.config.tools)).toContain(
      'Prints.\\nNOTE: This runs in the background. It answers with the status \\"running\\" at once',
    );
  });

  it.each<['interrupt' | 'when_idle' | 'silent', string[]]>([
    [
      'interrupt',
      ['print c1', 'c1 running', 'c1 {"n":1}', 'look c2', 'c2 {"result":"fine"}', 'Done. (complete)'],
    ],
    [
      'when_idle',
      [
        'print c1',
        'c1 running',
        'look c2',
        'c2 {"result":"fine"}',
        'Done.',
        'c1 {"n":1}',
        'All done. (complete)',
      ],
    ],
    [
      'silent',
      ['print c1', 'c1 running', 'c1 {"n":1}', 'look c2', 'c2 {"result":"fine"}', 'Done. (complete)'],
    ],
  ])('gives its result when its scheduling says: %s', async (scheduling, expected) => {
    const tool = new FunctionTool({
      name: 'print',
      description: '',
      background: { scheduling },
      run: () => ({ n: 1 }),
    });
    const { runner } = await clerk(
      [tool],
      callsTool('print', {}, 'c1'),
      callsTool('look', {}, 'c2'),
      says('Done.'),
      says('All done.'),
    );

    expect((await say(runner)).map(row)).toEqual(expected);
  });

  it('that is silent keeps the run open and has the last word in the log, and the answer stays the answer', async () => {
    const note = slow('note', { background: { scheduling: 'silent' } });
    const { runner, model } = await clerk([note.tool], callsTool('note', {}, 'c1'), () => {
      setTimeout(() => {
        note.end('noted');
      }, 5);
      return says('Done.');
    });

    const run = runner.run({ ...ADDRESS, message: 'Go.' });
    const { text, status, events } = await run;

    expect([text, status]).toEqual(['Done.', 'answered']);
    expect(events.map(row)).toEqual([
      'note c1',
      'c1 running',
      'Done. (complete)',
      'c1 {"result":"noted"} (complete)',
    ]);
    expect(model.requests).toHaveLength(2);
    await expect(eventsOf(runner.resume(ADDRESS))).rejects.toMatchObject({ code: 'NOTHING_TO_RESUME' });
  });

  it('is one of several, and each result goes to the model as it comes', async () => {
    const [one, two] = [slow('one'), slow('two')];
    const { runner } = await clerk(
      [one.tool, two.tool],
      callsTools({ name: 'one', id: 'c1' }, { name: 'look', id: 'c2' }, { name: 'two', id: 'c3' }),
      () => {
        two.end(2);
        return says('Both run.');
      },
      () => {
        one.end(1);
        return says('One runs.');
      },
      says('None runs.'),
    );

    expect((await say(runner)).map(row)).toEqual([
      'one c1, look c2, two c3',
      'c1 running, c2 {"result":"fine"}, c3 running',
      'Both run.',
      'c3 {"result":2}',
      'One runs.',
      'c1 {"result":1}',
      'None runs. (complete)',
    ]);
  });

  it('is told from a call of an unknown tool in the same answer', async () => {
    const print = slow('print');
    const { runner } = await clerk(
      [print.tool],
      callsTools({ name: 'nope', id: 'c0' }, { name: 'print', id: 'c1' }),
      () => {
        print.end(1);
        return says('It prints.');
      },
      says('It is printed.'),
    );

    expect((await say(runner)).map(row)).toEqual([
      'nope c0, print c1',
      expect.stringMatching(/^c0 \{"error".*, c1 running$/),
      'It prints.',
      'c1 {"result":1}',
      'It is printed. (complete)',
    ]);
  });

  it('that fails is answered with its error, by the rules of any tool', async () => {
    const print = slow('print');
    const { runner, logger } = await clerk(
      [print.tool],
      callsTool('print', {}, 'c1'),
      () => {
        print.fail(new Error('secret'));
        return says('It prints.');
      },
      says('It failed.'),
    );

    const events = await say(runner);

    expect(events[3]?.functionResponses[0]?.response).toEqual({
      error: 'outcome unknown: the tool failed (Error). It may have taken effect.',
      outcome: 'unknown',
    });
    expect(logger.lines.map(([message]) => message)).toContain('tool "print" failed');
  });

  it('writes its state and its progress beside the turn, also while the model streams', async () => {
    const model = new ScriptedModel(
      callsTool('count', {}, 'c1'),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return streams('It ', 'counts.');
      },
      says('Counted.'),
    );
    const count = new FunctionTool({
      name: 'count',
      description: '',
      background: true,
      run: async function* (_args, context) {
        yield 'one';
        await Promise.resolve();
        context.state.set('counted', 2);
        yield 'two';
        return 'done';
      },
    });
    const { runner } = await opened({ tools: [count] }, model);

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.', config: { streaming: 'sse' } }));

    expect(events.map(row)).toEqual([
      'count c1',
      'c1 running',
      'c1 {"result":"one"}…',
      '', // what it has written
      'c1 {"result":"two"}…',
      'It …',
      'counts.…',
      'It counts.',
      'c1 {"result":"done"}',
      'Counted. (complete)',
    ]);
    expect(events.flatMap(({ actions }) => actions.stateDelta['counted'] ?? [])).toEqual([2]);
    expect(events[3]?.actions.stateDelta).toEqual({ counted: 2 });
  });

  it('leaves the output of its agent to the answer that has the results', async () => {
    const print = slow('print');
    const { runner } = await clerk(
      [print.tool],
      callsTool('print', {}, 'c1'),
      () => {
        print.end(1);
        return says('It prints.');
      },
      says('It is printed.'),
    );

    const events = await say(runner);

    expect(events.map(({ actions }) => actions.stateDelta['said'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'It is printed.',
    ]);
  });
});

describe('the gates of a background tool', () => {
  it('are passed before it is answered as running, by any order of wrappers', async () => {
    for (const wrap of [
      (tool: FunctionTool) => withOptions(withOptions(tool, { confirm: true }), { background: true }),
      (tool: FunctionTool) => withOptions(withOptions(tool, { background: true }), { confirm: true }),
    ]) {
      const run = jest.fn(() => 'paid');
      const pay = new FunctionTool({ name: 'pay', description: '', run });
      const { runner } = await clerk(
        [wrap(pay)],
        callsTool('pay', {}, 'c1'),
        says('It is on its way.'),
        says('Paid.'),
      );

      const asked = await say(runner);
      expect(asked.map(row).at(-1)).toBe('c1 {"status":"pending"}+');
      expect(run).not.toHaveBeenCalled();

      const events = await eventsOf(runner.approve(await onlyConfirmation(runner)));
      expect(events.map(row)).toEqual([
        'c1 running',
        'It is on its way.',
        'c1 {"result":"paid"}',
        'Paid. (complete)',
      ]);
      expect(run).toHaveBeenCalledTimes(1);
    }
  });

  it('have the model wait for another call of the same answer that still waits for a person', async () => {
    const pay = new FunctionTool({
      name: 'pay',
      description: '',
      background: true,
      confirm: true,
      run: () => Promise.resolve('paid'),
    });
    const { runner, model } = await clerk(
      [pay],
      callsTools({ name: 'pay', id: 'c1' }, { name: 'pay', id: 'c2' }),
      says('Both are on their way.'),
      says('Both are paid.'),
    );
    await say(runner);
    const [first, second] = await runner.pending(ADDRESS);
    if (first?.kind !== 'confirmation' || second?.kind !== 'confirmation') throw new Error('two should wait');

    expect((await eventsOf(runner.approve(first))).map(row)).toEqual(['c1 running', 'c1 {"result":"paid"}']);
    expect(model.requests).toHaveLength(1);
    expect((await eventsOf(runner.approve(second))).map(row)).toEqual([
      'c2 running',
      'Both are on their way.',
      'c2 {"result":"paid"}',
      'Both are paid. (complete)',
    ]);
  });

  it('refuse it without an interim answer', async () => {
    const run = jest.fn();
    const pay = new FunctionTool({ name: 'pay', description: '', background: true, confirm: true, run });
    const { runner } = await clerk([pay], callsTool('pay', {}, 'c1'), says('Refused.'));
    await say(runner);

    const events = await eventsOf(runner.reject(await onlyConfirmation(runner)));

    expect(events.map(row)).toEqual([expect.stringContaining('c1 {"error"'), 'Refused. (complete)']);
    expect(run).not.toHaveBeenCalled();
  });

  it('let it ask a person while it runs: the run pauses, and the tool runs again with the answer', async () => {
    const pay = new FunctionTool({
      name: 'pay',
      description: '',
      background: true,
      run: async (_args, context) => {
        await Promise.resolve();
        context.requestConfirmation('Really?');
        return 'paid';
      },
    });
    const { runner } = await clerk(
      [pay],
      callsTool('pay', {}, 'c1'),
      says('It is on its way.'),
      says('It is on its way again.'),
      says('Paid.'),
    );

    const asked = await say(runner);
    expect(asked.map(row)).toEqual([
      'pay c1',
      'c1 running',
      'It is on its way.',
      expect.stringContaining('adk_request_confirmation'),
      'c1 {"status":"pending"}+',
    ]);
    const events = await eventsOf(runner.approve(await onlyConfirmation(runner)));
    expect(events.at(-1)?.text).toBe('Paid.');
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });
});

describe('the end of a turn', () => {
  it('waits for the background calls where another call pauses it: one response answers all of them', async () => {
    const print = slow('print');
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
    const { runner, model } = await clerk(
      [print.tool, pay],
      callsTool('print', {}, 'c1'),
      () => {
        setTimeout(() => {
          print.end(1);
        }, 5);
        return callsTools({ name: 'pay', id: 'c2' }, { name: 'look', id: 'c3' });
      },
      says('Printed and paid.'),
    );

    const asked = await say(runner);
    expect(asked.map(row)).toEqual([
      'print c1',
      'c1 running',
      'pay c2, look c3',
      expect.stringContaining('adk_request_confirmation'),
      'c2 {"status":"pending"}+, c3 {"result":"fine"}, c1 {"result":1}',
    ]);
    const events = await eventsOf(runner.approve(await onlyConfirmation(runner)));
    expect(events.map(row)).toEqual(['c2 {"result":"paid"}', 'Printed and paid. (complete)']);
    expect(responsesIn(model, 2)).toEqual([{ result: 1 }, { result: 'paid' }, { result: 'fine' }]);
  });

  it('waits for the background calls of the same answer', async () => {
    const print = slow('print');
    setTimeout(() => {
      print.end(1);
    }, 5);
    const { runner } = await clerk(
      [print.tool],
      callsTools(
        { name: 'print', id: 'c1' },
        { name: 'transfer_to_agent', id: 'c2', args: { agentName: 'till' } },
      ),
      says('Till here.'),
    );

    const events = await say(runner);

    expect(events.map(row)).toEqual([
      'print c1, transfer_to_agent c2',
      expect.stringMatching(/^c1 \{"result":1\}, c2 \{/),
      'Till here. (complete)',
    ]);
    expect(events.at(-1)?.author).toBe('till');
  });

  it('is where the result of a background tool says so', async () => {
    const leave = slow('leave');
    const { runner, model } = await clerk([leave.tool], callsTool('leave', {}, 'c1'), () => {
      leave.end('left', (context) => (context.actions.skipSummarization = true));
      return says('On its way.');
    });

    const events = await say(runner);

    expect(events.map(row)).toEqual(['leave c1', 'c1 running', 'On its way.', 'c1 {"result":"left"}']);
    expect(events.at(-1)?.isFinalResponse).toBe(true);
    expect(model.requests).toHaveLength(2);
  });

  it('stays an error where the model failed, after the results are stored', async () => {
    const print = slow('print');
    const { runner } = await clerk([print.tool], callsTool('print', {}, 'c1'), () => {
      print.end(1);
      throw new Error('no model');
    });

    const { status, events } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect(status).toBe('failed');
    expect(events.map(row).slice(2)).toEqual(['c1 {"result":1}', 'MODEL_FAILED (complete)']);
  });

  it('stays an error where a result of the calls would end the turn', async () => {
    const leave = slow('leave');
    const { runner } = await clerk([leave.tool], callsTool('leave', {}, 'c1'), () => {
      leave.end('left', (context) => (context.actions.escalate = true));
      throw new Error('no model');
    });

    const { status, events } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect(status).toBe('failed');
    expect(events.map(row).slice(2)).toEqual(['c1 {"result":"left"}', 'MODEL_FAILED (complete)']);
  });

  it('stays an error for the workflow of an agent: the next agent does not run', async () => {
    const next = defineAgent({ name: 'next', model: new ScriptedModel(says('Next.')) });
    const runner = await createRunner(workflow.sequence(failsBesidePrint(), next));

    const { status, text, events } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect([status, text]).toEqual(['failed', '']);
    expect(events.map(({ author }) => author)).not.toContain('next');
  });

  it('stays an error for the caller of an agent that is a tool', async () => {
    const model = new ScriptedModel(callsTool('fails', { request: 'Go.' }, 'c9'), says('Sorry.'));
    const runner = await createRunner(defineAgent({ name: 'asks', tools: [failsBesidePrint()], model }));

    const { text } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect(text).toBe('Sorry.');
    expect(responsesIn(model, 1)).toEqual([{ text: '', error: 'no model' }]);
  });

  it('comes with the limit of model calls, and each call is answered before', async () => {
    const print = slow('print');
    const { runner } = await clerk([print.tool], () => {
      print.end(1);
      return callsTool('print', {}, 'c1');
    });

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.', config: { maxLlmCalls: 1 } }));

    expect(events.map(row)).toEqual([
      'print c1',
      'c1 running',
      'c1 {"result":1}',
      'LLM_CALL_LIMIT (complete)',
    ]);
  });

  it('comes at once where the run is cancelled: the tools are told to stop, and each call is answered', async () => {
    const print = slow('print');
    const { runner } = await clerk([print.tool], callsTool('print', {}, 'c1'), says('It prints.'));

    const events: Event[] = [];
    for await (const event of runner.run({ ...ADDRESS, message: 'Go.' })) {
      events.push(event);
      if (event.text === 'It prints.') runner.cancel(event.invocationId);
    }

    expect(print.signal?.aborted).toBe(true);
    expect(events.map(row).slice(2)).toEqual([
      'It prints.',
      expect.stringMatching(/^c1 .*"outcome":"unknown"\}$/),
      'CANCELLED (complete)',
    ]);
  });

  it('comes where the reader stops: the tools are told so, and the next turn answers the call as unknown', async () => {
    const print = slow('print');
    const { runner } = await clerk(
      [print.tool],
      callsTool('print', {}, 'c1'),
      says('It prints.'),
      says('Nobody knows.'),
    );
    for await (const event of runner.run({ ...ADDRESS, message: 'Go.' })) if (event.text !== '') break;

    expect(print.signal?.aborted).toBe(true);
    const events = await say(runner);
    expect(events.map(row)).toEqual([
      expect.stringMatching(/^c1 .*"outcome":"unknown"/),
      'Nobody knows. (complete)',
    ]);
  });
});

describe('an agent that is left in the midst of its turn', () => {
  it('has its background tools told so, while the run goes on', async () => {
    const print = slow('print');
    const model = new ScriptedModel(callsTool('print', {}, 'c1'), says('It prints.'));
    const left = defineAgent({ name: 'left', description: '', tools: [print.tool], model });
    let wasAborted: boolean | undefined;
    @agent({ name: 'top', description: '', subAgents: [left] })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for await (const event of context.invoke('left')) {
          yield event;
          if (event.text === 'It prints.') break;
        }
        wasAborted = print.signal?.aborted;
        yield context.event({ author: 'top', content: { role: 'model', parts: [{ text: 'Enough.' }] } });
      }
    }
    const runner = await createRunner(Top);

    const { text } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect([text, wasAborted]).toEqual(['Enough.', true]);
  });
});

describe('a process that dies while a background tool runs', () => {
  it.each<[string, Partial<FunctionToolFields>, string]>([
    ['with an unknown outcome', {}, 'c1 {"error":"outcome unknown'],
    ['by another run of an idempotent tool', { idempotent: true }, 'c1 running'],
  ])('leaves a run that can be resumed, with the call answered %s', async (_how, fields, first) => {
    const sessions = new InMemorySessionService();
    for (const last of ['c1 running', 'It prints.']) {
      const dying = slow('print', fields);
      const before = await clerk([dying.tool], callsTool('print', {}, 'c1'), says('It prints.'));
      const address = { userId: 'ada', sessionId: last };
      for await (const event of before.runner.run({ ...address, message: 'Go.' })) {
        if (row(event) === last) break;
      }
      const left = await before.sessions.getSession({ appName: 'clerk', ...address });
      if (left === undefined) throw new Error('the session should be there');
      await sessions.importSession({ appName: 'clerk', ...address }, left);

      const again = slow('print', fields);
      again.end(1);
      const { runner } = await clerk(
        { tools: [again.tool], sessions, late: 60 },
        says('It prints again.'),
        says('It is printed.'),
      );
      const events = await eventsOf(runner.resume(address));

      expect(row(events[0] as Event)).toContain(first);
      expect(events.at(-1)?.turnComplete).toBe(true);
      expect(await runner.pending(address)).toEqual([]);
    }
  });
});

describe('an agent that runs as a background tool', () => {
  it('keeps its conversation, and its question to a person pauses the run', async () => {
    const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
    const Payer = defineAgent({
      name: 'payer',
      tools: [pay],
      model: new ScriptedModel(callsTool('pay', {}, 'p1'), says('I paid.')),
    });
    const { runner } = await clerk(
      { agents: [Payer] },
      callsTool('payer', { request: 'Pay.' }, 'c1'),
      says('On its way.'),
      says('On its way again.'),
      says('Paid.'),
    );

    const asked = await say(runner);
    expect(asked.map(row)).toContain('c1 running');
    const events = await eventsOf(runner.approve(await onlyConfirmation(runner)));

    expect(events.map(row)).toContain('c1 {"text":"I paid."}');
    expect(events.at(-1)?.text).toBe('Paid.');
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });
});

interface Slow {
  readonly tool: FunctionTool;
  readonly signal: AbortSignal | undefined;
  end(result: unknown, before?: (context: ToolContext) => void): void;
  fail(error: Error): void;
}

/** A background tool that ends when the spec says so. */
function slow(name: string, fields: Partial<FunctionToolFields> = {}): Slow {
  let resolve: (end: (context: ToolContext) => unknown) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<(context: ToolContext) => unknown>((...settle) => {
    [resolve, reject] = settle;
  });
  let signal: AbortSignal | undefined;
  const tool = new FunctionTool({
    name,
    description: '',
    background: true,
    ...fields,
    run: async (_args, context) => {
      signal = context.signal;
      return (await promise)(context);
    },
  });
  return {
    tool,
    get signal() {
      return signal;
    },
    end: (result, before) => {
      resolve((context) => {
        before?.(context);
        return result;
      });
    },
    fail: (error) => {
      reject(error);
    },
  };
}

/** An agent whose model fails while its background tool runs. */
function failsBesidePrint() {
  const print = slow('print');
  const model = new ScriptedModel(callsTool('print', {}, 'c1'), () => {
    print.end(1);
    throw new Error('no model');
  });
  return defineAgent({ name: 'fails', description: '', tools: [print.tool], model });
}

interface Parts {
  readonly tools?: readonly (FunctionTool | ReturnType<typeof withOptions>)[];
  readonly agents?: readonly ReturnType<typeof defineAgent>[];
  readonly sessions?: InMemorySessionService;
  /** By how many seconds the clock is ahead. */
  readonly late?: number;
}

/** A runner whose root agent has the tools, `look` and the sub-agent `till`. */
async function clerk(given: Parts | NonNullable<Parts['tools']>, ...steps: readonly ScriptedStep[]) {
  const parts: Parts = 'length' in given ? { tools: given } : given;
  const model = new ScriptedModel(...steps);
  return { ...(await opened(parts, model)), model };
}

async function opened(
  { tools = [], agents = [], sessions = new InMemorySessionService(), late = 0 }: Parts,
  model: ScriptedModel,
) {
  const logger = new ListLogger();
  const look = new FunctionTool({ name: 'look', description: '', run: () => 'fine' });
  const inBackground = agents.map((target) => agentTool(target, { background: true }));
  const Till = defineAgent({ name: 'till', model });
  const Clerk = defineAgent({
    name: 'clerk',
    tools: [...tools, look, ...inBackground],
    subAgents: [Till],
    outputKey: 'said',
    model,
  });
  const bindings = new ContainerModule(({ bind }) => {
    bind(Logger).toConstantValue(logger);
    bind(SessionService).toConstantValue(sessions);
    bind(Clock).toConstantValue({ now: () => Date.now() / 1000 + late });
  });
  const runner = await createRunner(Clerk, { appName: 'clerk', modules: [bindings] });
  return { runner, logger, sessions };
}

function say(runner: Runner): Promise<Event[]> {
  return eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
}

/** An event in one line: its calls, responses, text or error. `+` for an interim response, `…` for a partial event. */
function row({ functionCalls, functionResponses, text, errorCode, turnComplete, partial }: Event): string {
  const calls = functionCalls.map(({ name = '', id = '' }) =>
    name.startsWith('adk_') ? name : `${name} ${id}`,
  );
  const responses = functionResponses.map(({ id = '', response, willContinue }) => {
    const isRunning = response?.['status'] === 'running';
    const isInterim = willContinue === true && !isRunning && !partial;
    return `${id} ${isRunning ? 'running' : JSON.stringify(response)}${isInterim ? '+' : ''}`;
  });
  const words = [calls, responses].flat().join(', ') || text || (errorCode ?? '');
  return `${words}${partial ? '…' : ''}${turnComplete ? ' (complete)' : ''}`;
}

/** The responses of tools in a request. */
function responsesIn({ requests }: ScriptedModel, index: number): unknown[] {
  const parts = (requests[index]?.contents ?? []).flatMap((content) => content.parts ?? []);
  return parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []);
}

async function onlyConfirmation(runner: Runner) {
  const [request, ...others] = await runner.pending(ADDRESS);
  if (request?.kind !== 'confirmation' || others.length > 0)
    throw new Error('one confirmation should be pending');
  return request;
}
