import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { ContainerModule } from 'inversify';
import { z } from 'zod';

import {
  agent,
  BaseAgent,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  type InvocationContext,
  LlmAgent,
  Logger,
  type Runner,
  type RunResult,
} from '../index.js';
import type { EventBody } from '../events/event.js';
import type { AgentResult } from '../run/agent-result.js';
import type { RunFailedError } from './errors.js';
import { resultOf } from './run.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('a run', () => {
  it('gives its events to a reader, and its result to whoever awaits it', async () => {
    await using runner = await clerk(says('Hello.'));
    const run = runner.run({ ...ADDRESS, message: 'Hi', invocationId: 'e-1' });

    const events = await eventsOf(run);
    const result = await run;

    expect(events.map(({ text }) => text)).toEqual(['Hello.']);
    expect(result).toEqual({
      status: 'answered',
      text: 'Hello.',
      output: 'Hello.',
      pending: [],
      error: undefined,
      events,
      appName: 'clerk',
      userId: 'ada',
      sessionId: 's1',
      invocationId: 'e-1',
    } satisfies RunResult);
  });

  it('happens where nobody reads it or awaits it', async () => {
    await using runner = await clerk(callsTool('pay', {}, 'c1'), says('Paid.'));
    await runner.run({ ...ADDRESS, message: 'Pay.' });
    const [request] = await runner.pending(ADDRESS);

    void runner.approve(request ?? fail());
    await until(async () => (await textsOf(runner)).includes('Paid.'));

    expect(await runner.pending(ADDRESS)).toEqual([]);
  });

  it('is over where it was awaited: an approval has run the call', async () => {
    await using runner = await clerk(callsTool('pay', {}, 'c1'), says('Paid.'));
    const paused = await runner.run({ ...ADDRESS, message: 'Pay.' });

    const result = await runner.approve(paused.pending[0] ?? fail());

    expect(paused).toMatchObject({ status: 'paused', text: '', error: undefined });
    expect(result).toMatchObject({ status: 'answered', text: 'Paid.', pending: [] });
  });

  it('keeps its events for a reader that comes late', async () => {
    await using runner = await clerk(callsTool('look', {}, 'c1'), says('Fine.'));
    const run = runner.run({ ...ADDRESS, message: 'Look.' });
    await run;

    expect((await eventsOf(run)).map(({ text }) => text)).toEqual(['', '', 'Fine.']);
  });

  it('drops pieces alone, and is not cancelled, where nobody reads a long answer', async () => {
    await using runner = await createRunner(Chatty, { model: new ScriptedModel() });
    const run = runner.run({ message: 'Go on.' });

    const { status, text, events } = await run;
    const unread = await eventsOf(run);

    expect([status, text, events.length]).toEqual(['answered', 'Done.', 1]);
    expect([unread.length, unread.at(-1)?.text]).toEqual([1001, 'Done.']);
  });

  it('is not cancelled by a reader that leaves a long answer unread and awaits the result', async () => {
    await using runner = await createRunner(Chatty, { model: new ScriptedModel() });
    const run = runner.run({ message: 'Go on.' });
    await run.next();

    const { status, text } = await run;

    expect([status, text]).toEqual(['answered', 'Done.']);
  });

  it('has nothing more to read once its reader has stopped', async () => {
    await using runner = await clerk(callsTool('look', {}, 'c1'), says('Fine.'));
    const run = runner.run({ ...ADDRESS, message: 'Look.' });
    await run;

    await run.return();

    expect(await eventsOf(run)).toEqual([]);
  });

  it('has a promise of its text, and one of its output', async () => {
    await using runner = await clerk(says('One.'), says('Two.'));

    await expect(runner.run({ message: '1' }).text).resolves.toBe('One.');
    await expect(runner.run({ message: '2' }).output).resolves.toBe('Two.');
  });

  it('is a promise: what is to follow it follows', async () => {
    await using runner = await clerk(says('One.'));
    const order: string[] = [];

    const { text } = await runner.run({ message: '1' }).finally(() => void order.push('over'));

    expect([text, order]).toEqual(['One.', ['over']]);
  });

  it('fails with the code alone where the event says no more', async () => {
    await using runner = await clerk({ errorCode: 'SAFETY' });

    await expect(runner.run({ message: 'Hi' }).text).rejects.toThrow(
      'The run ended without an answer: SAFETY. See the events of the run.',
    );
  });

  it('rejects its promises where it paused, and not the result', async () => {
    await using runner = await clerk(callsTool('pay', {}, 'c1'));
    const run = runner.run({ ...ADDRESS, message: 'Pay.' });

    await expect(run.text).rejects.toMatchObject({ code: 'RUN_PAUSED', pending: [{ tool: 'pay' }] });
    await expect(run.output).rejects.toMatchObject({ code: 'RUN_PAUSED' });
    expect((await run).status).toBe('paused');
  });

  it('fails with the event that says why', async () => {
    await using runner = await clerk({ errorCode: 'SAFETY', errorMessage: 'No.' });
    const run = runner.run({ message: 'Hi' });

    const { status, error, output } = await run;

    expect([status, output, error?.message]).toEqual([
      'failed',
      undefined,
      'The run ended without an answer: SAFETY, No. See the events of the run.',
    ]);
    await expect(run.text).rejects.toBe(error);
  });

  it('throws what ended it to its reader and to its promises', async () => {
    await using runner = await createRunner(Broken, { model: new ScriptedModel() });
    const run = runner.run({ message: 'Hi' });

    await expect(eventsOf(run)).rejects.toThrow('Broken.');
    await expect(run).rejects.toThrow('Broken.');
    await expect(run.text).rejects.toThrow('Broken.');
    await expect(run.catch((error: unknown) => (error as Error).message)).resolves.toBe('Broken.');
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it('logs what ended it where nobody reads it, once', async () => {
    const logger = new Lines();
    const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
    await using runner = await createRunner(Broken, { model: new ScriptedModel(), modules });

    void runner.run({ message: 'Hi', invocationId: 'e-1' });
    await until(() => Promise.resolve(logger.lines.length > 0));

    expect(logger.lines).toEqual([['a run without a reader failed', 'e-1', 'Broken.']]);
  });

  it('logs nothing where somebody hears of it', async () => {
    const logger = new Lines();
    const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
    await using runner = await createRunner(Broken, { model: new ScriptedModel(), modules });

    await eventsOf(runner.run({ message: 'Hi' })).catch(() => undefined);
    await runner.run({ message: 'Hi' }).catch(() => undefined);

    expect(logger.lines).toEqual([]);
  });

  it('rejects its result where its reader stopped before the end', async () => {
    await using runner = await clerk(callsTool('look', {}, 'c1'), says('Fine.'));
    const run = runner.run({ message: 'Look.' });
    for await (const _event of run) break;

    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is cancelled by itself, with an event', async () => {
    await using runner = await createRunner(Chatty, { model: new ScriptedModel() });
    const run = runner.run({ message: 'Go on.' });
    await run.next();

    run.cancel();

    const result = await run;
    expect([result.status, result.events.at(-1)?.errorCode]).toEqual(['failed', 'CANCELLED']);
  });

  it('is paced by a reader that begins at once', async () => {
    const made: number[] = [];
    @agent({ description: '' })
    class Counting extends BaseAgent {
      async *run(context: InvocationContext) {
        const { name: author } = context.agent;
        for (let number = 1; number <= 3; number++) {
          made.push(number);
          yield context.event({ author });
        }
      }
    }
    await using runner = await createRunner(Counting, { model: new ScriptedModel() });
    const run = runner.run({ message: 'Count.' });
    await run.next();
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(made).toEqual([1]);
    await run.return();
  });
});

const CONCLUDED: AgentResult<unknown> = {
  ...{
    status: 'answered',
    path: 'front',
    text: '',
    texts: [],
    output: '',
    escalated: false,
    error: undefined,
  },
};

const CALL = {
  author: 'front',
  content: {
    role: 'model',
    parts: [{ text: 'Wait.' }, { functionCall: { id: 'c1', name: 'pay', args: {} } }],
  },
};

describe('the result of a run', () => {
  it.each<[string, EventBody[], string]>([
    ['the last answer', [answers('front', 'One.'), answers('front', 'Two.')], 'Two.'],
    ['nothing, if there is none', [{ author: 'front' }], ''],
    [
      'no text in front of a call',
      [answers('front', 'One.'), { ...CALL, nodeInfo: { path: 'front' } }],
      'One.',
    ],
    [
      'no answer of an agent that ran as a tool',
      [answers('front', 'One.'), { ...answers('front', 'Two.'), isolationScope: 'x/c1' }],
      'One.',
    ],
    [
      'no answer of a called agent, whose parent answers',
      [answers('front', 'One.'), answers('front/press', 'Two.')],
      'One.',
    ],
    ['the answer of another agent', [answers('front', 'One.'), answers('front/bills', 'Two.')], 'Two.'],
  ])('has as its text %s', async (_what, events, text) => {
    expect(await resultFor(events)).toMatchObject({ status: 'answered', text, output: text });
  });

  it.each<[string, EventBody[], number | undefined]>([
    ['an error', [fails('front')], 0],
    ['an error behind an answer', [answers('front/bills', 'One.'), fails('front/bills')], 1],
    ['an error of the root in front of an answer', [fails('front'), answers('front/bills', 'One.')], 0],
    [
      'an error that another agent recovered from',
      [fails('front/bills'), answers('front', 'One.')],
      undefined,
    ],
    ['an error behind which nobody answered', [fails('front/bills'), { author: 'front' }], 0],
    [
      'an error of an agent that ran as a tool',
      [{ ...fails('front/bills'), isolationScope: 'x/c1' }],
      undefined,
    ],
    ['two errors', [fails('front/bills'), fails('front/press')], 1],
    ['a cancellation', [answers('front', 'One.'), cancelled('front')], 1],
    [
      'a cancelled agent behind which another answered',
      [cancelled('front/bills'), answers('front', 'One.')],
      undefined,
    ],
  ])('is a failure with the event that says why, or none, for %s', async (_what, events, failed) => {
    const { status, error, events: all } = await resultFor(events);

    expect(status).toBe(failed === undefined ? 'answered' : 'failed');
    expect((error as RunFailedError | undefined)?.event).toBe(failed === undefined ? undefined : all[failed]);
  });

  it('is that of the composite with which it began, whatever its agents said', async () => {
    const concluded = { ...CONCLUDED, text: 'All.', output: ['One.', 'Two.'] };

    expect(await resultFor([answers('front', 'One.'), fails('front/bills')], { concluded })).toMatchObject({
      status: 'answered',
      text: 'All.',
      output: ['One.', 'Two.'],
      error: undefined,
    });
  });

  it('fails with the event that has the error of the composite, or with one that is made of it', async () => {
    const error = { code: 'SAFETY', message: 'No.' };
    const concluded = { ...CONCLUDED, status: 'failed' as const, error };
    const other = { ...fails('front'), errorCode: 'OTHER' };

    const told = await resultFor([fails('front/bills'), fails('front/bills'), other], { concluded });
    const untold = await resultFor([answers('front', 'One.')], { concluded });
    const stopped = await resultFor([fails('front/bills'), cancelled('front')], { concluded });

    expect((told.error as RunFailedError).event).toBe(told.events[1]);
    expect((stopped.error as RunFailedError).event).toBe(stopped.events[1]);
    expect((untold.error as RunFailedError).event).toMatchObject({
      author: 'front',
      invocationId: 'e-1',
      errorCode: 'SAFETY',
      errorMessage: 'No.',
    });
  });

  it('is read by the schema of the agent that gave the answer', async () => {
    expect(await resultFor([answers('front/counts', '[1]')])).toMatchObject({ text: '[1]', output: [1] });
    expect(await resultFor([answers('front/counts', 'one')])).toMatchObject({
      status: 'failed',
      text: 'one',
      output: undefined,
      error: { code: 'OUTPUT_INVALID', message: expect.stringContaining('of agent "counts"') as unknown },
    });
  });

  it('waits where requests are open, and says where and in which run', async () => {
    const request = {
      kind: 'result',
      id: 'c0',
      functionCallId: 'c0',
      tool: 'pay',
      args: { cents: 5 },
    } as const;
    const waiting = [
      { request, invocationId: 'e-0', path: 'front', scope: undefined },
      { request: { ...request, id: 'c1' }, invocationId: 'e-1', path: 'front/bills', scope: 's' },
    ];

    const result = await resultFor([answers('front', 'One.')], { waiting });

    const session = { appName: 'shop', ...ADDRESS };
    expect(result).toMatchObject({ status: 'paused', text: 'One.', output: undefined, error: undefined });
    expect(result.pending).toEqual([
      { ...request, ...session, invocationId: 'e-0', path: 'front' },
      { ...request, id: 'c1', ...session, invocationId: 'e-1', path: 'front/bills' },
    ]);
  });

  it('gives the arguments of the call that waits for a result', async () => {
    const Clerk = defineAgent({
      name: 'clerk',
      tools: [
        new FunctionTool({
          name: 'ship',
          description: '',
          parameters: { type: 'object' },
          longRunning: true,
          run: () => 'sent',
        }),
      ],
    });
    const model = new ScriptedModel(callsTool('ship', { to: 'Oslo' }, 'c1'));
    await using runner = await createRunner(Clerk, { model });

    const { pending } = await runner.run({ ...ADDRESS, message: 'Ship.' });

    expect(pending).toMatchObject([{ kind: 'result', id: 'c1', tool: 'ship', args: { to: 'Oslo' } }]);
  });
});

describe('a user that nobody names', () => {
  it('is warned of once, where it has more than one named session', async () => {
    const logger = new Lines();
    const modules = [new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger))];
    const Clerk = defineAgent({ name: 'clerk' });
    const model = new ScriptedModel(...Array.from({ length: 6 }, () => says('Hello.')));
    await using runner = await createRunner(Clerk, { model, modules });

    for (const sessionId of [undefined, 's1', 's1']) await runner.ask('Hi', { sessionId });
    await runner.ask('Hi', { userId: 'ada', sessionId: 's2' });
    expect(logger.warnings).toEqual([]);
    for (const sessionId of ['s2', 's3']) await runner.ask('Hi', { sessionId });

    expect(logger.warnings).toEqual([expect.stringContaining('Pass userId to run, ask and pending')]);
  });
});

describe('the output of an agent with an outputSchema', () => {
  const Report = z.object({ city: z.string(), at: z.string().transform((text) => new Date(text)) });
  type Report = z.infer<typeof Report>;

  @agent({ description: '', outputSchema: Report })
  class Reporter extends LlmAgent<Report> {}

  it('is what `ask` gives, checked and made by the library, with its type', async () => {
    const model = new ScriptedModel(says('{"city":"Oslo","at":"2026-01-02T00:00:00Z"}'));
    await using runner = await createRunner(Reporter, { model });

    const report: Report = await runner.ask('Report.');

    expect(report).toEqual({ city: 'Oslo', at: new Date('2026-01-02T00:00:00Z') });
  });

  it('is what a JSON Schema describes', async () => {
    const Lister = defineAgent({
      name: 'lister',
      outputSchema: { type: 'array', items: { type: 'number' } },
    });
    await using runner = await createRunner(Lister, { model: new ScriptedModel(says('[1, 2]')) });

    expect(await runner.ask('List.')).toEqual([1, 2]);
  });

  it.each([
    ['is not JSON', 'Oslo!'],
    ['does not fit the schema', '{"city":1,"at":"now"}'],
  ])('rejects an answer that %s, and has its text all the same', async (fault, answer) => {
    const model = new ScriptedModel(says(answer), says(answer));
    await using runner = await createRunner(Reporter, { model });
    const run = runner.run({ message: 'Report.' });

    await expect(run.output).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining(`The answer of agent "reporter" ${fault}`) as string,
      text: answer,
    });
    await expect(run.text).resolves.toBe(answer);
    expect((await run).status).toBe('failed');
  });

  it('shows a long answer that does not fit in part', async () => {
    const answer = 'Oslo'.repeat(100);
    const model = new ScriptedModel(says(answer), says(answer));
    await using runner = await createRunner(Reporter, { model });

    await expect(runner.ask('Report.')).rejects.toMatchObject({
      message: expect.stringContaining(`the answer was: ${answer.slice(0, 200)}….`) as string,
      text: answer,
    });
  });

  it('says what the library refuses', async () => {
    const City = z.object({ city: z.string().refine((city) => city !== 'Atlantis', 'It is lost') });
    const Finder = defineAgent({ name: 'finder', outputSchema: City });
    await using runner = await createRunner(Finder, {
      model: new ScriptedModel(says('{"city":"Atlantis"}'), says('{"city":"Atlantis"}')),
    });

    await expect(runner.ask('Where?')).rejects.toThrow('is rejected by the schema: city: It is lost');
  });

  it('is of the agent that gave the answer: text where that has no schema', async () => {
    const Teller = defineAgent({ name: 'teller', description: 'Tells.' });
    const Root = defineAgent({ name: 'root', outputSchema: Report, subAgents: [Teller] });
    const model = new ScriptedModel(callsTool('transfer_to_agent', { agent_name: 'teller' }), says('Once.'));
    await using runner = await createRunner(Root, { model });

    expect(await runner.ask('Tell.')).toBe('Once.');
  });
});

function at(path: string): Pick<EventBody, 'author' | 'nodeInfo'> {
  return { author: path.split('/').at(-1) ?? '', nodeInfo: { path } };
}

function answers(path: string, text: string): EventBody {
  return { ...at(path), content: { role: 'model', parts: [{ text }] } };
}

function fails(path: string): EventBody {
  return { ...at(path), errorCode: 'SAFETY', errorMessage: 'No.' };
}

function cancelled(path: string): EventBody {
  return { ...at(path), errorCode: 'CANCELLED', turnComplete: true };
}

/** The result of a run with these events, in a tree of four agents. */
async function resultFor(bodies: readonly EventBody[], place: Partial<Parameters<typeof resultOf>[1]> = {}) {
  const Front = defineAgent({
    name: 'front',
    subAgents: [
      defineAgent({ name: 'bills' }),
      defineAgent({ name: 'press', delegation: 'call' }),
      defineAgent({ name: 'counts', outputSchema: { type: 'array', items: { type: 'number' } } }),
    ],
  });
  await using runner = await createRunner(Front, { model: new ScriptedModel() });
  const events = bodies.map((body) => new Event({ invocationId: 'e-1', ...body }));
  const key = { appName: 'shop', ...ADDRESS };
  return await resultOf<unknown>(events, {
    root: runner.root,
    key,
    invocationId: 'e-1',
    waiting: [],
    ...place,
  });
}

const TOOLS = [
  new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' }),
  new FunctionTool({ name: 'look', description: '', run: () => 'fine' }),
];

function clerk(...steps: ScriptedStep[]): Promise<Runner> {
  const Clerk = defineAgent({ name: 'clerk', tools: TOOLS });
  return createRunner(Clerk, { model: new ScriptedModel(...steps) });
}

@agent({ description: '' })
class Chatty extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    const { name: author } = context.agent;
    for (let piece = 0; piece < 3_000; piece++) yield context.event({ author, partial: true });
    yield context.event({
      author,
      content: { role: 'model', parts: [{ text: 'Done.' }] },
      turnComplete: true,
    });
  }
}

@agent({ description: '' })
class Broken extends BaseAgent {
  // eslint-disable-next-line require-yield -- it breaks before it has anything to say
  async *run(): AsyncGenerator<Event, void, undefined> {
    await Promise.resolve();
    throw new Error('Broken.');
  }
}

class Lines extends Logger {
  readonly lines: unknown[] = [];
  readonly warnings: string[] = [];

  debug(): void {
    // Not an error.
  }

  info(): void {
    // Not an error.
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  error(message: string, { invocationId, error }: Record<string, unknown> = {}): void {
    this.lines.push([message, invocationId, (error as Error).message]);
  }
}

async function textsOf(runner: Runner): Promise<string[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...ADDRESS });
  return (session?.events ?? []).map(({ text }) => text);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

function fail(): never {
  throw new Error('Nothing waits for an answer.');
}
