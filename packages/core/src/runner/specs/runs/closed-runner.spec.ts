import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, FunctionTool } from '../../../index.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a runner that was closed', () => {
  it('holds no event of a session that was deleted', async () => {
    const held = await talkAndDelete();

    for (let turns = 0; turns < 5; turns++) {
      await setImmediate();
      collectGarbage();
    }

    expect(held.map((event) => event.deref()?.text)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

/** Holds a conversation, deletes it, closes its runner, and returns weak references to its events. */
async function talkAndDelete(): Promise<WeakRef<{ readonly text: string }>[]> {
  const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 'My secret is 4711.' });
  const model = new ScriptedModel(callsTool('look'), says('It is 4711.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look], model }), {});
  const key = { appName: runner.appName, userId: 'ada', sessionId: 's1' };
  await runner.run({ message: 'My secret is 4711.', userId: 'ada', sessionId: 's1' });
  const { events = [] } = (await runner.sessions.getSession(key)) ?? {};
  const held = events.map((event) => new WeakRef(event));
  await runner.sessions.deleteSession(key);
  await runner.close();
  return held;
}
