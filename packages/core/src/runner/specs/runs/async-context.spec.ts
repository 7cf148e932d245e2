import { AsyncLocalStorage } from 'node:async_hooks';

import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import {
  type AgentClass,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  workflow,
  type Model,
  Plugin,
  type Run,
  type Runner,
} from '../../../index.js';

const caller = new AsyncLocalStorage<string>();
const key = { userId: 'ada', sessionId: 's1' };
const opened: Runner<unknown>[] = [];

afterEach(async () => {
  for (const runner of opened.splice(0)) await runner.close();
});

describe('a run', () => {
  it('goes on in the context of its caller when another request waits for the session', async () => {
    const { tool, contexts } = noting('pay');
    const runner = await open(clerk([tool], callsTool('pay'), says('a'), callsTool('pay'), says('b')));
    const first = caller.run('A', () => runner.run({ ...key, message: 'Pay for A.' }));
    await caller.run('A', () => first.next());

    const second = caller.run('B', () => runner.run({ ...key, message: 'Pay for B.' }));
    await caller.run('B', () => second.then());

    expect(contexts).toEqual(['A', 'B']);
  });

  it('begins in the context of its caller, whoever reads it', async () => {
    const { tool, contexts } = noting('pay');
    const runner = await open(clerk([tool], callsTool('pay'), says('a')));
    const run = caller.run('A', () => runner.run({ ...key, message: 'Pay.' }));

    await caller.run('B', () => eventsOf(run));

    expect(contexts).toEqual(['A']);
  });

  it('ends in the context of its caller when the runner is closed in another', async () => {
    const watch = new Watch();
    const runner = await open(clerk([], says('a')), watch);
    const run = caller.run('A', () => runner.run({ ...key, message: 'Hello.' }));
    await caller.run('A', () => run.next());

    await caller.run('C', () => runner.close());

    expect(watch.contexts).toEqual(['beforeRun in A', 'afterRun in A']);
  });

  it.each<[string, (tool: FunctionTool) => AgentClass<unknown>]>([
    ['a sequence', (tool) => workflow.sequence(clerk([tool], ...paying()), clerk([tool], ...paying()))],
    ['branches', (tool) => workflow.parallel(clerk([tool], ...paying()), clerk([tool], ...paying()))],
    [
      'a list',
      (tool) => workflow.map(clerk([tool], ...paying(), ...paying()), { itemsKey: 'items', concurrency: 1 }),
    ],
    [
      'agents that are tools',
      (tool) => {
        const inner = clerk([tool], ...paying(), ...paying());
        const asking = [callsTool(nameOf(inner), { request: 'Pay.' }, 'c1')];
        const again = [callsTool(nameOf(inner), { request: 'Pay.' }, 'c2')];
        return clerk([inner], ...asking, ...again, says('Done.'));
      },
    ],
  ])('calls the tools of %s in the context of its caller', async (_what, build) => {
    const { tool, contexts } = noting('pay');
    const runner = await open(build(tool));
    const input = { ...key, message: 'Pay.', stateDelta: { items: ['one', 'two'] } };
    const run = caller.run('A', () => runner.run(input));

    await caller.run('B', () => readSlowly(run));

    expect(contexts).toEqual(['A', 'A']);
  });

  it('runs a background call, and delivers its result, in the context of its caller', async () => {
    const { tool, contexts } = noting('pay', { background: true });
    const seen: unknown[] = [];
    const answer = () => {
      seen.push(caller.getStore());
      return says('Done.');
    };
    const runner = await open(clerk([tool], callsTool('pay'), answer, answer));
    const run = caller.run('A', () => runner.run({ ...key, message: 'Pay.' }));

    await caller.run('B', () => readSlowly(run));

    expect(contexts).toEqual(['A']);
    expect(new Set(seen)).toEqual(new Set(['A']));
  });

  it('that is answered in another request goes on in the context of the answer', async () => {
    const { tool, contexts } = noting('pay', { confirm: true });
    const runner = await open(clerk([tool], callsTool('pay'), says('Paid.')));
    await caller.run('A', () => runner.run({ ...key, message: 'Pay.' }).then());
    const [request] = await runner.pending(key);
    if (request === undefined) throw new Error('Nothing is pending.');

    await caller.run('B', () => runner.approve(request).then());

    expect(contexts).toEqual(['B']);
  });
});

/** A tool that notes the context of each call. */
function noting(name: string, options: { readonly background?: boolean; readonly confirm?: boolean } = {}) {
  const contexts: unknown[] = [];
  const run = async () => {
    await Promise.resolve();
    contexts.push(caller.getStore());
    return 'paid';
  };
  return { tool: new FunctionTool({ name, description: '', ...options, run }), contexts };
}

class Watch extends Plugin {
  readonly name = 'watch';
  readonly contexts: string[] = [];

  override beforeRun(): undefined {
    this.contexts.push(`beforeRun in ${caller.getStore() ?? 'none'}`);
  }

  override afterRun(): undefined {
    this.contexts.push(`afterRun in ${caller.getStore() ?? 'none'}`);
  }
}

let agents = 0;
const names = new Map<AgentClass<unknown>, string>();

function clerk(tools: (FunctionTool | AgentClass<unknown>)[], ...steps: readonly ScriptedStep[]) {
  const name = `clerk${String(agents++)}`;
  const model: Model = new ScriptedModel(...steps);
  const made = defineAgent({ name, description: '', model, tools });
  names.set(made, name);
  return made;
}

function nameOf(agent: AgentClass<unknown>): string {
  return names.get(agent) ?? '';
}

function paying(): ScriptedStep[] {
  return [callsTool('pay'), says('Paid.')];
}

async function open(root: AgentClass<unknown>, ...plugins: Plugin[]): Promise<Runner<unknown>> {
  const runner = await createRunner(root, { plugins });
  opened.push(runner);
  return runner;
}

async function readSlowly(run: Run<unknown>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of run) {
    events.push(event);
    await new Promise(setImmediate);
  }
  return events;
}
