import {
  callsLive,
  cancelsCalls,
  type LiveStep,
  says,
  ScriptedLive,
  ScriptedModel,
  speaks,
  untilAudio,
  untilResponse,
  untilText,
} from '@adorn/testing';

import {
  agent,
  type AgentClass,
  ContainerModule,
  defineAgent,
  Plugin,
  type Runner,
  SessionService,
  Tool,
  type ToolContext,
} from '@adorn/core';
import { MortalSessionService } from '../../../core/src/agents/workflow/workflow.fixture.js';
import { LiveAgent } from '../live.agent.js';
import { phase } from '../phase.decorator.js';
import {
  createRunner,
  gate,
  isTurnEnd,
  KEY,
  look,
  settled,
  startLive,
  storedOf,
  until,
} from './live.fixture.js';

const OBJECT = { type: 'object' };

const UNKNOWN = {
  error:
    'outcome unknown: the invocation was cancelled while this call was under way. It may have taken effect.',
  outcome: 'unknown',
};
const NOT_DONE = { error: 'The invocation was cancelled before this was done.' };

type Kind = 'generator' | 'promise';

/** A tool that listens. `hangs`: it does not end when its input ends. */
class Listener extends Tool {
  readonly name = 'listen';
  readonly description = 'Listens.';
  heard: number[] = [];
  isAborted: boolean | undefined;

  constructor(
    private readonly kind: Kind,
    private readonly hangs: boolean,
    traits: Tool['traits'],
  ) {
    super(traits);
  }

  override get takesLiveInput(): boolean {
    return true;
  }

  declaration() {
    return { name: 'listen', description: 'Listens.', parametersJsonSchema: OBJECT };
  }

  run(_args: unknown, context: ToolContext): unknown {
    return this.kind === 'generator' ? this.listened(context) : this.summary(context);
  }

  private async *listened({ liveInput, signal }: ToolContext): AsyncGenerator<number, void, undefined> {
    for await (const { byteLength } of liveInput.audio) {
      this.heard.push(byteLength);
      yield byteLength;
    }
    this.isAborted = signal.aborted;
    if (this.hangs) await new Promise(() => undefined);
  }

  private async summary({ liveInput, signal, state }: ToolContext): Promise<object> {
    for await (const { byteLength } of liveInput.audio) this.heard.push(byteLength);
    this.isAborted = signal.aborted;
    if (this.hangs) await new Promise(() => undefined);
    state.set('heard', this.heard.length);
    return { heard: this.heard };
  }
}

const settles = (step: LiveStep): LiveStep => {
  return () => settled(5).then(() => step);
};

/** How a tool stops listening: steps of the model, and what the application does then. */
const ENDS = {
  'stop_streaming of the model': [
    settles(callsLive('stop_streaming', { function_name: 'listen' }, 'c2')),
    untilResponse('c2'),
    speaks('Enough.'),
  ],
  'a cancellation by the provider': [settles(cancelsCalls('c1')), speaks('Never mind.')],
  'the end of the session': [speaks('Goodbye.')],
  'the cancellation of the session': [speaks('Goodbye.')],
  'the end of the session in another phase': [callsLive('go', {}, 'c2'), untilResponse('c2'), speaks('On.')],
  'the end of the session with another agent': [
    callsLive('transfer_to_agent', { agent_name: 'expert' }, 'c2'),
    untilResponse('c2'),
    speaks('Here.'),
  ],
} satisfies Record<string, readonly LiveStep[]>;

type End = keyof typeof ENDS;

interface Ended {
  /** The stored responses to the call behind its acknowledgement. */
  readonly stored: readonly unknown[];
  readonly state: Readonly<Record<string, unknown>>;
  /** Milliseconds from the end to the end of the session. */
  readonly took: number;
}

/** A conversation in which a tool listens to two pieces of speech until the end. */
async function listenUntil(end: End, listener: Listener): Promise<Ended> {
  const model = new ScriptedLive(
    untilText(),
    callsLive('listen', {}, 'c1'),
    untilResponse('c1'),
    speaks('I listen.'),
    untilAudio(2),
    ...ENDS[end],
  );
  await using runner = await createRunner(agentOf(listener), { model: new ScriptedModel() });
  const live = runner.live({ ...KEY, model, transcribe: false });
  live.sendText('Listen.');
  await until(live, isTurnEnd);
  for (const bytes of [2, 4]) void live.sendAudio(new Uint8Array(bytes));
  await until(live, isTurnEnd);
  const began = performance.now();
  if (end === 'the cancellation of the session') live.cancel();
  await (end === 'the cancellation of the session' ? live.ended : live.close());
  const took = performance.now() - began;
  const session = await runner.sessions.getSession({ appName: runner.appName, ...KEY });
  const responses = (session?.events ?? []).flatMap(({ functionResponses }) => functionResponses);
  const [acknowledgement, ...stored] = responses.filter(({ id }) => id === 'c1');
  expect(acknowledgement?.response).toEqual({ status: 'streaming', tool: 'listen' });
  return { stored: stored.map(({ response }) => response), state: session?.state ?? {}, took };
}

function agentOf(listener: Listener): AgentClass {
  const go = look(
    (_args, { state }) => {
      state.set('on', true);
    },
    { name: 'go' },
  );
  const Expert = defineAgent({ name: 'expert', description: 'Knows.' });
  @agent({ name: 'clerk', tools: [listener, go], subAgents: [Expert] })
  class Clerk extends LiveAgent<{ on?: boolean }> {
    @phase<{ on?: boolean }>({ first: true })
    opening() {
      return 'Greet.';
    }

    @phase<{ on?: boolean }>({ from: 'opening', when: ({ on }) => on === true, tools: [] })
    hearing() {
      return 'Hear.';
    }
  }
  return Clerk;
}

const KINDS: readonly Kind[] = ['generator', 'promise'];
const TRAITS: readonly Tool['traits'][] = [{}, { effect: 'read' }, { idempotent: true }];
const CELLS = (Object.keys(ENDS) as End[]).flatMap((end) => KINDS.map((kind) => [end, kind] as const));

describe('a tool that listens until', () => {
  it.each(CELLS)('%s, as a %s, has what it returns as its result', async (end, kind) => {
    for (const traits of TRAITS) {
      const listener = new Listener(kind, false, traits);
      const { stored, state } = await listenUntil(end, listener);

      expect([traits, stored]).toEqual([
        traits,
        [kind === 'generator' ? { result: [2, 4] } : { heard: [2, 4] }],
      ]);
      expect(listener.isAborted).toBe(false);
      if (kind === 'promise') expect(state['heard']).toBe(2);
    }
  });

  it.each(CELLS)(
    '%s, as a %s, is stopped if it does not end: its outcome is unknown, unless it only reads',
    async (end, kind) => {
      for (const traits of TRAITS) {
        const { stored, took } = await listenUntil(end, new Listener(kind, true, traits));

        expect([traits, stored]).toEqual([traits, [traits.effect === 'read' ? NOT_DONE : UNKNOWN]]);
        expect(took).toBeLessThan(1_000);
      }
    },
  );
});

describe('a tool that listens', () => {
  it.each<End>(['the end of the session in another phase', 'the end of the session with another agent'])(
    'hears on until %s',
    async (end) => {
      const listener = new Listener('promise', false, {});
      const model = new ScriptedLive(
        untilText(),
        callsLive('listen', {}, 'c1'),
        untilResponse('c1'),
        ...ENDS[end],
        untilAudio(),
        speaks('I hear.'),
      );
      await using runner = await createRunner(agentOf(listener), { model: new ScriptedModel() });
      const live = runner.live({ ...KEY, model, transcribe: false });
      live.sendText('Listen.');
      await until(live, isTurnEnd);
      void live.sendAudio(new Uint8Array(8));
      await until(live, isTurnEnd);
      await live.close();

      expect(listener.heard).toEqual([8]);
    },
  );

  it('is answered to the model where it was stopped by the model, and not where the provider has cancelled it', async () => {
    const told = async (end: End): Promise<unknown[]> => {
      const { live, model } = await startLive({ tools: [new Listener('promise', false, {})] }, [
        untilText(),
        callsLive('listen', {}, 'c1'),
        untilResponse('c1'),
        ...ENDS[end],
      ]);
      live.sendText('Listen.');
      await until(live, isTurnEnd);
      await settled();
      await live.close();
      return model.connection.responses.filter(({ id }) => id === 'c1').map(({ response }) => response);
    };
    const acknowledgement = { status: 'streaming', tool: 'listen' };

    expect(await told('stop_streaming of the model')).toEqual([acknowledgement, { heard: [] }]);
    expect(await told('a cancellation by the provider')).toEqual([acknowledgement]);
  });

  it('is not waited for behind its end: a callback that hangs does not hold up the end of the session', async () => {
    class Hanging extends Plugin {
      override readonly name = 'hanging';

      override afterTool(): Promise<never> {
        return new Promise(() => undefined);
      }
    }
    const model = new ScriptedLive(untilText(), callsLive('listen', {}, 'c1'), untilResponse('c1'));
    const Clerk = defineAgent({ name: 'clerk', tools: [new Listener('promise', false, {})] });
    await using runner = await createRunner(Clerk, { model: new ScriptedModel(), plugins: [new Hanging()] });
    const live = runner.live({ ...KEY, model, transcribe: false });
    live.sendText('Listen.');
    await until(live, ({ functionResponses }) => functionResponses.length > 0);
    await settled();
    const began = performance.now();
    await live.close();

    expect(performance.now() - began).toBeLessThan(1_000);
    expect((await storedOf(runner)).at(-1)).toBe(`clerk ← c1 ${JSON.stringify(UNKNOWN)}`);
  });

  it.each(['text', 'voice'])(
    'is answered once behind each write after which its process dies, continued by %s',
    async (way) => {
      let isDead = true;
      for (let writes = 1; isDead; writes++) {
        for (const traits of [{}, { effect: 'read' }] as const) {
          const sessions = new MortalSessionService();
          sessions.left = writes;
          isDead = await listenAndDie(sessions, traits);
          sessions.left = Infinity;
          const next = await runnerWith(sessions, traits);
          if (way === 'text') await next.recover({ olderThan: 0 });
          else await listenOn(next);

          const lines = await storedOf(next);
          const ends = lines.filter((line) => line.includes('← c1') && !line.includes('"streaming"'));
          const isCalled = lines.some((line) => line.includes('(c1)'));
          expect([writes, traits, ends.length]).toEqual([writes, traits, isCalled ? 1 : 0]);
          if (traits.effect === 'read') expect(ends.join()).not.toMatch(/unknown|cancelled/);
          expect(await next.pending(KEY)).toEqual([]);
        }
      }
    },
  );
});

describe('a call that is stopped', () => {
  it.each([
    ['has an unknown outcome', {}, UNKNOWN],
    ['has no unknown outcome if its tool only reads', { effect: 'read' }, NOT_DONE],
    ['has no unknown outcome if its tool has not begun', { confirm: true }, undefined],
  ] as const)('%s, and is not waited for', async (_what, traits, outcome) => {
    for (const isCancelled of [true, false]) {
      const tool = look(() => new Promise(() => undefined), traits);
      const { live, runner } = await startLive({ tools: [tool] }, [
        untilText(),
        callsLive('look', {}, 'c1'),
        ...(isCancelled ? [settles(cancelsCalls('c1'))] : []),
        settles(speaks('Well.')),
      ]);
      live.sendText('Look.');
      await until(live, isTurnEnd);
      const began = performance.now();
      await live.close();

      expect(performance.now() - began).toBeLessThan(200);
      const stored = (await storedOf(runner)).filter((line) => line.includes('← c1'));
      // What waits for a person waits behind the session, unless the provider has cancelled it.
      const expected = outcome ?? (isCancelled ? NOT_DONE : { status: 'pending' });
      expect([isCancelled, stored.at(-1)]).toEqual([isCancelled, `clerk ← c1 ${JSON.stringify(expected)}`]);
    }
  });

  it('is answered by what its tool has returned before the end of the session', async () => {
    const { promise, open } = gate<number>();
    const { live, runner } = await startLive({ tools: [look(() => promise)] }, [
      untilText(),
      callsLive('look', {}, 'c1'),
      speaks('Well.'),
    ]);
    live.sendText('Look.');
    await until(live, isTurnEnd);
    open(7);
    for (let turns = 0; turns < 50; turns++) await Promise.resolve();
    await live.close();

    expect((await storedOf(runner)).at(-1)).toBe('clerk ← c1 {"result":7}');
  });
});

function runnerWith(sessions: SessionService, traits: Tool['traits']): Promise<Runner> {
  const bindings = new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions));
  const Clerk = defineAgent({ name: 'clerk', tools: [new Listener('promise', false, traits)] });
  const model = new ScriptedModel(says('By text.'), says('By text.'));
  return createRunner(Clerk, { model, modules: [bindings], config: { takeOverAfter: 0 } });
}

/** True if the process died. */
async function listenAndDie(sessions: SessionService, traits: Tool['traits']): Promise<boolean> {
  const runner = await runnerWith(sessions, traits);
  const model = new ScriptedLive(
    untilText(),
    callsLive('listen', {}, 'c1'),
    untilResponse('c1'),
    speaks('I listen.'),
  );
  const live = runner.live({ ...KEY, model, transcribe: false });
  live.sendText('Listen.');
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
async function listenOn(runner: Runner): Promise<void> {
  await using live = runner.live({ ...KEY, model: new ScriptedLive() });
  await until(live, (event) => event.live?.kind === 'connected');
  live.sendText('Go on.');
  await settled();
}
