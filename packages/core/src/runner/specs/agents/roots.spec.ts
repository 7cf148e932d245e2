import { sessionCompaction } from '@adorn/compaction';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { EventsCompactionConfig } from '../../../backend.js';
import {
  agent,
  type AgentClass,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  EventSummarizer,
  FunctionTool,
  InMemorySessionService,
  type InvocationContext,
  type RunConfig,
  type Runner,
  RouteAgent,
  SessionService,
  workflow,
} from '../../../index.js';
import { logOf } from '../../../events/session.js';

/** What every feature of a runner must do, whatever the root of its tree is. */

const address = { userId: 'ada', sessionId: 's1' };

const publish = new FunctionTool({ name: 'publish', description: '', confirm: true, run: () => 'published' });
const look = new FunctionTool({ name: 'look', description: '', run: () => 'seen' });

function leaf(name: string, isLast = false): AgentClass<unknown> {
  const outputKey = isLast ? { outputKey: 'answer' } : {};
  return defineAgent({
    name,
    description: name,
    instruction: `I am ${name}.`,
    tools: [publish, look],
    ...outputKey,
  });
}

@agent({ name: 'route', description: '', subAgents: [leaf('last', true), leaf('first')] })
class Route extends RouteAgent {
  route(): string {
    return 'last';
  }
}

@agent({ name: 'own', description: '', subAgents: [leaf('first'), leaf('last', true)] })
class Own extends BaseAgent {
  async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    for (const child of context.agent.subAgents) yield* context.invoke(child);
  }
}

/** Each kind of root, and how often it asks a model in one turn. The agent `last` answers last. */
const ROOTS: readonly [kind: string, root: () => AgentClass<unknown>, requests: number][] = [
  ['an agent', () => leaf('last', true), 1],
  [
    'an agent with sub-agents',
    () =>
      defineAgent({
        name: 'last',
        description: '',
        instruction: 'I am last.',
        tools: [publish, look],
        outputKey: 'answer',
        subAgents: [leaf('first')],
      }),
    1,
  ],
  ['a sequence of one', () => workflow.sequence(leaf('last', true), { name: 'root' }), 1],
  ['a sequence', () => workflow.sequence(leaf('first'), leaf('last', true), { name: 'root' }), 2],
  ['a loop', () => workflow.loop(leaf('first'), leaf('last', true), { name: 'root', maxIterations: 1 }), 2],
  ['a parallel', () => workflow.parallel(leaf('last', true), { name: 'root' }), 1],
  [
    'a parallel of two',
    () => workflow.parallel(leaf('first'), leaf('last', true), { name: 'root', concurrency: 1 }),
    2,
  ],
  ['a race', () => workflow.race(leaf('last', true), { name: 'root' }), 1],
  ['a fallback', () => workflow.fallback(leaf('last', true), leaf('first'), { name: 'root' }), 1],
  ['a map', () => workflow.map(leaf('last', true), { name: 'root', itemsKey: 'items', outputKey: 'all' }), 1],
  ['a route', () => Route, 1],
  ['an agent with a run of its own', () => Own, 2],
  [
    'a parallel in a sequence',
    () =>
      workflow.sequence(workflow.parallel(leaf('first'), { name: 'in' }), leaf('last', true), {
        name: 'root',
      }),
    2,
  ],
  [
    'a sequence in a loop in a sequence',
    () =>
      workflow.sequence(
        workflow.loop(workflow.sequence(leaf('first'), { name: 'in' }), { name: 'mid', maxIterations: 1 }),
        leaf('last', true),
        { name: 'root' },
      ),
    2,
  ],
];

/** Answers as the agent that is asked, or calls the tool that `call` names for it, once. */
function scripted(call?: {
  readonly agent: string;
  readonly tool: string;
  readonly times?: number;
}): ScriptedModel {
  let left = call?.times ?? 1;
  return new ScriptedModel(
    ...Array.from({ length: 60 }, () => ({ config }: { config: { systemInstruction?: unknown } }) => {
      const name = /I am (\w+)/.exec(String(config.systemInstruction))?.[1] ?? 'summarizer';
      if (call?.agent === name && left-- > 0) return callsTool(call.tool);
      return { ...says(`${name} says.`), usageMetadata: { promptTokenCount: 200, totalTokenCount: 210 } };
    }),
  );
}

class Summarizer extends EventSummarizer {
  asked = 0;

  async summarize(): Promise<{ role: string; parts: { text: string }[] }> {
    this.asked++;
    return { role: 'model', parts: [{ text: 'SUMMARY' }] };
  }
}

async function open(
  root: AgentClass<unknown>,
  options: {
    readonly model?: ScriptedModel;
    readonly compaction?: EventsCompactionConfig;
    readonly sessions?: SessionService;
    readonly config?: RunConfig;
  } = {},
): Promise<Runner<unknown>> {
  const { model = scripted(), compaction, sessions = new InMemorySessionService(), config } = options;
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  return createRunner(root, {
    model,
    modules: [...modules, sessionCompaction],
    ...(compaction && { compaction }),
    ...(config && { config }),
  });
}

const say = { ...address, message: 'Go.', stateDelta: { items: ['one'] } };

async function stored(runner: Runner<unknown>): Promise<readonly Event[]> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
  return session ? logOf(session) : [];
}

describe.each(ROOTS)('with %s as the root', (_kind, root, requests) => {
  it('summarises after so many runs', async () => {
    const summarizer = new Summarizer();
    const runner = await open(root(), { compaction: { compactionInterval: 2, overlapSize: 0, summarizer } });
    for (let turn = 0; turn < 2; turn++) await runner.run(say);
    await runner.close();

    expect(summarizer.asked).toBe(1);
  });

  it('summarises by tokens', async () => {
    const summarizer = new Summarizer();
    const runner = await open(root(), {
      compaction: { tokenThreshold: 100, eventRetentionSize: 1, summarizer },
    });
    for (let turn = 0; turn < 3; turn++) await runner.run(say);
    await runner.close();

    expect(summarizer.asked).toBeGreaterThan(0);
  });

  it('does not summarise what waits for a person', async () => {
    const summarizer = new Summarizer();
    const model = scripted({ agent: 'last', tool: 'publish' });
    const runner = await open(root(), {
      model,
      compaction: { compactionInterval: 1, overlapSize: 0, summarizer },
    });
    const { status, pending } = await runner.run(say);
    expect([status, pending.length, summarizer.asked]).toEqual(['paused', 1, 0]);
    const approved = await runner.approve(pending[0]!);
    await runner.close();

    expect([approved.status, summarizer.asked]).toEqual(['answered', 1]);
  });

  it('answers, keeps the answer under its key, and gives the next turn the conversation', async () => {
    const model = scripted();
    await using runner = await open(root(), { model });
    const { text, status } = await runner.run(say);
    await runner.run(say);

    expect([status, text.endsWith('last says.')]).toEqual(['answered', true]);
    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
    expect(session?.state['answer']).toBe('last says.');
    expect(model.requests).toHaveLength(2 * requests);
    expect(JSON.stringify(model.requests.at(-1)?.contents)).toContain('says.');
  });

  it('ends with the code of a limit', async () => {
    const model = scripted({ agent: 'last', tool: 'look', times: 50 });
    await using runner = await open(root(), { model, config: { maxLlmCalls: requests + 1 } });

    const { status, error } = await runner.run(say);

    expect([status, error?.code]).toEqual(['failed', 'RUN_FAILED']);
    expect(error?.message).toContain('LLM_CALL_LIMIT');
  });

  it('is rewound, and goes on without what was rewound', async () => {
    const model = scripted();
    await using runner = await open(root(), { model });
    await runner.run(say);
    const { invocationId } = await runner.run({ ...say, message: 'Wrong.' });
    await runner.rewind({ ...address, invocationId });
    await runner.run(say);

    expect(JSON.stringify(model.requests.at(-1)?.contents)).not.toContain('Wrong.');
    expect((await stored(runner)).length).toBeGreaterThan(3);
  });
});
