import { callsTool, says } from '@adorn/testing';

import {
  agent,
  type Event,
  InMemorySessionService,
  workflow,
  ParallelAgent,
  type Session,
} from '../../index.js';
import { Conversation, Desk, gate, lines } from './workflow.fixture.js';

describe('ParallelAgent', () => {
  it('runs its sub-agents side by side; its text is that of all, in their order', async () => {
    const desk = new Desk();
    const { opened, open } = gate();
    const slow = desk.agent('slow', async () => {
      await opened;
      return says('Slow.');
    });
    const fast = desk.agent('fast', () => {
      open();
      return says('Fast.');
    });
    @agent({ name: 'both', description: '', subAgents: [slow, fast] })
    class Both extends ParallelAgent {}
    const runner = await new Conversation(Both).open();

    const { events, text, output, status } = await runner.run({ message: 'Go.' });

    expect(lines(events)).toEqual(['both/fast: Fast.', 'both/slow: Slow.']);
    expect(events.map(({ branch, author }) => [author, branch])).toEqual([
      ['fast', 'both.1'],
      ['slow', 'both.0'],
    ]);
    expect([text, output, status]).toEqual(['Slow.\n\nFast.', ['Slow.', 'Fast.'], 'answered']);
  });

  it('shows a branch what was before it and itself, and an agent behind it all branches', async () => {
    const desk = new Desk();
    const left = desk.agent('left', says('Left one.'), says('Left two.'));
    const right = desk.agent('right', says('Right.'));
    const leftAgain = desk.agent('again', says('Again.'));
    const merge = desk.agent('merge', says('Merged.'));
    const tree = workflow.sequence(
      desk.agent('before', says('Before.')),
      workflow.parallel(workflow.sequence(left, leftAgain), right, { concurrency: 1 }),
      merge,
    );

    await new Conversation(tree).say();

    const seen = (model: { requests: readonly { contents: unknown }[] }) =>
      JSON.stringify(model.requests[0]?.contents);
    expect(seen(leftAgain.model)).toMatch(/Before\..*Left one\./);
    expect(seen(right.model)).toContain('Before.');
    expect(seen(right.model)).not.toMatch(/Left|Again/);
    expect(seen(merge.model)).toMatch(/Left one\..*Again\..*Right\./);
  });

  it('shows an agent behind an inner parallel agent its branches, also where it stands on a branch itself', async () => {
    const desk = new Desk();
    const merge = desk.agent('merge', says('Merged.'));
    const inner = workflow.parallel(desk.agent('a', says('A.')), desk.agent('b', says('B.')), {
      name: 'inner',
    });
    const outer = workflow.parallel(workflow.sequence(inner, merge), desk.agent('c', says('C.')), {
      name: 'outer',
      concurrency: 1,
    });

    const events = await new Conversation(outer).say();

    expect(events.map(({ branch }) => branch)).toEqual([
      'outer.0.inner.0',
      'outer.0.inner.1',
      'outer.0',
      'outer.1',
    ]);
    expect(JSON.stringify(merge.model.requests[0]?.contents)).toMatch(/A\..*B\./);
  });

  it('goes on where a sub-agent fails, and fails where all fail', async () => {
    const desk = new Desk();
    const some = await new Conversation(
      workflow.parallel(desk.agent('fails'), desk.agent('b', says('B.'))),
    ).open();
    const none = await new Conversation(workflow.parallel(desk.agent('c'), desk.agent('d'))).open();

    const answered = await some.run({ message: 'Go.' });
    const failed = await none.run({ message: 'Go.' });

    expect([answered.status, answered.text, answered.output]).toEqual(['answered', 'B.', [undefined, 'B.']]);
    expect([failed.status, failed.events.length]).toEqual(['failed', 2]);
  });

  it('lets the others end where one pauses, and goes on in another process once two have their answers', async () => {
    const desk = new Desk();
    const waits = (name: string) => desk.agent(name, callsTool('publish'), says(`${name} done`));
    const [one, two] = [waits('one'), waits('two')];
    const free = desk.agent('free', says('Free.'));
    const tree = workflow.sequence(
      workflow.parallel(one, free, two, { name: 'both', concurrency: 1 }),
      desk.agent('last', says('Last.')),
      { name: 'top' },
    );
    const conversation = new Conversation(tree);
    const before = await conversation.say();
    const first = await conversation.approve(1);
    const second = await conversation.approve();

    expect(lines(before)).toContain('top/both/free: Free.');
    expect(lines(first)).toEqual(['top/both/two: response publish', 'top/both/two: two done']);
    expect(lines(second)).toEqual([
      'top/both/one: response publish',
      'top/both/one: one done',
      'top/last: Last.',
    ]);
    expect(second.map(({ branch }) => branch)).toEqual(['both.0', 'both.0', undefined]);
    expect([desk.ran.length, await conversation.pending()]).toEqual([2, []]);
    expect(free.model.requests).toHaveLength(1);
  });

  it('keeps the result of one within it over a pause', async () => {
    const desk = new Desk();
    const inner = workflow.sequence(
      workflow.parallel(desk.agent('a', says('A.')), desk.agent('b', says('B.'))),
    );
    const waits = desk.agent('waits', callsTool('publish'), says('C.'));
    const conversation = new Conversation(workflow.parallel(inner, waits));
    await conversation.say();
    const [request] = await conversation.pending();

    const { text, output } = await (await conversation.open()).approve(request!);

    expect([text, output]).toEqual(['A.\n\nB.\n\nC.', [['A.', 'B.'], 'C.']]);
  });

  it('tells of two sub-agents that write one key of the state', async () => {
    const desk = new Desk();
    const writes = (name: string, key: string) =>
      desk.agent(
        name,
        callsTool('note', { key, value: name }),
        callsTool('note', { key, value: name }),
        says('.'),
      );
    const conversation = new Conversation(
      workflow.parallel(writes('a', 'shared'), writes('b', 'shared'), writes('c', 'own'), {
        name: 'all',
        concurrency: 1,
      }),
    );

    await conversation.say();

    expect(conversation.log.warnings).toEqual([
      [
        'parallel agents wrote the same state key; the later write wins',
        { key: 'shared', agents: ['all/a', 'all/b'] },
      ],
    ]);
    expect(await conversation.state()).toMatchObject({ shared: 'b', own: 'c' });
  });

  it('has its events stored one after another, also by a store that takes its time', async () => {
    let now = 0;
    let most = 0;
    class Slow extends InMemorySessionService {
      override async appendEvent(session: Session, event: Event): Promise<Session> {
        most = Math.max(most, ++now);
        for (let turn = 0; turn < 9; turn++) await Promise.resolve();
        now--;
        return super.appendEvent(session, event);
      }
    }
    const desk = new Desk();
    const agents = ['a', 'b', 'c', 'd'].map((name) => desk.agent(name, says(name)));

    const events = await new Conversation(workflow.parallel(...agents), new Slow()).say();

    expect([most, events.length]).toEqual([1, 4]);
  });

  it('is cancelled with all its sub-agents, which one event tells', async () => {
    const desk = new Desk();
    const { opened, open } = gate();
    const never = gate();
    const hangs = desk.agent('hangs', async () => {
      open();
      await never.opened;
      return says('Never.');
    });
    const runner = await new Conversation(
      workflow.parallel(
        hangs,
        desk.agent('b', () => opened.then(() => says('B.'))),
      ),
    ).open();
    const run = runner.run({ message: 'Go.' });
    void opened.then(() => {
      run.cancel();
    });

    const { events, status } = await run;

    expect(status).toBe('failed');
    expect(
      events.filter(({ errorCode }) => errorCode !== undefined).map(({ errorCode }) => errorCode),
    ).toEqual(['CANCELLED']);
    never.open();
  });

  it('escalates where a sub-agent does, once all have ended', async () => {
    const desk = new Desk();
    const both = workflow.parallel(desk.agent('exits', callsTool('exit_loop')), desk.agent('b', says('B.')), {
      name: 'both',
      concurrency: 1,
    });

    const events = await new Conversation(workflow.loop(both, { name: 'rounds' })).say();

    expect(lines(events).slice(-2)).toEqual(['rounds/both/b: B.', 'rounds/both: escalates']);
  });
});
