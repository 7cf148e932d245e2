import fc from 'fast-check';

import type { LiveEvent } from '@adorn/core/backend';
import { drops, goesAway, isInterrupted, ScriptedLive, ScriptedModel, speaks } from '@adorn/testing';

import { PROPERTY_RUNS } from '../dispatch/property-runs.fixture.js';
import { createRunner, defineAgent, FunctionTool } from '../index.js';
import { KEY, settled } from './live.fixture.js';

/** A conversation takes longer than the script of a turn. */
const RUNS = PROPERTY_RUNS / 4;

type Op =
  | { readonly do: 'text' | 'audio' | 'speak' | 'interrupt' | 'bargeIn' | 'handle' | 'goAway' | 'release' }
  | { readonly do: 'drop' }
  | { readonly do: 'call'; readonly tool: string; readonly hasId: boolean; readonly twice: boolean }
  | { readonly do: 'cancel'; readonly nth: number }
  | { readonly do: 'pause'; readonly turns: number };

const ops: fc.Arbitrary<Op> = fc.oneof(
  fc.constantFrom<Op>(
    { do: 'text' },
    { do: 'audio' },
    { do: 'speak' },
    { do: 'interrupt' },
    { do: 'bargeIn' },
    { do: 'handle' },
    { do: 'goAway' },
    { do: 'release' },
    { do: 'drop' },
  ),
  fc.record({
    do: fc.constant('call' as const),
    tool: fc.constantFrom('quick', 'slow', 'beside', 'broken', 'missing', 'transfer_to_agent'),
    hasId: fc.boolean(),
    twice: fc.boolean(),
  }),
  fc.record({ do: fc.constant('cancel' as const), nth: fc.nat(5) }),
  fc.record({ do: fc.constant('pause' as const), turns: fc.nat(4) }),
);

describe('a live session in any order of what happens', () => {
  it(
    'answers each call once, none after its cancellation, stores every message once, and leaves nothing open',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(ops, { maxLength: 25 }), play), { numRuns: RUNS });
    },
    RUNS * 2_000,
  );
});

async function play(script: readonly Op[]): Promise<void> {
  const world = await World.open();
  for (const op of script) await world.take(op);
  await world.end();
  await world.check();
}

class World {
  private readonly texts: string[] = [];
  private readonly calls: { readonly id: string; readonly key: string }[] = [];
  private readonly cancelled = new Map<string, number>();
  private readonly ran = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  private next = 0;

  private constructor(
    private readonly model: ScriptedLive,
    private readonly session: Awaited<ReturnType<typeof openSession>>,
  ) {}

  static async open(): Promise<World> {
    const model = new ScriptedLive();
    const made: { world?: World } = {};
    const session = await openSession(model, {
      run: (key) => made.world?.note(key),
      hold: () => new Promise<void>((resolve) => made.world?.waiting.push(resolve)),
    });
    const world = (made.world = new World(model, session));
    await settled(10);
    return world;
  }

  async take(op: Op): Promise<void> {
    const { live } = this.session;
    switch (op.do) {
      case 'text':
        this.texts.push(`text ${String(this.next++)}`);
        live.sendText(this.texts.at(-1) ?? '');
        break;
      case 'audio':
        await live.sendAudio(new Uint8Array(4));
        break;
      case 'speak':
        this.emit(...speaks('Some words.'));
        break;
      case 'interrupt':
        live.interrupt();
        break;
      case 'bargeIn':
        this.emit(...isInterrupted());
        break;
      case 'handle':
        this.emit({ kind: 'resumption', handle: `h${String(this.next++)}` });
        break;
      case 'goAway':
        this.emit(goesAway(10_000));
        break;
      case 'drop':
        this.emit(drops());
        break;
      case 'release':
        this.waiting.shift()?.();
        break;
      case 'call':
        this.call(op);
        break;
      case 'cancel':
        this.cancel(op.nth);
        break;
      case 'pause':
        await settled(op.turns);
    }
  }

  async end(): Promise<void> {
    const { live, runner } = this.session;
    await settled(5);
    for (const release of this.waiting.splice(0)) release();
    await settled(20);
    await live.close();
    await live.ended;
    await runner.close();
  }

  async check(): Promise<void> {
    const { runner, sessions } = this.session;
    const session = await sessions.getSession({ appName: runner.appName, ...KEY });
    const events = session?.events ?? [];
    const calls = events.flatMap(({ functionCalls }) => functionCalls.map(({ id }) => id));
    const finals = events.flatMap(({ functionResponses }) =>
      functionResponses.filter(({ willContinue }) => willContinue !== true).map(({ id }) => id),
    );
    expect(finals.toSorted()).toEqual(calls.toSorted());
    expect(new Set(calls).size).toBe(calls.length);
    for (const id of calls) {
      const called = events.findIndex(({ functionCalls }) => functionCalls.some((call) => call.id === id));
      const answered = events.findIndex(({ functionResponses }) =>
        functionResponses.some((one) => one.id === id),
      );
      expect(answered).toBeGreaterThan(called);
    }
    for (const times of this.ran.values()) expect(times).toBe(1);
    const messages = events.filter(({ author }) => author === 'user').map(({ text }) => text);
    expect(messages).toEqual(this.texts);
    this.checkResponses();
    expect(this.model.connections.every(({ isClosed }) => isClosed)).toBe(true);
    expect(session?.lastRun?.status).toBe('ended');
  }

  /** No connection gets two last responses of one call, and none after its cancellation. */
  private checkResponses(): void {
    for (const { id } of this.calls) {
      if (id === '') continue;
      for (const { responses } of this.model.connections) {
        const own = responses.filter((response) => response.id === id && response.willContinue !== true);
        expect(own.length).toBeLessThanOrEqual(1);
      }
      const before = this.cancelled.get(id);
      if (before !== undefined) expect(this.responsesTo(id)).toBe(before);
    }
  }

  private call({ tool, hasId, twice }: Extract<Op, { do: 'call' }>): void {
    const key = String(this.next++);
    const id = hasId ? `c${key}` : '';
    const args = tool === 'transfer_to_agent' ? { agent_name: 'expert' } : { key };
    const call: LiveEvent = { kind: 'toolCall', calls: [{ id: hasId ? id : undefined, name: tool, args }] };
    this.calls.push({ id, key });
    this.emit(call);
    if (twice && hasId) this.emit(call);
  }

  /** Cancels a call that has not been answered yet, as providers do. */
  private cancel(nth: number): void {
    const { id = '' } = this.calls.at(-1 - nth) ?? {};
    if (id === '' || this.cancelled.has(id)) return;
    if (this.model.connection.isClosed) return;
    this.emit({ kind: 'toolCallCancellation', ids: [id] });
    // What was sent before the session has read the cancellation is sent.
    void settled(1).then(() => this.cancelled.set(id, this.responsesTo(id)));
  }

  private responsesTo(id: string): number {
    return this.model.connections.flatMap(({ responses }) => responses.filter((one) => one.id === id)).length;
  }

  private emit(...events: readonly LiveEvent[]): void {
    this.model.connection.emit(...events);
  }

  private note(key: string): void {
    this.ran.set(key, (this.ran.get(key) ?? 0) + 1);
  }
}

async function openSession(
  model: ScriptedLive,
  { run, hold }: { readonly run: (key: string) => void; readonly hold: () => Promise<void> },
) {
  const parameters = { type: 'object', properties: { key: { type: 'string' } } };
  const shape = { description: 'Does it.', parameters };
  const slow = async ({ key }: { key?: string }): Promise<string> => {
    run(String(key));
    await hold();
    return 'done';
  };
  const tools = [
    new FunctionTool({ ...shape, name: 'slow', run: slow }),
    new FunctionTool({ ...shape, name: 'beside', background: true, run: slow }),
    new FunctionTool({
      ...shape,
      name: 'quick',
      run: ({ key }: { key?: string }) => {
        run(String(key));
        return 'done';
      },
    }),
    new FunctionTool({
      ...shape,
      name: 'broken',
      run: () => {
        throw new Error('It is broken.');
      },
    }),
  ];
  const Expert = defineAgent({ name: 'expert', description: 'Knows.', tools });
  const Clerk = defineAgent({ name: 'clerk', description: 'Asks.', tools, subAgents: [Expert] });
  const runner = await createRunner(Clerk, { model: new ScriptedModel(), config: { maxTransfers: 1_000 } });
  const live = runner.live({ ...KEY, model });
  return { runner, live, sessions: runner.sessions };
}
