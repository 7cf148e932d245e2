import {
  callsLive,
  drops,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { ContainerModule, defineAgent, FunctionTool, type Runner, SessionService } from '@adorn/core';
import { MortalSessionService } from '../../../core/src/agents/workflow/workflow.fixture.js';
import { createRunner, isTurnEnd, KEY, shownOf, until } from './live.fixture.js';

describe('a live session whose process dies', () => {
  it.each(['text', 'voice'])(
    'is continued by %s behind each of its writes, with nothing twice or open',
    async (way) => {
      let isDead = true;
      for (let writes = 1; isDead; writes++) {
        const sessions = new MortalSessionService();
        sessions.left = writes;
        isDead = await converse(await open(sessions));
        sessions.left = Infinity;
        const next = await open(sessions);
        if (way === 'text') await next.recover({ olderThan: 0 });
        else await goOn(next);

        const lines = await linesOf(sessions, next);
        const answers = lines.filter((line) => line.includes('← c1'));
        expect([writes, lines.filter((line) => line.includes('→'))]).toEqual([
          writes,
          lines.some((line) => line.includes('→')) ? ['clerk → add {} (c1)'] : [],
        ]);
        expect([writes, answers.length]).toEqual([writes, lines.some((line) => line.includes('→')) ? 1 : 0]);
        expect(await next.pending(KEY)).toEqual([]);
        expect(lines.filter((line) => line === 'user: Add.')).toHaveLength(writes === 1 ? 0 : 1);
      }
    },
  );

  it('leaves calls of two agents, of which each is answered once when the next session is closed', async () => {
    const sessions = new MortalSessionService();
    const look = new FunctionTool({
      name: 'look',
      description: 'Looks.',
      effect: 'read',
      run: () => new Promise(() => undefined),
    });
    const openTwo = (): Promise<Runner> => {
      const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
      const Expert = defineAgent({ name: 'expert', description: 'Knows.', tools: [look] });
      const Clerk = defineAgent({ name: 'clerk', tools: [look], subAgents: [Expert] });
      const model = new ScriptedModel();
      return createRunner(Clerk, { model, modules: [bindings], config: { takeOverAfter: 0 } });
    };
    const model = new ScriptedLive(
      callsLive('look', {}, 'c1'),
      callsLive('transfer_to_agent', { agent_name: 'expert' }, 'c2'),
      untilResponse('c2'),
      callsLive('look', {}, 'c3'),
    );
    const dying = (await openTwo()).live({ ...KEY, model });
    await until(dying, ({ functionCalls }) => functionCalls.some(({ id }) => id === 'c3'));
    sessions.left = 0;
    dying.cancel();
    await dying.ended.catch(() => undefined);
    sessions.left = Infinity;

    const next = await openTwo();
    const live = next.live({ ...KEY, model: new ScriptedLive() });
    await until(live, (event) => event.live?.kind === 'connected');
    await live.close();

    const lines = await linesOf(sessions, next);
    for (const id of ['c1', 'c2', 'c3'])
      expect([id, lines.filter((line) => line.includes(`← ${id} `)).length]).toEqual([id, 1]);
  });

  it('leaves its session to the next one after a store has failed, which says why', async () => {
    const sessions = new MortalSessionService();
    sessions.left = 2;
    const runner = await open(sessions);
    const live = runner.live({ ...KEY, model: new ScriptedLive(untilText(), speaks('Hello.')) });
    live.sendText('Add.');

    await expect(live.ended).rejects.toThrow('The process is dead.');
    expect(runner.isActive(live.invocationId)).toBe(false);
  });

  it('fails with the error of the model when it cannot be reached again', async () => {
    const runner = await open(new MortalSessionService());
    const model = new ScriptedLive(untilText(), drops(), { kind: 'refuse', error: new Error('no route') });
    const live = runner.live({ ...KEY, model, reconnectLimit: 1 });
    live.sendText('Add.');

    expect((await live.ended).events.map(shownOf)).toEqual(['user: Add.', 'clerk ! MODEL_FAILED']);
  });
});

/** True if the process died. */
async function converse(runner: Runner): Promise<boolean> {
  const model = new ScriptedLive(
    untilText(),
    callsLive('add', {}, 'c1'),
    untilResponse('c1'),
    speaks('Done.'),
  );
  const live = runner.live({ ...KEY, model });
  live.sendText('Add.');
  try {
    await until(live, isTurnEnd);
    await live.close();
    await live.ended;
    return false;
  } catch {
    return true;
  }
}

/** A live session that finds what the one before has left. */
async function goOn(runner: Runner): Promise<void> {
  const model = new ScriptedLive();
  await using live = runner.live({ ...KEY, model });
  await until(live, (event) => event.live?.kind === 'connected');
  live.sendText('Go on.');
  await new Promise((resolve) => setTimeout(resolve, 5));
}

async function linesOf(sessions: MortalSessionService, { appName }: Runner): Promise<string[]> {
  return ((await sessions.getSession({ appName, ...KEY }))?.events ?? []).map(shownOf);
}

function open(sessions: MortalSessionService): Promise<Runner> {
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const add = new FunctionTool({
    name: 'add',
    description: 'Adds.',
    parameters: { type: 'object' },
    idempotent: true,
    run: () => 1,
  });
  const model = new ScriptedModel(says('By text.'), says('By text.'));
  const Clerk = defineAgent({ name: 'clerk', tools: [add] });
  return createRunner(Clerk, { model, modules: [bindings], config: { takeOverAfter: 0 } });
}
