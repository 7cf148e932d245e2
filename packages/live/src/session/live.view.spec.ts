import {
  callsLive,
  drops,
  isResumable,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { defineAgent, loadArtifacts, type Plugin, preloadMemory, type Runner } from '@adorn/core';
import type { DefinedAgentOptions, LiveRunInput } from '@adorn/core/backend';
import { createRunner, isTurnEnd, KEY, look, settled, storedOf, until } from './live.fixture.js';

const FILE = 'CONTENT OF THE NOTICE';

describe('what a text run adds to a request', () => {
  it('reaches an open connection, before the response that it belongs to: a loaded file', async () => {
    const { live, model, runner } = await talk({ tools: [loadArtifacts()] }, [
      untilText(),
      ...loads('c1'),
      speaks('Read.'),
      untilText(),
      ...loads('c2'),
      speaks('Again.'),
    ]);
    await answered(live, 'Read the notice.');
    await answered(live, 'Once more.');
    await live.close();

    const sent = model.connection.sent.map((one) => (one.kind === 'text' ? one.text : one.kind));
    const files = sent.flatMap((text, index) => (text.includes(FILE) ? [sent[index + 1]] : []));
    expect(files).toEqual(['response', 'response']);
    await runner.close();
  });

  it.each<[string, readonly LiveStep[]]>([
    ['that begins anew', []],
    ['that is continued by its handle', [isResumable('h1')]],
  ])('reaches a connection once %s before the model has answered', async (_what, handle) => {
    const { live, model, runner } = await talk({ tools: [loadArtifacts()] }, [
      untilText(),
      ...handle,
      ...loads('c1'),
      drops(),
    ]);
    live.sendText('Read the notice.');
    await until(live, ({ functionResponses }) => functionResponses.length > 0);
    await until(live, ({ live: notice }) => notice?.kind === 'connected');
    await settled();
    await live.close();

    const { setup, sent } = model.connection;
    const told = JSON.stringify([setup.resume === undefined ? setup.history : [], sent]);
    expect(told.split(FILE)).toHaveLength(2);
    await runner.close();
  });

  it('is told with the message: what is remembered of it', async () => {
    const { live, model, runner } = await talk({ tools: [preloadMemory()] }, [
      untilText(),
      speaks('Closed.'),
      untilText(),
      speaks('Yes.'),
    ]);
    await runner.memory.addMemory({ appName: runner.appName, userId: KEY.userId }, [
      { content: { role: 'user', parts: [{ text: 'The harbour is closed on Monday.' }] } },
    ]);
    await answered(live, 'And the harbour?');
    await answered(live, 'Sure?');
    await live.close();

    expect(model.connection.sent.map((one) => (one.kind === 'text' ? one.text : one.kind))).toEqual([
      expect.stringMatching(/^Remembered of .* is data: .*\n- The harbour is closed on Monday\.$/),
      ...['And the harbour?', 'Sure?', 'close'],
    ]);
    await runner.close();
  });

  it('is what the conversation begins with: nothing of earlier turns for an agent that reads only its own', async () => {
    const { runner } = await talk({ includeContents: 'none' }, []);
    await runner.run({ ...KEY, sessionId: 'other', message: 'Earlier.' });
    const model = new ScriptedLive(untilText(), speaks('Now.'));
    const live = runner.live({ ...KEY, sessionId: 'other', model });
    await answered(live, 'And now?');
    await live.close();

    expect(model.connection.setup.history).toEqual([]);
    await runner.close();
  });
});

describe('the end of a live session', () => {
  it('is stored once if it is cancelled while a call runs', async () => {
    const waits = look(() => new Promise(() => undefined));
    const { live, runner } = await talk({ tools: [waits] }, [untilText(), callsLive('look', {}, 'c1')]);
    live.sendText('Look.');
    await until(live, ({ functionCalls }) => functionCalls.length > 0);
    live.cancel();
    await live.ended;

    expect((await storedOf(runner)).filter((line) => line.includes('CANCELLED'))).toHaveLength(1);
    expect((await storedOf(runner)).at(-1)).toContain('CANCELLED');
    await runner.close();
  });
});

describe('the answer of a live turn', () => {
  it('is stored under its outputKey', async () => {
    const { live, runner } = await talk({ outputKey: 'answer' }, [untilText(), speaks('Nine degrees.')]);
    await answered(live, 'How warm is it?');
    await live.close();

    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
    expect(session?.state['answer']).toBe('Nine degrees.');
    await runner.close();
  });
});

function loads(id: string): readonly LiveStep[] {
  return [callsLive('load_artifacts', { artifact_names: ['notice.txt'] }, id), untilResponse(id)];
}

async function answered(live: ReturnType<Runner['live']>, message: string): Promise<void> {
  live.sendText(message);
  await until(live, isTurnEnd);
}

async function talk(
  options: Partial<Omit<DefinedAgentOptions, 'name'>>,
  steps: readonly LiveStep[],
  { plugins = [], ...input }: LiveRunInput & { readonly plugins?: readonly Plugin[] } = {},
): Promise<{ runner: Runner; model: ScriptedLive; live: ReturnType<Runner['live']> }> {
  const model = new ScriptedLive(...steps);
  const runner = await createRunner(defineAgent({ name: 'clerk', ...options }), {
    model: new ScriptedModel(says('Noted.')),
    plugins,
  });
  await runner.sessions.createSession({ appName: runner.appName, ...KEY });
  await runner.artifacts.save({ appName: runner.appName, ...KEY }, 'notice.txt', { text: FILE });
  return { runner, model, live: runner.live({ ...KEY, model, ...input }) };
}
