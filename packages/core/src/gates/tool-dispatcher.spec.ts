import { callsTools, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { Container } from 'inversify';

import {
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  Logger,
  type Tool,
  type ToolContext,
} from '../index.js';
import { Cancellation } from '../run/cancellation.js';
import type { Answer } from '../log/pending-call-index.js';
import { dispatchModule } from './dispatch.module.js';
import { RunGate } from './run.gate.js';
import { type CallParts, ListLogger, NO_SINK, toolCall, toolNamed } from './tool-call.fixture.js';
import { ToolDispatcher, ToolGates } from './tool-dispatcher.js';
import type { GateVerdict, ToolCall, ToolGate } from './tool-call.js';

const SETTLED: GateVerdict = { kind: 'refused', response: { error: 'no' } };

describe('the gates', () => {
  it('stand in one order', async () => {
    const container = new Container();
    container.load(dispatchModule);

    const gates = container.get<readonly ToolGate[]>(ToolGates);

    expect(gates.map((gate) => gate.constructor.name)).toEqual([
      'ShapeGate',
      'RepeatGate',
      'ConfirmationGate',
      'AuthGate',
      'RunGate',
    ]);
  });

  it('are asked in that order, and only as far as one settles the call', async () => {
    const asked: string[] = [];
    const gates = [
      gate(asked, 'first', 'open'),
      gate(asked, 'second', { kind: 'refused', response: { error: 'no' } }),
      gate(asked, 'third', 'open'),
    ];

    const { responses } = await play([answering('a')], ['a'], gates);

    expect(asked).toEqual(['first', 'second']);
    expect(responses).toEqual([{ error: 'no' }]);
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('the vault is shut');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the vault is shut'))],
  ])('fail a call where one %s: nothing behind it is asked', async (_how, enter) => {
    const asked: string[] = [];

    const { responses, warnings } = await play(
      [answering('a')],
      ['a'],
      [{ enter }, gate(asked, 'behind', 'open')],
    );

    expect(asked).toEqual([]);
    expect(responses).toEqual([{ error: GENERIC }]);
    expect(warnings).toEqual([
      ['tool "a" failed', { callId: expect.any(String) as unknown, error: new Error('the vault is shut') }],
    ]);
  });

  it('fail a call that none of them settles, and say so in the log', async () => {
    const { responses, warnings } = await play([answering('a')], ['a'], []);

    expect(responses).toEqual([{ error: GENERIC.replace('Error', 'CallNotSettledError') }]);
    expect(warnings[0]?.[1]['error']).toMatchObject({
      code: 'CALL_NOT_SETTLED',
      message:
        'No gate settled the call of "a": each of them passed it on. ' +
        'The last gate must run the tool; bind ToolGates with the run gate at its end.',
    });
  });
});

describe('a gate that has beforeTool asked', () => {
  it('is entered again where the arguments stay, and the gates before it are not', async () => {
    const { entered, outcome } = await pass({ beforeTool: () => Promise.resolve(undefined) });

    expect(entered).toEqual(['first', 'asking', 'asking']);
    expect(outcome).toEqual(SETTLED);
  });

  it('is entered after the gates before it where the arguments change', async () => {
    const { entered, outcome, call } = await pass({
      beforeTool: (_tool, args) => {
        args['cents'] = 700;
        return Promise.resolve(undefined);
      },
    });

    expect(entered).toEqual(['first', 'asking', 'first', 'asking']);
    expect(outcome).toEqual(SETTLED);
    expect(call.args).toEqual({ cents: 700 });
  });

  it('is not entered again where beforeTool answers', async () => {
    const { entered, outcome } = await pass({ beforeTool: () => Promise.resolve({ cached: true }) });

    expect(entered).toEqual(['first', 'asking']);
    expect(outcome).toEqual({ kind: 'completed', response: { cached: true }, continues: false });
  });

  it('fails the call where it has it asked a second time', async () => {
    const beforeTool = jest.fn(() => Promise.resolve(undefined));
    const call = await toolCall(toolNamed('pay'), { callbacks: { beforeTool } });
    const verdicts: GateVerdict[] = ['intercept', 'intercept', SETTLED];

    const outcome = await new ToolDispatcher([{ enter: () => verdicts.shift() ?? SETTLED }]).dispatch(
      call,
      NO_SINK,
    );

    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'CALL_NOT_SETTLED' } });
    expect(beforeTool).toHaveBeenCalledTimes(1);
  });

  /** The way of a call through a gate that opens and one that has `beforeTool` asked, once, and then settles it. */
  async function pass(callbacks: CallParts['callbacks']) {
    const entered: string[] = [];
    const call = await toolCall(toolNamed('pay'), { args: { cents: 500 }, callbacks });
    const asking: ToolGate = {
      enter: ({ isIntercepted }) => {
        entered.push('asking');
        return isIntercepted ? SETTLED : 'intercept';
      },
    };
    const dispatcher = new ToolDispatcher([gate(entered, 'first', 'open'), asking]);
    return { entered, call, outcome: await dispatcher.dispatch(call, NO_SINK) };
  }
});

describe('a call of a cancelled invocation', () => {
  it('enters no gate', async () => {
    const entered: string[] = [];
    const cancellation = new Cancellation();
    const call = await toolCall(toolNamed('pay'), { cancellation });
    cancellation.cancel();

    const outcome = await new ToolDispatcher([gate(entered, 'first', SETTLED)]).dispatch(call, NO_SINK);

    expect(outcome).toMatchObject({
      kind: 'failed',
      response: { error: 'The invocation was cancelled before this was done.' },
      error: { code: 'CANCELLED' },
    });
    expect(entered).toEqual([]);
  });

  it.each([undefined, { cached: true }])(
    'enters no further gate where beforeTool was waited for when it was cancelled, and gave %j',
    async (answer) => {
      const entered: string[] = [];
      const cancellation = new Cancellation();
      const beforeTool = (): Promise<unknown> => {
        cancellation.cancel();
        return Promise.resolve(answer);
      };
      const call = await toolCall(toolNamed('pay'), { cancellation, callbacks: { beforeTool } });
      const asking = gate(entered, 'asking', 'intercept');

      const outcome = await new ToolDispatcher([asking]).dispatch(call, NO_SINK);

      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'CANCELLED' } });
      expect(entered).toEqual(['asking']);
    },
  );
});

describe('a call that had waited for a person', () => {
  it.each<[string, () => void | Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('The desk is gone.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The desk is gone.'))],
  ])('is over for its tool, too; where that %s, it is a warning', async (_how, settled) => {
    const logger = new ListLogger();
    const told: string[] = [];
    const tool: Tool = Object.assign(toolNamed('pay'), {
      settled: ({ functionCallId }: ToolContext) => {
        told.push(functionCallId);
        return settled();
      },
    });
    const answer = { kind: 'again', given: [] } as unknown as Answer;
    const call = await toolCall(tool, { answer, logger });

    const outcome = await new ToolDispatcher([gate([], 'last', SETTLED)]).dispatch(call, NO_SINK);
    await Promise.resolve();

    expect([outcome, told]).toEqual([SETTLED, ['c1']]);
    expect(logger.lines).toMatchObject([
      ['tool "pay" failed to release what a call held', { error: { message: 'The desk is gone.' } }],
    ]);
  });

  it.each<[string, Partial<ToolCall>, GateVerdict]>([
    ['had not', { answer: undefined }, SETTLED],
    ['waits again', {}, { kind: 'waiting' }],
  ])('is told to its tool; a call that %s is not', async (_which, changes, verdict) => {
    const settled = jest.fn();
    const answer = { kind: 'again', given: [] } as unknown as Answer;
    const call = await toolCall(Object.assign(toolNamed('pay'), { settled }), { answer });

    await new ToolDispatcher([gate([], 'last', verdict)]).dispatch(Object.assign(call, changes), NO_SINK);

    expect(settled).not.toHaveBeenCalled();
  });
});

describe('the calls of one turn', () => {
  it('run side by side, and are answered in the order of the calls', async () => {
    const [first, second] = [deferred(), deferred()];
    const tools = [
      answering('first', () => first.promise),
      answering('second', () => {
        first.resolve('1');
        return second.promise;
      }),
      answering('third', () => {
        second.resolve('2');
        return '3';
      }),
    ];

    const { responses } = await play(tools, ['first', 'second', 'third']);

    expect(responses).toEqual([{ result: '1' }, { result: '2' }, { result: '3' }]);
  });

  it('run no more at once than the run allows', async () => {
    let running = 0;
    let most = 0;
    const tool = answering('a', async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });

    await play([tool], ['a', 'a', 'a', 'a', 'a'], undefined, 2);

    expect(most).toBe(2);
  });

  it('wait for a sequential one, and it for them', async () => {
    const log: string[] = [];
    const logging = (name: string) => async (): Promise<void> => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    };
    const alone = new FunctionTool({
      name: 'alone',
      description: 'It does its work.',
      sequential: true,
      run: logging('alone'),
    });

    await play(
      [answering('a', logging('a')), answering('b', logging('b')), alone, answering('c', logging('c'))],
      ['a', 'alone', 'b', 'c'],
    );

    expect(log).toEqual([
      'a begins',
      'a ends',
      'alone begins',
      'alone ends',
      'b begins',
      'c begins',
      'b ends',
      'c ends',
    ]);
  });

  it('waits for a background tool where nobody takes its result later', async () => {
    const run = (): Promise<string> => Promise.resolve('printed');
    const call = await toolCall(toolNamed('print', { background: true, run }));
    const dispatcher = new ToolDispatcher([new RunGate()]);

    const [alone] = await dispatcher.dispatchAll([call], NO_SINK, 8);
    const [beside] = await dispatcher.dispatchAll([call], NO_SINK, 8, NO_SINK);

    expect([alone?.kind, beside?.kind]).toEqual(['completed', 'running']);
  });
});

const GENERIC = 'The tool failed (Error). Details are hidden. Continue without it, or retry.';

function gate(asked: string[], name: string, verdict: GateVerdict): ToolGate {
  return {
    enter: () => {
      asked.push(name);
      return verdict;
    },
  };
}

function answering(name: string, run: () => unknown = () => 'done'): FunctionTool {
  return new FunctionTool({ name, description: 'It does its work.', run });
}

/** Lets a model call the tools in one turn; gives what it was answered and what was logged. */
async function play(tools: Tool[], names: string[], gates?: readonly ToolGate[], toolConcurrency = 8) {
  const model = new ScriptedModel(callsTools(...names.map((name) => ({ name, args: {} }))), says('Done.'));
  const logger = new ListLogger();
  const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), {
    model,
    modules,
    config: { toolConcurrency, toolTimeout: 30_000 },
  });
  if (gates !== undefined) Object.assign(runner.root, { dispatcher: new ToolDispatcher(gates) });
  const events: Event[] = await eventsOf(runner.run({ message: 'Go.' }));
  model.assertDone();
  return {
    responses: events[1]?.functionResponses.map(({ response }) => response),
    warnings: logger.lines,
  };
}

function deferred() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
