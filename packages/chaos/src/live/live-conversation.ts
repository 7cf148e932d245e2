import { type Event, InMemorySessionService } from '@adorn/core';
import type { LiveEvent } from '@adorn/core/backend';
import { drops, goesAway, isInterrupted, speaks } from '@adorn/testing';

import { seededRandom } from '../seeded-random.js';
import { ADDRESS, APP, Life } from './live-life.js';
import { type LiveOp, opsOf } from './live-ops.js';
import type { Watcher } from './live-desk.js';

/** Holds the conversation of a seed. @returns what is wrong with it */
export async function holdConversation(seed: number): Promise<string | undefined> {
  const conversation = new Conversation();
  await conversation.begin();
  for (const op of opsOf(seededRandom(seed))) await conversation.take(op);
  await conversation.end();
  return conversation.fault();
}

interface MadeCall {
  readonly id: string;
  readonly life: number;
}

class Conversation {
  private readonly sessions = new InMemorySessionService();
  private readonly lives: Life[] = [];
  /** Messages, and the number of the process to which they were given. */
  private readonly texts: { readonly text: string; readonly life: number }[] = [];
  private readonly calls: MadeCall[] = [];
  private readonly cancelled = new Map<string, number>();
  private readonly ran = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  private readonly watcher: Watcher = {
    began: (tool, key) => this.ran.set(`${tool} ${key}`, (this.ran.get(`${tool} ${key}`) ?? 0) + 1),
    hold: () => new Promise((resolve) => this.waiting.push(resolve)),
  };
  private next = 0;

  async begin(): Promise<void> {
    this.lives.push(await Life.begin(this.sessions, this.watcher));
    await settled(10);
  }

  async take(op: LiveOp): Promise<void> {
    const { live } = this.life;
    switch (op.do) {
      case 'text':
        this.texts.push({ text: `text ${this.number()}`, life: this.lives.length });
        live.sendText(this.texts.at(-1)?.text ?? '');
        return;
      case 'audio':
        return live.sendAudio(new Uint8Array(4));
      case 'interrupt':
        live.interrupt();
        return;
      case 'release':
        this.waiting.shift()?.();
        return;
      case 'die':
        this.life.die();
        return this.begin();
      case 'pause':
        return settled(op.turns);
      case 'call':
        this.call(op);
        return;
      case 'advance':
        this.call({ do: 'call', tool: 'advance', hasId: true, twice: false });
        return;
      case 'cancel':
        return this.cancel(op.nth);
      default:
        this.emit(...this.eventsOf(op.do));
    }
  }

  async end(): Promise<void> {
    await settled(5);
    for (const release of this.waiting.splice(0)) release();
    await settled(20);
    await this.life.live.close();
    for (const release of this.waiting.splice(0)) release();
    for (const { runner } of this.lives) await runner.close().catch(() => undefined);
  }

  async fault(): Promise<string | undefined> {
    const session = await this.sessions.getSession({ appName: APP, ...ADDRESS });
    const events = session?.events ?? [];
    const faults = [
      ...faultsOfCalls(events),
      ...this.faultsOfTexts(events),
      ...this.faultsOfWires(),
      ...[...this.ran].filter(([, times]) => times > 1).map(([call]) => `the call "${call}" ran twice`),
    ];
    if (session?.lastRun?.status !== 'ended')
      faults.push(`the last run is ${String(session?.lastRun?.status)}`);
    if (await this.isOpen()) faults.push('a session has not ended');
    return faults[0];
  }

  private get life(): Life {
    return this.lives.at(-1) as Life;
  }

  private eventsOf(kind: string): readonly LiveEvent[] {
    switch (kind) {
      case 'speak':
        return speaks('Some words.');
      case 'bargeIn':
        return isInterrupted();
      case 'handle':
        return [{ kind: 'resumption', handle: `h${this.number()}` }];
      case 'goAway':
        return [goesAway(10_000)];
      default:
        return [drops()];
    }
  }

  private call({ tool, hasId, twice }: Extract<LiveOp, { do: 'call' }>): void {
    const key = this.number();
    const id = hasId ? `c${key}` : '';
    const name = tool === 'transfer' ? 'transfer_to_agent' : tool;
    const call = { id: hasId ? id : undefined, name, args: argsOf(name, key) };
    this.calls.push({ id, life: this.lives.length });
    this.emit({ kind: 'toolCall', calls: [call] });
    if (twice && hasId) this.emit({ kind: 'toolCall', calls: [call] });
  }

  /** Cancels a call of this process. What was sent before the session has read it is sent. */
  private async cancel(nth: number): Promise<void> {
    const { id = '', life } = this.calls.at(-1 - nth) ?? {};
    if (id === '' || life !== this.lives.length || this.cancelled.has(id)) return;
    if (this.life.model.connections.at(-1)?.isClosed !== false) return;
    this.emit({ kind: 'toolCallCancellation', ids: [id] });
    await settled(1);
    this.cancelled.set(id, this.responsesTo(id).length);
  }

  private emit(...events: readonly LiveEvent[]): void {
    this.life.model.connections.at(-1)?.emit(...events);
  }

  private responsesTo(id: string): object[] {
    const connections = this.lives.flatMap(({ model }) => model.connections);
    return connections.flatMap(({ responses }) => responses.filter((one) => one.id === id));
  }

  private number(): string {
    return String(this.next++);
  }

  /** Messages are stored once, in order; those of the last process are all there. */
  private faultsOfTexts(events: readonly Event[]): string[] {
    const stored = events
      .filter(({ author }) => author === 'user')
      .map(({ text }) => text)
      .filter((text) => text !== '');
    const sent = this.texts.filter(({ text, life }) => life === this.lives.length || stored.includes(text));
    const expected = sent.map(({ text }) => text);
    return JSON.stringify(stored) === JSON.stringify(expected)
      ? []
      : [`the messages ${JSON.stringify(stored)} are stored, not ${JSON.stringify(expected)}`];
  }

  /** No connection gets two last responses to one call, and none after its cancellation; all are closed. */
  private faultsOfWires(): string[] {
    const faults: string[] = [];
    for (const { id } of this.calls.filter((call) => call.id !== '')) {
      for (const { model } of this.lives)
        for (const { responses } of model.connections)
          if (responses.filter((one) => one.id === id && one.willContinue !== true).length > 1)
            faults.push(`the call ${id} was answered twice on one connection`);
      const before = this.cancelled.get(id);
      if (before !== undefined && this.responsesTo(id).length !== before)
        faults.push(`the call ${id} was answered after its cancellation`);
    }
    const open = this.lives.flatMap(({ model }) => model.connections).filter(({ isClosed }) => !isClosed);
    return open.length > 0 ? [...faults, `${String(open.length)} connections are open`] : faults;
  }

  /** True if a session of any process is still under way. */
  private async isOpen(): Promise<boolean> {
    const late = new Promise<true>((resolve) => setTimeout(resolve, 2_000, true).unref());
    const over = Promise.all(
      this.lives.map(({ live }) =>
        live.ended.then(
          () => undefined,
          () => undefined,
        ),
      ),
    ).then(() => false);
    return Promise.race([over, late]);
  }
}

function argsOf(name: string, key: string): Record<string, unknown> {
  if (name === 'transfer_to_agent') return { agent_name: 'expert' };
  return name === 'stop_streaming' ? { function_name: 'listen' } : { key };
}

/** Every call has one last response, behind it; no id stands twice. */
export function faultsOfCalls(events: readonly Event[]): string[] {
  const faults: string[] = [];
  const calls = events.flatMap(({ functionCalls }) => functionCalls.map(({ id = '' }) => id));
  const finals = events.flatMap(({ functionResponses }) =>
    functionResponses.filter(({ willContinue }) => willContinue !== true).map(({ id = '' }) => id),
  );
  if (new Set(calls).size < calls.length) faults.push('a call is stored twice');
  if (new Set(events.map(({ id }) => id)).size < events.length) faults.push('an event is stored twice');
  for (const id of calls) {
    const answers = finals.filter((one) => one === id).length;
    if (answers !== 1) faults.push(`the call ${id} has ${String(answers)} last responses`);
    const called = events.findIndex(({ functionCalls }) => functionCalls.some((call) => call.id === id));
    const answered = events.findIndex(({ functionResponses }) =>
      functionResponses.some((one) => one.id === id),
    );
    if (answered < called) faults.push(`the call ${id} is answered before it is stored`);
  }
  for (const id of finals) if (!calls.includes(id)) faults.push(`a response to no call: ${id}`);
  return faults;
}

/** Lets everything happen that needs no time. */
async function settled(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
