import { agent, type ModelRequest } from '@adorn/core';
import {
  callsLive,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { KEY, WRITE } from './conversation.fixture.js';
import { createRunner } from './session/live.fixture.js';
import { extract, LiveAgent, phase } from './index.js';

const reader = new ScriptedModel(says('{"mood":1}'), says('{"mood":2}'));

@agent({ name: 'desk', tools: [WRITE] })
class Desk extends LiveAgent<{ mood?: number }> {
  override greeting = 'Greet.';

  @phase({ first: true })
  opening() {
    return 'Ask.';
  }

  @extract({
    model: reader,
    every: { tool: 'write' },
    schema: { type: 'object', properties: { mood: { type: 'number' } } },
  })
  mood() {
    return 'How do they feel?';
  }
}

describe('an extractor that reads with a tool', () => {
  it('reads once for each call, also if turns follow that no message of the user has begun', async () => {
    const model = new ScriptedLive(
      ...[untilText(), speaks('Hello.')],
      ...[
        untilText(),
        callsLive('write', { key: 'a', value: 1 }, 'c1'),
        untilResponse('c1'),
        speaks('Noted.'),
      ],
      ...[untilText(), speaks('Anything else?')],
      ...[untilText(), speaks('Still there?')],
    );
    const runner = await createRunner(Desk, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    const turns = async (): Promise<void> => {
      for await (const { author, turnComplete } of live) if (author === 'desk' && turnComplete) return;
    };
    await turns();
    live.sendText('Hello.');
    await turns();
    for (const text of ['Go on.', 'Go on again.']) {
      live.prompt(text);
      await turns();
    }
    await live.close();
    await runner.close();

    const asked = reader.requests.map(({ contents }: Pick<ModelRequest, 'contents'>) => contents);
    expect(asked).toHaveLength(1);
  });
});
