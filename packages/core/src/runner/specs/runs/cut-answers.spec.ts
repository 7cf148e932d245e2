import { callsTool, ScriptedModel } from '@adorn/testing';

import {
  agent,
  agentTool,
  type AgentClass,
  BaseAgent,
  createRunner,
  defineAgent,
  type Event,
  type InvocationContext,
  Model,
  type ModelRequest,
  type ModelResponse,
  workflow,
} from '../../../index.js';

const KEY = { userId: 'ada', sessionId: 's1' };

/** Says two pieces, then waits until it is told to stop, and says more. When it is asked again, it answers. */
class Halting extends Model {
  readonly name = 'halting';
  readonly requests: ModelRequest[] = [];

  constructor(private readonly ignoresSignal = false) {
    super();
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.requests.push(request);
    if (JSON.stringify(request.contents).includes('Go on.')) {
      yield answer('Good.');
      return;
    }
    yield { content: { role: 'model', parts: [{ text: 'Hm.', thought: true }] }, partial: true };
    yield { ...answer('The answer '), partial: true };
    yield { ...answer('is '), partial: true };
    await new Promise((resolve) => {
      if (!this.ignoresSignal) request.signal.addEventListener('abort', resolve);
    });
    yield answer('The answer is forty-two.');
  }
}

function answer(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

function halting(name: string, ignoresSignal = false): [AgentClass<unknown>, Halting] {
  const model = new Halting(ignoresSignal);
  return [defineAgent({ name, description: name, model }), model];
}

/** A root by its form, the model that is asked again, and how many answers are cut. */
type Root = () => { readonly root: AgentClass<unknown>; readonly models: readonly Halting[] };

const ROOTS: readonly [form: string, root: Root][] = [
  ['an agent', () => ofOne((one) => one)],
  ['a model that ignores the signal', () => ofOne((one) => one, true)],
  ['a sequence', () => ofOne((one) => workflow.sequence(one, { name: 'root' }))],
  ['a loop', () => ofOne((one) => workflow.loop(one, { name: 'root', maxIterations: 2 }))],
  [
    'parallel branches',
    () => {
      const [[one, first], [two, second]] = [halting('one'), halting('two')];
      return { root: workflow.parallel(one, two, { name: 'root' }), models: [first, second] };
    },
  ],
  [
    'an agent of code that invokes another',
    () =>
      ofOne((one) => {
        @agent({ name: 'root', description: '', subAgents: [one] })
        class Root extends BaseAgent {
          async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
            yield* context.invoke('one');
          }
        }
        return Root;
      }),
  ],
];

function ofOne(
  rootOf: (one: AgentClass<unknown>) => AgentClass<unknown>,
  ignoresSignal = false,
): ReturnType<Root> {
  const [one, model] = halting('one', ignoresSignal);
  return { root: rootOf(one), models: [model] };
}

describe('an answer that is cancelled while it is streamed', () => {
  it.each(ROOTS)(
    'is stored as far as it was shown, and read by later requests: %s',
    async (_form, rootOf) => {
      const { root, models } = rootOf();
      await using runner = await createRunner(root, { config: { streaming: 'sse' } });

      const shown = await cancelledAfter(runner.run({ ...KEY, message: 'What is it?' }), models.length * 2);

      const log = await logOf(runner);
      const cut = log.filter(({ interrupted }) => interrupted === true);
      expect(cut.map(({ text, errorCode }) => [text, errorCode])).toEqual(
        models.map(() => ['The answer is ', 'CANCELLED']),
      );
      expect(new Set(cut.map(({ id }) => id))).toEqual(
        new Set(shown.filter(({ partial }) => partial).map(({ id }) => id)),
      );
      expect(log.at(-1)?.errorCode).toBe('CANCELLED');
      expect(JSON.stringify(log)).not.toContain('forty-two');

      await runner.run({ ...KEY, message: 'Go on.' });
      for (const { requests } of models)
        expect(JSON.stringify(requests.at(-1)?.contents)).toContain('The answer is ');
    },
  );

  it('by an agent that runs as a tool stays the tool’s: the caller reads that its call was cancelled', async () => {
    const [one, model] = halting('one');
    const root = defineAgent({
      name: 'root',
      tools: [agentTool(one)],
      model: new ScriptedModel(callsTool('one', { request: 'Tell me.' })),
    });
    await using runner = await createRunner(root, { config: { streaming: 'sse' } });
    const run = runner.run({ ...KEY, message: 'What is it?' });
    const ended = run.then(({ status }) => status);
    while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    run.cancel();

    expect(await ended).toBe('failed');
    const log = await logOf(runner);
    for (const { isolationScope, interrupted } of log) if (interrupted) expect(isolationScope).toBeDefined();
    expect(log.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { outcome: 'unknown' } },
    ]);
  });

  it('is not stored twice if it was complete, nor at all if nothing of it was shown', async () => {
    const [one, model] = halting('one');
    await using runner = await createRunner(one);
    const run = runner.run({ ...KEY, message: 'What is it?' });
    const ended = run.then(({ status }) => status);
    while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    run.cancel();
    await ended;

    expect((await logOf(runner)).map(({ text, interrupted }) => [text, interrupted])).toEqual([
      ['What is it?', undefined],
      ['', undefined],
    ]);
  });
});

/** Reads a run, and cancels it after so many pieces with text. */
async function cancelledAfter(
  run: AsyncIterable<Event> & { cancel(): void },
  pieces: number,
): Promise<readonly Event[]> {
  const shown: Event[] = [];
  for await (const event of run) {
    if (event.text !== '') shown.push(event);
    if (shown.length === pieces) run.cancel();
  }
  return shown;
}

async function logOf(runner: {
  readonly appName: string;
  readonly sessions: { getSession(key: object): Promise<{ readonly events: readonly Event[] } | undefined> };
}): Promise<readonly Event[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  return session?.events ?? [];
}
