import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { AppendOptions, RecoveredRun } from '../../backend.js';
import {
  type AdornError,
  agent,
  type AgentClass,
  BaseAgent,
  defineAgent,
  type Event,
  FunctionTool,
  type InvocationContext,
  type LlmAgent,
  workflow,
  type Session,
  type Runner,
} from '../../index.js';
import { Conversation, Desk, giveUp, lines, MortalSessionService } from './workflow.fixture.js';

const trees: [string, () => AgentClass<unknown>, Record<string, unknown>?][] = [
  ['a sequence', () => workflow.sequence(...agents('a', 'b', 'c'))],
  [
    'a loop that its agent leaves',
    () => {
      const exits = Array.from({ length: 9 }, () => callsTool('exit_loop'));
      return workflow.sequence(
        workflow.loop(new Desk().agent('a', ...exits), { maxIterations: 2 }),
        ...agents('b'),
      );
    },
  ],
  [
    'a workflow that an agent hands over to',
    () => {
      const steps = workflow.sequence(...agents('b', 'c'), { name: 'steps' });
      const transfers = Array.from({ length: 9 }, () =>
        callsTool('transfer_to_agent', { agent_name: 'steps' }),
      );
      const a = defineAgent({ name: 'a', model: new ScriptedModel(...transfers), subAgents: [steps] });
      return workflow.sequence(a, ...agents('d'), { name: 'top' });
    },
  ],
  ['a loop', () => workflow.loop(...agents('a', 'b'), { maxIterations: 2, until: () => false })],
  [
    'agents side by side',
    () => workflow.sequence(workflow.parallel(...agents('a', 'b', 'c')), ...agents('d')),
  ],
  [
    'agents one at a time',
    () => workflow.sequence(workflow.parallel(...agents('a', 'b', 'c'), { concurrency: 1 }), ...agents('d')),
  ],
  [
    'a list',
    () =>
      workflow.sequence(workflow.map(agents('a')[0]!, { itemsKey: 'items', concurrency: 1 }), ...agents('d')),
    { items: [1, 2] },
  ],
  ['a workflow whose afterAgent answers', () => top(steps({ afterAgent: () => said('Sealed.') }))],
  ['a workflow whose afterAgent writes', () => top(steps({ afterAgent: ({ state }) => state.set('k', 1) }))],
  ['a workflow whose afterAgent fails', () => top(steps({ afterAgent: fails }))],
  ['a workflow whose beforeAgent answers', () => top(steps({ beforeAgent: () => said('No.') }))],
  ['a workflow whose beforeAgent fails', () => top(steps({ beforeAgent: fails }))],
  [
    'an agent whose beforeAgent fails',
    () => top(guarded({ beforeAgent: fails, afterAgent: () => said('Sealed.') })),
  ],
  ['an agent whose afterAgent fails', () => top(guarded({ afterAgent: fails }))],
  [
    'an agent as a tool whose beforeAgent fails',
    () => {
      const model = new ScriptedModel(
        ...Array.from(
          { length: 9 },
          () =>
            ({ contents }: { contents: readonly unknown[] }) =>
              JSON.stringify(contents).includes('functionResponse')
                ? says('Done.')
                : callsTool('guarded', { request: 'Go.' }),
        ),
      );
      return top(defineAgent({ name: 'asks', model, tools: [guarded({ beforeAgent: fails })] }));
    },
  ],
  [
    'a list whose beforeAgent fails',
    () => top(workflow.map(guarded({ beforeAgent: fails }), { itemsKey: 'items', concurrency: 1 })),
    { items: [1, 2] },
  ],
  ['the callbacks of the root', () => rooted({ afterAgent: () => said('Sealed.') })],
  ['a root whose afterAgent fails', () => rooted({ afterAgent: fails })],
  [
    'nested workflows',
    () =>
      workflow.sequence(
        workflow.parallel(
          workflow.sequence(...agents('a', 'b')),
          workflow.loop(...agents('c'), { maxIterations: 2 }),
        ),
        ...agents('d'),
      ),
  ],
];

describe.each(trees)('%s whose process dies', (_what, build, state) => {
  it('goes on behind each event, and writes the same as without', async () => {
    const whole = new Conversation(build());
    await whole.say('Go.', state);
    const wanted = byPath(await whole.stored());
    const count = (await whole.stored()).length;

    for (let died = 1; died <= count; died++) {
      const sessions = new MortalSessionService();
      const broken = new Conversation(build(), sessions);
      sessions.left = died;
      await broken.say('Go.', state).catch(() => undefined);
      sessions.left = Infinity;
      const runner = await broken.open();
      await runner.resume(Conversation.address).then(undefined, (error: unknown) => {
        expect([died, (error as AdornError).code]).toEqual([count, 'NOTHING_TO_RESUME']);
      });

      expect([died, byPath(await broken.stored())]).toEqual([died, wanted]);
    }
  });
});

describe('a log of an earlier version, in which the end of an agent follows the event of its callback', () => {
  it.each<[string, Hooks, number, string[]]>([
    [
      'an answer of afterAgent',
      { afterAgent: () => said('Sealed.') },
      6,
      ['top/steps: ', 'top/d: d 1', 'top/d: ', 'top: '],
    ],
    ['a failed beforeAgent', { beforeAgent: fails }, 2, ['top/steps: ', 'top: ']],
    ['a failed afterAgent', { afterAgent: fails }, 6, ['top/steps: ', 'top: ']],
  ])('resumes behind %s', async (_what, hooks, died, wanted) => {
    const sessions = new EarlierVersion();
    const conversation = new Conversation(top(steps(hooks)), sessions);
    sessions.left = died;
    await conversation.say().catch(() => undefined);
    sessions.left = Infinity;

    await (await conversation.open()).resume(Conversation.address);

    const stored = await conversation.stored();
    expect(lines(stored.slice(died))).toEqual(wanted);
  });
});

describe('branches of which one asks when the process dies', () => {
  it('go on as far as they can, and the question stays open', async () => {
    const sessions = new MortalSessionService();
    let isDead = false;
    const desk = new Desk();
    const asks = desk.agent('asks', callsTool('publish'), says('Published.'));
    const slow = desk.agent('slow', untilAsked, says('Slow.'));
    const tree = workflow.sequence(workflow.parallel(asks, slow, { name: 'both' }), ...agents('d'), {
      name: 'top',
    });
    const conversation = new Conversation(tree, sessions);
    async function untilAsked() {
      while (!isDead && sessions.left > 0) await new Promise(setImmediate);
      return says('Too late.');
    }
    sessions.left = 3;
    await conversation.say().catch(() => undefined);
    isDead = true;
    sessions.left = Infinity;

    const resumed = await (await conversation.open()).resume(Conversation.address);

    expect([resumed.status, resumed.pending.length]).toEqual(['paused', 1]);
    expect(lines(resumed.events)).toContain('top/both/slow: Slow.');
    await expect((await conversation.open()).resume(Conversation.address)).rejects.toMatchObject({
      code: 'NOTHING_TO_RESUME',
    });
    expect(lines(await conversation.approve()).at(-1)).toBe('top/d: d 1');
    expect([await conversation.pending(), desk.ran]).toEqual([[], ['publish']]);
  });
});

describe('the recovery of branches of which one asks', () => {
  it('resumes those that had begun, and leaves the run alone once it only waits', async () => {
    const sessions = new MortalSessionService();
    let isDead = false;
    const desk = new Desk();
    async function untilNoted() {
      while (!isDead && sessions.left > 2) await new Promise(setImmediate);
      return callsTool('publish');
    }
    async function untilAsked() {
      while (!isDead && sessions.left > 0) await new Promise(setImmediate);
      return says('Too late.');
    }
    const asks = desk.agent('asks', untilNoted, says('Published.'));
    const slow = desk.agent('slow', callsTool('note', { key: 'k', value: 'v' }), untilAsked, says('Slow.'));
    const conversation = new Conversation(workflow.parallel(asks, slow, { name: 'both' }), sessions);
    sessions.left = 5;
    await conversation.say().catch(() => undefined);
    isDead = true;
    sessions.left = Infinity;
    const runner = await conversation.open();

    const [recovered] = await recoverOld(runner);

    expect(recovered).toMatchObject({ outcome: 'resumed', result: { status: 'paused' } });
    expect(lines(recovered?.result?.events ?? [])).toEqual(['both/slow: Slow.']);
    expect(await recoverOld(runner)).toEqual([]);
    expect(await runner.pending(Conversation.address)).toHaveLength(1);
  });
});

describe('the recovery of a workflow that waits beside a branch that has ended', () => {
  it('never ends it, however often it is attempted', async () => {
    const desk = new Desk();
    const tree = workflow.parallel(
      desk.agent('a', callsTool('publish'), says('A.')),
      desk.agent('b', callsTool('publish'), says('B.')),
      { name: 'both' },
    );
    const conversation = new Conversation(tree);
    await conversation.say();
    await conversation.approve();

    const runner = await conversation.open();
    for (let sweep = 0; sweep < 6; sweep++) expect(await recoverOld(runner)).toEqual([]);

    expect(lines(await conversation.approve()).at(-1)).toMatch(/: [AB]\.$/);
    const stored = await conversation.stored();
    expect(stored.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
  });
});

describe('a race whose process dies', () => {
  it('has one winner all the same, and leaves no question behind', async () => {
    const build = () => {
      const desk = new Desk();
      const waits = desk.agent('waits', callsTool('publish'), says('Waited.'));
      const fast = desk.agent('fast', says('Fast.'), says('Fast.'));
      return workflow.sequence(workflow.race(fast, waits, { name: 'race' }), ...agents('d'), { name: 'top' });
    };
    const whole = new Conversation(build());
    await whole.say();
    const count = (await whole.stored()).length;

    for (let died = 1; died < count; died++) {
      const sessions = new MortalSessionService();
      const broken = new Conversation(build(), sessions);
      sessions.left = died;
      await broken.say().catch(() => undefined);
      sessions.left = Infinity;
      const runner = await broken.open();
      // Where the last that was stored is a question, it is answered.
      const resumed = await runner.resume(Conversation.address).then(undefined, () => undefined);
      if (resumed === undefined) await broken.approve();

      const stored = lines(await broken.stored());
      expect([died, stored.filter((line) => line === 'top/d: d 1').length]).toEqual([died, 1]);
      expect([died, await broken.pending()]).toEqual([died, []]);
    }
  });
});

describe('a message behind a process that died in a call that may run again', () => {
  it('goes on with the workflow, and so does the approval of what is asked then', async () => {
    const desk = new Desk();
    const look = new FunctionTool({ name: 'look', description: '', effect: 'read', run: () => 'fine' });
    const model = new ScriptedModel(callsTool('look'), says('Looked.'));
    const first = defineAgent({ name: 'first', model, tools: [look] });
    const second = desk.agent('second', callsTool('publish'), says('Published.'));
    const tree = workflow.sequence(desk.agent('zero', says('Zero.')), first, second, { name: 'top' });
    const sessions = new MortalSessionService();
    const conversation = new Conversation(tree, sessions);
    sessions.left = 4;
    await conversation.say().catch(() => undefined);
    sessions.left = Infinity;

    await conversation.say('Go on.');
    const events = await conversation.approve();

    expect(lines(events)).toEqual(['top/second: response publish', 'top/second: Published.']);
    expect([await conversation.pending(), desk.ran]).toEqual([[], ['publish']]);
  });
});

describe('an agent as a tool whose process dies', () => {
  it('does not lend its answer to the agent that asked it', async () => {
    const tool = defineAgent({ name: 'tool', model: new ScriptedModel(says('Of the tool.')) });
    const model = new ScriptedModel(callsTool('tool', { request: 'Go.' }), callsTool('give_up'));
    const asks = defineAgent({ name: 'asks', model, tools: [tool, giveUp] });
    const sessions = new MortalSessionService();
    const conversation = new Conversation(workflow.sequence(asks, { name: 'top' }), sessions);
    sessions.left = 4;
    await conversation.say().catch(() => undefined);
    sessions.left = Infinity;

    const { status, text } = await (await conversation.open()).resume(Conversation.address);

    expect([status, text]).toEqual(['answered', '']);
  });
});

describe('an agent with a run of its own whose process dies', () => {
  it('has the answer that was stored as its result', async () => {
    @agent({ name: 'top', description: '', subAgents: agents('a') })
    class Top extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        yield* context.invoke('a');
        yield context.event({ author: 'top', content: { role: 'model', parts: [{ text: 'Done.' }] } });
      }
    }
    const sessions = new MortalSessionService();
    const conversation = new Conversation(Top, sessions);
    sessions.left = 4;
    await conversation.say().catch(() => undefined);
    sessions.left = Infinity;

    const { status, text } = await (await conversation.open()).resume(Conversation.address);

    expect([status, text]).toEqual(['answered', 'Done.']);
    expect((await conversation.stored()).at(-1)?.actions.endOfAgent).toBe(true);
  });
});

/** Stores the events of callbacks as an earlier version made them. */
class EarlierVersion extends MortalSessionService {
  override appendEvent(session: Session, event: Event, options?: AppendOptions): Promise<Session> {
    const { actions, customMetadata, errorCode } = event;
    const isMarked = customMetadata?.['adorn:callback'] !== undefined;
    const made = event.with({
      actions: { ...actions, endOfAgent: isMarked ? undefined : actions.endOfAgent },
      customMetadata: errorCode === undefined ? customMetadata : undefined,
    });
    return super.appendEvent(session, made, options);
  }
}

type Hooks = Pick<LlmAgent, 'beforeAgent' | 'afterAgent'>;

function top(...subAgents: AgentClass<unknown>[]) {
  return workflow.sequence(...subAgents, ...agents('d'), { name: 'top' });
}

function steps(hooks: Hooks) {
  const made = workflow.sequence(...agents('a', 'b'), { name: 'steps' });
  Object.assign(made.prototype as object, hooks);
  return made;
}

function rooted(hooks: Hooks) {
  const [root] = agents('guarded');
  Object.assign(root!.prototype as object, hooks);
  return root!;
}

function guarded(hooks: Hooks) {
  return rooted(hooks);
}

function said(text: string) {
  return { role: 'model', parts: [{ text }] };
}

function fails(): never {
  throw new Error('not in this country');
}

/** Agents that say how often they were asked with a history that did not have their answers yet. */
function agents(...names: string[]) {
  const desk = new Desk();
  return names.map((name) =>
    desk.agent(
      name,
      ...Array.from({ length: 9 }, () => ({ contents }: { contents: readonly unknown[] }) => {
        const said = JSON.stringify(contents).split(`"text":"${name} `).length;
        return says(`${name} ${String(said)}`);
      }),
    ),
  );
}

function byPath(events: readonly Event[]): Record<string, string[]> {
  const written: Record<string, string[]> = {};
  for (const event of events) (written[event.nodeInfo?.path ?? ''] ??= []).push(lines([event]).join(''));
  return written;
}

/** Only events of an earlier millisecond are old. */
async function recoverOld(runner: Runner<unknown>): Promise<RecoveredRun<unknown>[]> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return runner.recover({ olderThan: 0 });
}
