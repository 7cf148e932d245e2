import { createRunner, defineAgent, type Event, FunctionTool, type Runner } from '@adorn/core';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { sessionCompaction } from './index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('a summary that is asked for', () => {
  it('by a tool is in the next request of the run, with the message and its last step after it', async () => {
    const { runner, model } = await start(
      ...[
        says('Hi.'),
        callsTool('look', {}, 'c1'),
        callsTool('tidy', {}, 'c2'),
        says('SUMMARY'),
        says('Done.'),
      ],
    );
    await say(runner, 'Hello.');

    const last = (await say(runner, 'Go.')).at(-1);

    expect(last?.text).toBe('Done.');
    const text = JSON.stringify(model.requests.at(-1)?.contents);
    expect(text).toContain('SUMMARY');
    expect(text).toContain('Go.');
    expect(text).toContain('tidied');
    expect(text).not.toContain('Hello.');
  });

  it('by a user takes the place of what was said, and a rewind undoes it', async () => {
    const { runner, model } = await start(says('Hi.'), says('SUMMARY'), says('Well.'), says('Again.'));
    const [first] = await say(runner, 'Hello.');

    expect(await runner.compact(ADDRESS)).toBe(true);
    await say(runner, 'Go.');

    const text = JSON.stringify(model.requests.at(-1)?.contents);
    expect(text).toContain('SUMMARY');
    expect(text).not.toContain('Hello.');
    await runner.rewind({ ...ADDRESS, invocationId: first?.invocationId ?? '' });
    await say(runner, 'Anew.');
    expect(JSON.stringify(model.requests.at(-1)?.contents)).not.toContain('SUMMARY');
  });

  it('is none where there is nothing to summarise', async () => {
    const { runner } = await start(says('Hi.'), says('SUMMARY'));
    await say(runner, 'Hello.');

    expect(await runner.compact(ADDRESS)).toBe(true);
    expect(await runner.compact(ADDRESS)).toBe(false);
    await expect(runner.compact({ ...ADDRESS, sessionId: 'none' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });
});

async function start(...steps: ScriptedStep[]): Promise<{ runner: Runner; model: ScriptedModel }> {
  const model = new ScriptedModel(...steps);
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'seen' });
  const tidy = new FunctionTool({
    name: 'tidy',
    description: 'Tidies.',
    run: (_args, context) => {
      context.compact();
      return 'tidied';
    },
  });
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look, tidy] }), {
    model,
    modules: [sessionCompaction],
  });
  return { runner, model };
}

async function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...ADDRESS, message }));
}
