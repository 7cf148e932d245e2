import {
  drops,
  isResumable,
  type LiveStep,
  ScriptedLive,
  ScriptedModel,
  speaks,
  speech,
  untilText,
} from '@adorn/testing';

import { agent, LlmAgent } from '@adorn/core';
import type { LiveDirection } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, settled, startLive, until } from './live.fixture.js';

type Way = 'steer' | 'prompt';

/** What the newest connection was told, by its history and since. */
function knownOn({ connection }: ScriptedLive): string {
  return JSON.stringify([connection.setup.history, connection.sent]);
}

describe('what the model is told beside the conversation', () => {
  it.each<[string, Way, LiveStep]>([
    ['a steer', 'steer', []],
    ['a steer, behind a handle', 'steer', isResumable('h1')],
    ['a prompt', 'prompt', []],
    ['a prompt, behind a handle', 'prompt', isResumable('h1')],
  ])('is told to the next connection, too, if no answer has followed: %s', async (_what, way, handle) => {
    const { live, model } = await startLive({}, [untilText(), handle, speaks('One.')]);
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    live[way]('Slow down.');
    await settled();
    model.connection.emit(drops());
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    await settled();
    await live.close();

    expect(model.connections).toHaveLength(2);
    expect(knownOn(model)).toContain('Slow down.');
    expect(model.connection.texts.length > 0).toBe(way === 'prompt');
  });

  it.each<Way>(['steer', 'prompt'])(
    'is told again if it came within an answer, which is none to it: a %s',
    async (way) => {
      const { live, model } = await startLive({}, [untilText(), ...speech('One ')]);
      live.sendText('Hi.');
      await until(live, ({ outputTranscription }) => outputTranscription !== undefined);
      live[way]('Slow down.');
      await settled();
      model.connection.emit(...speaks('two.'), drops());
      await until(live, ({ live: notice }) => notice?.kind === 'connected');
      await settled();
      await live.close();

      expect(knownOn(model)).toContain('Slow down.');
      expect(model.connection.texts.length > 0).toBe(way === 'prompt');
    },
  );

  it('is not told again once the model has answered behind it', async () => {
    const { live, model } = await startLive({}, [untilText(), speaks('One.')]);
    live.steer('Slow down.');
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    model.connection.emit(drops());
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    await settled();
    await live.close();

    expect(knownOn(model)).not.toContain('Slow down.');
  });

  it('is told to the connection that a callback of the same turn renews', async () => {
    let turns = 0;
    class Clerk extends LlmAgent {
      override onLiveTurn({ steer, renew }: LiveDirection): void {
        if (++turns > 1) return;
        steer('Slow down.');
        renew();
      }
    }
    agent({ name: 'clerk' })(Clerk);
    const model = new ScriptedLive(untilText(), speaks('One.'));
    await using runner = await createRunner(Clerk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    live.sendText('Hi.');
    await until(live, isTurnEnd);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    await settled();
    await live.close();

    expect(model.connection.contexts).toEqual(['Slow down.']);
  });
});
