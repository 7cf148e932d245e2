import { agent, type CallbackContext, FunctionTool, type ModelRequest } from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import {
  callsLive,
  callsTool,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilResponse,
  untilText,
} from '@adorn/testing';

import { changed, computed, extract, LiveAgent, type LiveContext, phase, sustained, watch } from './index.js';
import { createRunner } from './session/live.fixture.js';

const KEY = { userId: 'ada', sessionId: 'call-7' };

interface Caller {
  mood?: number | null;
  name?: string;
  heat?: number;
  calm?: boolean;
  'turn:said'?: string;
  'repair:escalation'?: boolean;
}

const SCHEMA = {
  type: 'object',
  properties: { mood: { type: ['number', 'null'] }, name: { type: 'string' } },
  required: ['mood'],
};

const seen: string[] = [];

@agent({ name: 'desk', instruction: 'Be kind.' })
class Desk extends LiveAgent<Caller> {
  override readonly context = ['name'] as const;

  @phase<Caller>({ first: true, exit: () => void seen.push('exit opening') })
  opening() {
    return 'Greet.';
  }

  @phase<Caller>({
    from: 'opening',
    when: ({ heat = 0 }) => heat > 8,
    enter: ({ phase: name, state }) => void seen.push(`enter ${name} ${String(state.heat)}`),
  })
  heated() {
    return 'Slow down.';
  }

  @extract({ schema: SCHEMA, turns: 1 })
  feelings() {
    return 'How does the caller feel?';
  }

  @computed('heat')
  heat({ mood }: Caller) {
    return (mood ?? 0) * 10;
  }

  @watch('heat')
  hotter({ phase: name, state }: LiveContext<Caller>) {
    seen.push(`watch ${name} ${String(state.heat)}`);
  }

  override onExtractError(error: unknown, extractor: string) {
    seen.push(`${extractor}: ${(error as Error).message}`);
  }
}

beforeEach(() => {
  seen.length = 0;
});

describe('the end of a turn', () => {
  it('comes in order: what is extracted is computed with, opens a phase with its hooks, and is watched', async () => {
    const model = new ScriptedModel(
      says('Hello.'),
      says('{"mood":0.9,"name":"Ada","phase":"x"}'),
      says('Well.'),
      says('{"mood":null}'),
    );
    await using runner = await createRunner(Desk, { model });
    await runner.ask('I am Ada, and I am cross!', KEY);

    expect(seen).toEqual(['exit opening', 'enter heated 9', 'watch heated 9']);
    const [, question] = model.requests;
    expect(textOf(question)).toContain('How does the caller feel?');
    expect(textOf(question)).toContain('user: I am Ada, and I am cross!\ndesk: Hello.');
    expect(question?.config).toMatchObject({ responseJsonSchema: SCHEMA });

    await runner.ask('And now?', KEY);
    // Null overwrites nothing; a key that is not in the schema is not written.
    expect(await stateOf(runner)).toMatchObject({ mood: 0.9, name: 'Ada', phase: 'heated' });
    // One turn is the window, and the model reads the context of the state.
    expect(textOf(model.requests[3])).not.toContain('cross');
    expect(model.requests[2]?.config.systemInstruction).toContain('[Context: name=Ada]');
  });

  it.each<[string, Parameters<typeof says>[0]]>([
    ['is not JSON', 'I do not know.'],
    ['does not fit the schema: mood must be number or null, not "bad"', '{"mood":"bad"}'],
    ['does not fit the schema: the answer must be object, not [1]', '[1]'],
  ])('leaves the state as it was if the answer of an extractor %s', async (fault, answer) => {
    const model = new ScriptedModel(says('Hello.'), says(answer));
    await using runner = await createRunner(Desk, { model });
    await runner.ask('Hi.', KEY);

    expect(seen).toEqual([
      `feelings: The extractor feelings has found out nothing: the answer ${fault}. The state stays as it was.`,
      'watch opening 0',
    ]);
    expect(await stateOf(runner)).not.toHaveProperty('mood');
  });

  it('does not wait for an extractor that never answers', async () => {
    @agent({ name: 'desk' })
    class Waiting extends LiveAgent<Caller> {
      @phase<Caller>({ first: true })
      opening() {
        return '';
      }

      @extract({ schema: SCHEMA, timeout: '20ms' })
      feelings() {
        return 'How?';
      }
    }
    const model = new ScriptedModel(says('Hello.'), () => new Promise<never>(() => undefined));
    await using runner = await createRunner(Waiting, { model });

    expect(await runner.ask('Hi.', KEY)).toBe('Hello.');
  });

  it('asks extractors on their turns alone: each second one, after a tool, when a phase begins', async () => {
    const asked: string[] = [];
    const note = (name: string) => (): string => {
      asked.push(name);
      return '';
    };
    @agent({ name: 'desk', tools: [write('look', 'heat', 9)] })
    class Timed extends LiveAgent<Caller> {
      @phase<Caller>({ first: true })
      opening() {
        return '';
      }

      @phase<Caller>({ when: ({ heat = 0 }) => heat > 8, last: true })
      heated() {
        return '';
      }
    }
    for (const [name, every] of [
      ['second', 2],
      ['tooled', { tool: 'look' }],
      ['phased', 'phase'],
    ] as const) {
      Object.defineProperty(Timed.prototype, name, { value: note(name), configurable: true, writable: true });
      extract({ schema: SCHEMA, every })(Timed.prototype, name);
    }
    const model = new ScriptedModel(
      says('One.'),
      says('Two.'),
      callsTool('look'),
      says('Three.'),
      says('Four.'),
    );
    await using runner = await createRunner(Timed, { model });
    for (const message of ['1', '2', '3', '4']) {
      await runner.ask(message, KEY);
      asked.push('|');
    }

    expect(asked).toEqual(['|', 'second', '|', 'tooled', 'phased', '|', 'second', '|']);
  });

  it('counts the calls of extractors as calls of the run', async () => {
    const model = new ScriptedModel(says('Hello.'), says('{"mood":0.1}'));
    await using runner = await createRunner(Desk, { model, config: { maxLlmCalls: 1 } });
    await runner.ask('Hi.', KEY);

    expect(model.requests).toHaveLength(1);
    expect(seen[0]).toContain('may not call a model any more');
  });

  it('reminds of what a phase needs after three turns, and gives up on it after six', async () => {
    @agent({ name: 'desk' })
    class Asking extends LiveAgent<Caller> {
      @phase<Caller>({ first: true, needs: ['name'] })
      opening() {
        return '';
      }

      @phase<Caller>({ from: 'opening', when: (state) => state['repair:escalation'] === true })
      giveUp() {
        return 'Offer to call back.';
      }
    }
    const model = new ScriptedModel(...Array.from({ length: 9 }, () => says('Hm.')));
    await using runner = await createRunner(Asking, { model });
    for (let turn = 1; turn <= 9; turn++) await runner.ask(String(turn), KEY);

    const texts = model.requests.map(({ config }) => config.systemInstruction as string);
    const reminded = texts.map((text) => text.includes('Ask for it now.'));
    expect(reminded.flatMap((isReminded, index) => (isReminded ? [index + 1] : []))).toEqual([4]);
    expect(texts[7]).toContain('Offer to call back.');
    expect(await stateOf(runner)).toMatchObject({ phase: 'giveUp' });
  });

  it('goes on if guards, hooks, watchers and computed values throw anything, and removes the keys of the turn', async () => {
    const fail = (): never => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- anything may be thrown
      throw null;
    };
    @agent({ name: 'desk', tools: [write('say', 'turn:said', 'x')] })
    class Failing extends LiveAgent<Caller> {
      @phase<Caller>({ first: true, exit: fail })
      opening() {
        return '';
      }

      @phase<Caller>({ when: fail })
      never() {
        return '';
      }

      @phase<Caller>({
        from: 'opening',
        when: (state) => state['turn:said'] === 'x',
        enter: fail,
        last: true,
      })
      heated() {
        return '';
      }

      @computed('heat')
      heat() {
        return fail();
      }

      @watch('turn:said', changed())
      failing() {
        fail();
      }
    }
    const model = new ScriptedModel(callsTool('say'), says('Done.'));
    await using runner = await createRunner(Failing, { model });
    await runner.ask('Go.', KEY);

    const state = await stateOf(runner);
    expect(state).toMatchObject({ phase: 'heated', live_memory: { turn: 1 } });
    expect(state).not.toHaveProperty(['turn:said']);
  });

  it.each(['instruction', 'context', 'hybrid'] as const)(
    'steers a live session by its %s',
    async (steering) => {
      @agent({ name: 'desk', instruction: 'Be kind.' })
      class Steered extends Desk {
        override readonly steering = steering;
      }
      const script = new ScriptedLive(
        untilText(),
        speaks('Hello.'),
        untilText(),
        speaks('Well.'),
        untilText(),
        speaks('Bye.'),
      );
      const answers = ['{"mood":0.1,"name":"Ada"}', '{"mood":0.9,"name":"Ada"}', '{"mood":0.9,"name":"Bo"}'];
      const model = new ScriptedModel(...answers.map((answer) => says(answer)));
      await using runner = await createRunner(Steered, { model });
      await using live = runner.live({ ...KEY, model: script });
      for (const message of ['I am Ada.', 'Grr!', 'No, Bo.']) {
        live.sendText(message);
        await turnEnd(live);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }

      const told = script.connections.flatMap(({ sent }) =>
        sent.flatMap((one) => (one.kind === 'text' && !one.respond ? [one.text] : [])),
      );
      expect(script.connections).toHaveLength(steering === 'context' ? 1 : 2);
      if (steering === 'instruction') expect(told).toEqual([]);
      if (steering === 'context') expect(told).toEqual([expect.stringContaining('Slow down.')]);
      if (steering === 'hybrid')
        expect(told).toEqual(['Current context: name=Ada', 'Current context: name=Bo']);
    },
  );
});

describe('the declarations of a live agent are refused when the runner is created', () => {
  it.each<[string, Parameters<typeof extract>[0]]>([
    ['schema is an object', { schema: { type: 'string' } }],
    ['schema is missing', {} as never],
    ["writes 'phase'", { schema: { type: 'object', properties: { phase: {} } } }],
    ['turns is 0', { schema: SCHEMA, turns: 0 }],
    ['every is 1.5', { schema: SCHEMA, every: 1.5 }],
    ['timeout is "soon"', { schema: SCHEMA, timeout: 'soon' }],
    ['names the model "gemini-9", which no bound provider knows', { schema: SCHEMA, model: 'gemini-9' }],
  ])('where of an extractor %s', async (fault, options) => {
    class Broken extends LiveAgent {
      opening() {
        return '';
      }

      feelings() {
        return 'How?';
      }
    }
    phase({ first: true })(Broken.prototype, 'opening');
    extract(options)(Broken.prototype, 'feelings');
    agent({ name: 'broken', model: new ScriptedModel() })(Broken);

    await expect(createRunner(Broken)).rejects.toThrow(fault);
  });
});

function write(name: string, key: keyof Caller, value: unknown): FunctionTool {
  const run = (_args: unknown, { state }: CallbackContext): string => {
    state.set(key, value);
    return 'written';
  };
  return new FunctionTool({ name, description: 'Writes.', parameters: { type: 'object' }, run });
}

function textOf(request: Pick<ModelRequest, 'contents'> | undefined): string {
  return request?.contents[0]?.parts?.[0]?.text ?? '';
}

async function stateOf(runner: Awaited<ReturnType<typeof createRunner>>): Promise<Record<string, unknown>> {
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  return session?.state ?? {};
}

async function turnEnd(live: LiveSession): Promise<void> {
  for await (const { author, turnComplete } of live) if (author !== 'user' && turnComplete) return;
}

describe('an extractor of a tool', () => {
  it('reads once for a call, also if turns follow that no message of the user has begun', async () => {
    class Asker extends LiveAgent {
      helping() {
        return 'Help.';
      }
      who() {
        return 'Which name?';
      }
    }
    phase({ first: true })(Asker.prototype, 'helping');
    extract({ schema: SCHEMA, every: { tool: 'look' } })(Asker.prototype, 'who');
    const look = new FunctionTool({ name: 'look', description: 'Looks.', run: () => 1 });
    agent({ name: 'asker', tools: [look] })(Asker);
    const reader = new ScriptedModel(says('{"mood":1}'), says('{"mood":2}'));
    const model = new ScriptedLive(
      ...[untilText(), callsLive('look', {}, 'c1'), untilResponse('c1'), speaks('One.')],
      ...[untilText(), speaks('Two.')],
    );
    await using runner = await createRunner(Asker, { model: reader });
    const live = runner.live({ ...KEY, model });
    live.sendText('I am Ada.');
    await turnOf(live, 'One.');
    live.prompt('Be brief.');
    await turnOf(live, 'Two.');
    await live.close();

    expect(reader.requests).toHaveLength(1);
  });
});

describe('a condition that is sustained', () => {
  it('is met in the silence after a turn, without another one', async () => {
    const met: string[] = [];
    class Desk extends LiveAgent<Caller> {
      helping() {
        return 'Help.';
      }
      offerBreak(live: LiveContext<Caller>) {
        met.push('break');
        live.prompt('Offer a break.');
      }
    }
    phase({ first: true })(Desk.prototype, 'helping');
    watch(sustained<Caller>(({ heat = 0 }) => heat > 8, 40))(Desk.prototype, 'offerBreak');
    agent({ name: 'desk' })(Desk);
    const model = new ScriptedLive(untilText(), speaks('One.'), untilText(), speaks('Shall we pause?'));
    await using runner = await createRunner(Desk, { model: new ScriptedModel() });
    const key = { appName: runner.appName, ...KEY };
    await runner.sessions.createSession(key, { heat: 9 });
    const live = runner.live({ ...KEY, model });
    live.sendText('Hello.');
    await turnOf(live, 'Shall we pause?');
    await live.close();

    expect(met).toEqual(['break']);
    expect(model.connection.texts).toEqual(['Hello.', 'Offer a break.']);
  });
});

async function turnOf(live: LiveSession, said: string): Promise<void> {
  for await (const { text } of live) if (text === said) return;
}
