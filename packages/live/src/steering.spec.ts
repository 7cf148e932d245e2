import { agent, type Runner } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { callsLive, ScriptedLive, ScriptedModel, speaks, untilResponse, untilText } from '@adorn/testing';

import { KEY, WRITE } from './conversation.fixture.js';
import { createRunner } from './session/live.fixture.js';
import { LiveAgent, type LiveContext, phase, watch } from './index.js';

interface Caller {
  name?: string | null;
  step?: string;
  isCross?: boolean;
}

@agent({ name: 'desk', tools: [WRITE] })
class Desk extends LiveAgent<Caller> {
  override readonly context: readonly (keyof Caller)[] = ['name'];

  @phase<Caller>({ first: true })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({ when: ({ step }) => step === 'on', last: true })
  helping(live: LiveContext<Caller>) {
    live.steer('Not this.');
    live.prompt('Nor this.');
    return 'Help.';
  }

  @watch('isCross')
  calm(live: LiveContext<Caller>) {
    live.steer(`Slow down after ${String(live.signals?.turns)} turn.`);
    live.prompt('Say sorry.');
  }
}

const WAYS = {
  instruction: class extends Desk {
    override readonly steering = 'instruction';
  },
  context: class extends Desk {
    override readonly steering = 'context';
  },
  hybrid: class extends Desk {
    override readonly steering = 'hybrid';
  },
};
for (const Way of Object.values(WAYS)) agent({ name: 'desk', tools: [WRITE] })(Way);

/** What the model read, connection by connection, after the user has said something and keys were written. */
async function steered(way: keyof typeof WAYS, ...writes: readonly (readonly [keyof Caller, unknown])[]) {
  const turns = writes.flatMap(([key, value], index) => {
    const id = `w${String(index)}`;
    return [untilText(), callsLive('write', { key, value }, id), untilResponse(id), ...speaks('Well.')];
  });
  const model = new ScriptedLive(...turns);
  await using runner = await createRunner(WAYS[way], { model: new ScriptedModel() });
  const live = runner.live({ ...KEY, model });
  for (const [key] of writes) {
    live.sendText(key);
    await turnEnd(live);
    await settled();
  }
  await live.close();
  return {
    contexts: model.connections.map(({ contexts }) => contexts),
    texts: model.connections.flatMap(({ texts }) => texts),
    instructions: model.connections.map(({ setup }) => setup.instruction.split('\n\n').slice(1)),
  };
}

const HELPING =
  'Help.\nPhase of the conversation: helping.\nPhases so far: opening (turn 1), helping (turn 1).';

describe('a live session', () => {
  it('gets the instruction of another phase on another connection, and nothing within a phase', async () => {
    const { contexts, instructions } = await steered('instruction', ['step', 'on'], ['name', 'Ada']);

    expect(contexts).toEqual([[], []]);
    expect(instructions[1]).toEqual([HELPING]);
  });

  it('reads the instruction of another phase as a text on its connection, if it is steered by context', async () => {
    const { contexts } = await steered('context', ['name', 'Ada'], ['step', 'on'], ['name', 'Bo']);

    expect(contexts).toEqual([
      [`${HELPING.replace('helping (turn 1)', 'helping (turn 2)')}\n\n[Context: name=Ada]`],
    ]);
  });

  it('reads the context that has changed within a phase, if it is steered by both', async () => {
    const { contexts } = await steered(
      'hybrid',
      ['name', 'Ada'],
      ['name', 'Ada'],
      ['name', null],
      ['name', 'Bo'],
      ['isCross', true],
    );

    expect(contexts).toEqual([
      ['Current context: name=Ada', 'Current context: name=Bo', 'Slow down after 5 turn.'],
    ]);
  });

  it('reads a context that changes with the phase in its instruction alone, if it is steered by both', async () => {
    const model = new ScriptedLive(
      untilText(),
      callsLive('write', { key: 'name', value: 'Ada' }, 'w1'),
      callsLive('write', { key: 'step', value: 'on' }, 'w2'),
      untilResponse(undefined, 2),
      ...speaks('Well.'),
      untilText(),
      ...speaks('Bye.'),
    );
    await using runner = await createRunner(WAYS.hybrid, { model: new ScriptedModel() });
    const live = runner.live({ ...KEY, model });
    for (const text of ['Hello.', 'Bye.']) {
      live.sendText(text);
      await turnEnd(live);
      await settled();
    }
    await live.close();

    expect(model.connections.map(({ contexts }) => contexts)).toEqual([[], []]);
    expect(model.connections[1]?.setup.instruction).toContain('[Context: name=Ada]');
  });

  it('gets what a watcher steers and prompts, which knows the signals', async () => {
    const { contexts, texts } = await steered('instruction', ['isCross', true]);

    expect(contexts).toEqual([['Slow down after 1 turn.']]);
    expect(texts).toEqual(['isCross', 'Say sorry.']);
  });
});

describe('the greeting of a live agent', () => {
  @agent({ name: 'desk' })
  class Greeting extends LiveAgent<Caller> {
    override readonly greeting = 'Say who is calling.';

    @phase<Caller>({ first: true })
    opening() {
      return 'Greet.';
    }
  }

  it('is prompted in the first session of a conversation alone', async () => {
    await using runner = await createRunner(Greeting, { model: new ScriptedModel() });

    expect(await textsOfCall(runner, new ScriptedLive(untilText(), ...speaks('This is the bank.')))).toEqual([
      'Say who is calling.',
    ]);
    expect(await textsOfCall(runner, new ScriptedLive(...speaks('Yes?')))).toEqual([]);
  });

  it('is nothing by default: the user speaks first', async () => {
    await using runner = await createRunner(WAYS.instruction, { model: new ScriptedModel() });

    expect(await textsOfCall(runner, new ScriptedLive(...speaks('Yes?')))).toEqual([]);
  });
});

describe('the turns of a live session', () => {
  it('are counted as they end; the end of the session is none', async () => {
    await using runner = await createRunner(WAYS.instruction, { model: new ScriptedModel() });
    await textsOfCall(runner, new ScriptedLive(...speaks('Yes?')));
    const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });

    expect(session?.state).toMatchObject({ live_memory: { turn: 1 } });
  });
});

/** The texts that the model was to answer in a session of one turn. */
async function textsOfCall(runner: Runner, model: ScriptedLive): Promise<string[]> {
  const live = runner.live({ ...KEY, model });
  await turnEnd(live);
  await settled();
  await live.close();
  return model.connection.texts;
}

async function turnEnd(live: LiveSession): Promise<void> {
  for await (const { author, turnComplete } of live) if (author !== 'user' && turnComplete) return;
}

/** Lets everything happen that needs no time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
