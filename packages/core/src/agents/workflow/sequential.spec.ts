import { callsTool, says } from '@adorn/testing';

import { agent, BaseAgent, type Event, workflow, SequentialAgent } from '../../index.js';
import { Conversation, Desk, lines } from './workflow.fixture.js';

describe('SequentialAgent', () => {
  it('runs its sub-agents in their order, each with what was said so far, and answers with the last', async () => {
    const desk = new Desk();
    const [first, second] = [desk.agent('first', says('One.')), desk.agent('second', says('Two.'))];
    @agent({ name: 'pipeline', description: '', subAgents: [first, second] })
    class Pipeline extends SequentialAgent {}
    const runner = await new Conversation(Pipeline).open();

    const result = await runner.run({ message: 'Go.' });

    expect(lines(result.events)).toEqual(['pipeline/first: One.', 'pipeline/second: Two.']);
    expect([result.status, result.text, result.output]).toEqual(['answered', 'Two.', 'Two.']);
    expect(JSON.stringify(second.model.requests[0]?.contents)).toContain('One.');
  });

  it('goes on behind a pause in another process, and asks once', async () => {
    const desk = new Desk();
    const release = desk.agent('release', callsTool('publish'), says('Released.'));
    const tree = workflow.sequence(
      desk.agent('draft', says('Drafted.')),
      release,
      desk.agent('tell', says('Told.')),
    );
    const conversation = new Conversation(tree);
    await conversation.say();
    const pending = await conversation.pending();

    const after = await conversation.approve();

    expect(pending.map(({ path }) => path)).toEqual(['draft_release_tell_sequence/release']);
    expect(lines(after)).toEqual([
      'draft_release_tell_sequence/release: response publish',
      'draft_release_tell_sequence/release: Released.',
      'draft_release_tell_sequence/tell: Told.',
    ]);
    expect([desk.ran, await conversation.pending()]).toEqual([['publish'], []]);
  });

  it('ends with the failure of a sub-agent, and runs none behind it', async () => {
    const desk = new Desk();
    const never = desk.agent('never');
    const runner = await new Conversation(
      workflow.sequence(desk.agent('first', says('One.')), Breaks, never),
    ).open();

    const result = await runner.run({ message: 'Go.' });

    expect([result.status, result.error?.code, never.model.requests]).toEqual(['failed', 'RUN_FAILED', []]);
    expect(result.error?.message).toContain('AGENT_FAILED');
  });

  it('ends where a sub-agent escalates, and escalates itself', async () => {
    const desk = new Desk();
    const never = desk.agent('never');
    const inner = workflow.sequence(desk.agent('first', callsTool('give_up')), never, { name: 'inner' });
    const conversation = new Conversation(workflow.sequence(inner, never, { name: 'outer' }));

    const events = await conversation.say();

    expect(lines(events)).toEqual([
      'outer/inner/first: call give_up',
      'outer/inner/first: response give_up',
      'outer/inner: escalates',
      'outer: escalates',
    ]);
    expect(events.slice(2).map(({ actions }) => actions.escalate)).toEqual([true, true]);
  });

  it('does not begin the next sub-agent once it was cancelled', async () => {
    const desk = new Desk();
    const never = desk.agent('never');
    const first = desk.agent('first', () => {
      run.cancel();
      return says('Too late.');
    });
    const runner = await new Conversation(workflow.sequence(first, never)).open();
    const run = runner.run({ message: 'Go.' });

    const { status, events } = await run;

    expect([status, events.at(-1)?.errorCode, never.model.requests]).toEqual(['failed', 'CANCELLED', []]);
    expect(events.filter(({ errorCode }) => errorCode !== undefined)).toHaveLength(1);
  });
});

@agent({ name: 'breaks', description: '' })
class Breaks extends BaseAgent {
  // eslint-disable-next-line require-yield -- it throws before it says anything
  async *run(): AsyncGenerator<Event, void, undefined> {
    await Promise.resolve();
    throw new TypeError('No paper.');
  }
}
