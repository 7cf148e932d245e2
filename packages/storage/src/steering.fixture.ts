import { callsTool, says } from '@adorn/testing';
import {
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  Logger,
  Model,
  type ModelRequest,
  type ModelResponse,
  type RunConfig,
  type Runner,
  type Session,
  SessionService,
} from '@adorn/core';
import type { Mail, ReadTime, RunRecord } from '@adorn/core/backend';

import type { Database } from './database/database.js';
import { SqlSessionService } from './sessions/sql-session.service.js';

/** A message that was sent, in the order in which the store took it. */
export interface Sent {
  readonly id: string;
  readonly text: string;
  readonly when: ReadTime;
}

/** What the tools of all processes did in one conversation. */
export class Scene {
  readonly sent: Sent[] = [];
  /** How often each call of `step` or `pay` took effect, by its id. */
  readonly effects = new Map<string, number>();
  paid = 0;
  approved = 0;
  /** The runs that were cancelled: a message that one of them was to read is withdrawn. */
  readonly cancelled = new Set<string>();
  /** True if tools do not wait. */
  isFree = false;
  private waiting: (() => void)[] = [];

  async effect(callId: string): Promise<string> {
    this.effects.set(callId, (this.effects.get(callId) ?? 0) + 1);
    if (!this.isFree) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'done';
  }

  finish(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** A process with sessions of its own in memory. It dies after a number of writes: nothing that it writes later is stored. */
export class MortalProcess {
  private constructor(
    readonly runner: Runner,
    readonly sessions: MortalSessions,
    private readonly scenes: Map<string, Scene>,
  ) {}

  static async start(database: Database, config: RunConfig = {}): Promise<MortalProcess> {
    const sessions = new MortalSessions(database);
    const scenes = new Map<string, Scene>();
    const sceneOf = (id: string): Scene => scenes.get(id) ?? new Scene();
    const bindings = new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Logger).toConstantValue(new Silent());
    });
    const step = new FunctionTool({
      name: 'step',
      description: 'One step.',
      run: (_args: object, { sessionId, functionCallId }) => sceneOf(sessionId).effect(functionCallId),
    });
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      confirm: true,
      run: (_args: object, { sessionId }) => ++sceneOf(sessionId).paid,
    });
    const Clerk = defineAgent({ name: 'clerk', model: new Deciding(), tools: [step, pay] });
    const runner = await createRunner(Clerk, { appName: 'clerk', modules: [bindings], config });
    return new MortalProcess(runner, sessions, scenes);
  }

  enter(sessionId: string, scene: Scene): void {
    this.scenes.set(sessionId, scene);
  }

  /** Sends a message. What a dead process sends is not sent. */
  async send(sessionId: string, scene: Scene, when: ReadTime, text: string): Promise<void> {
    const { id, run } = await this.runner.send({ userId: 'ada', sessionId }, text, { when });
    scene.sent.push({ id, text, when });
    run?.catch(ignored);
  }
}

/** What a process does at its next write of a kind: it dies before the write, or when the store has it, or the store fails. */
export interface Stroke {
  readonly write: (typeof WRITES)[number];
  readonly outcome: 'dies before' | 'dies after' | 'fails';
}

export const WRITES = ['appendEvent', 'openRun', 'postMail', 'deleteMail', 'getSession', 'listMail'] as const;

/** Some processes with one store. Each that dies is replaced, and one that does not die recovers what the dead have left. */
export class Machines {
  private readonly scenes = new Map<string, Scene>();
  private readonly dead: Promise<void>[] = [];
  private isClosing = false;
  private recovering = Promise.resolve();

  private constructor(
    private readonly database: Database,
    private readonly processes: MortalProcess[],
    readonly janitor: MortalProcess,
  ) {}

  static async start(database: Database, count: number): Promise<Machines> {
    const all = await Promise.all(Array.from({ length: count + 1 }, () => MortalProcess.start(database)));
    const [janitor, ...processes] = all;
    if (!janitor) throw new Error('Start at least one process.');
    const machines = new Machines(database, processes, janitor);
    machines.recovering = machines.recover();
    return machines;
  }

  enter(sessionId: string, scene: Scene): void {
    this.scenes.set(sessionId, scene);
    for (const one of [...this.processes, this.janitor]) one.enter(sessionId, scene);
  }

  /** A process that lives. @param random from 0 to 1 */
  async pick(random: number): Promise<MortalProcess> {
    const index = Math.floor(random * this.processes.length);
    const one = this.processes[index];
    if (one && !one.sessions.isDead) return one;
    if (one) this.dead.push(one.runner.close());
    const fresh = await MortalProcess.start(this.database);
    for (const [sessionId, scene] of this.scenes) fresh.enter(sessionId, scene);
    this.processes[index] = fresh;
    return fresh;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.recovering;
    await Promise.all([
      ...this.dead,
      ...[...this.processes, this.janitor].map(({ runner }) => runner.close()),
    ]);
  }

  private async recover(): Promise<void> {
    while (!this.isClosing) {
      for (const one of this.processes) if (one.sessions.isDead) this.dead.push(one.runner.close());
      await this.janitor.runner.recover({ olderThan: 3_000 });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Decides by what it reads last: the number in a message says what it calls, and how often. */
class Deciding extends Model {
  readonly name = 'deciding';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const parts = contents.at(-1)?.parts ?? [];
    const kind = Number(/\d+/.exec(parts.map(({ text = '' }) => text).join(' '))?.[0] ?? 0) % 4;
    const step = callsTool('step').content?.parts ?? [];
    await Promise.resolve();
    if (kind === 0) yield says('Done.');
    else if (kind === 3) yield callsTool('pay');
    else
      yield {
        content: {
          role: 'model',
          parts: kind === 1 ? step : [...step, ...(callsTool('step').content?.parts ?? [])],
        },
      };
  }
}

class MortalSessions extends SqlSessionService {
  /** How many writes are left. */
  left = Infinity;
  /** What happens next. */
  stroke: Stroke | undefined;

  get isDead(): boolean {
    return this.left < 0;
  }

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
    this.spendOne();
    return this.struck('appendEvent', () => super.appendEvent(...args));
  }

  override async appendEvents(...args: Parameters<SessionService['appendEvents']>): Promise<Session> {
    this.spendOne();
    return this.struck('appendEvent', () => super.appendEvents(...args));
  }

  override async openRun(...args: Parameters<SessionService['openRun']>): Promise<RunRecord> {
    this.spendOne();
    return this.struck('openRun', () => super.openRun(...args));
  }

  override async postMail(...args: Parameters<SessionService['postMail']>): Promise<void> {
    this.refuseDead();
    return this.struck('postMail', () => super.postMail(...args));
  }

  override async deleteMail(...args: Parameters<SessionService['deleteMail']>): Promise<boolean> {
    this.spendOne();
    return this.struck('deleteMail', () => super.deleteMail(...args));
  }

  override async getSession(...args: Parameters<SessionService['getSession']>): Promise<Session | undefined> {
    return this.struck('getSession', () => super.getSession(...args));
  }

  override async listMail(...args: Parameters<SessionService['listMail']>): Promise<readonly Mail[]> {
    return this.struck('listMail', () => super.listMail(...args));
  }

  override async renewRuns(
    ...args: Parameters<SessionService['renewRuns']>
  ): ReturnType<SessionService['renewRuns']> {
    this.refuseDead();
    return super.renewRuns(...args);
  }

  override async requestCancel(...args: Parameters<SessionService['requestCancel']>): Promise<boolean> {
    this.refuseDead();
    return super.requestCancel(...args);
  }

  override async refuseMail(...args: Parameters<SessionService['refuseMail']>): Promise<void> {
    this.refuseDead();
    return super.refuseMail(...args);
  }

  override async closeRun(...args: Parameters<SessionService['closeRun']>): Promise<void> {
    this.refuseDead();
    return super.closeRun(...args);
  }

  override async releaseRun(...args: Parameters<SessionService['releaseRun']>): Promise<void> {
    this.refuseDead();
    return super.releaseRun(...args);
  }

  private async struck<Result>(write: Stroke['write'], call: () => Promise<Result>): Promise<Result> {
    const outcome = this.stroke?.write === write ? this.stroke.outcome : undefined;
    if (outcome !== undefined) this.stroke = undefined;
    if (outcome === 'fails') throw new Error('The store has failed once.');
    if (outcome === 'dies before') this.left = -1;
    if (outcome === 'dies before') this.refuseDead();
    const result = await call();
    if (outcome === 'dies after') this.left = -1;
    if (outcome === 'dies after') this.refuseDead();
    return result;
  }

  private spendOne(): void {
    this.left--;
    this.refuseDead();
  }

  private refuseDead(): void {
    if (this.isDead) throw new Error('The process is dead.');
  }
}

class Silent extends Logger {
  debug = ignored;
  info = ignored;
  warn = ignored;
  error = ignored;
}

function ignored(): void {
  // A process that dies says so, and a run that is cancelled ends.
}

/** What a conversation has promised and does not keep; empty if all is well. */
export function faultsOf(
  events: readonly Event[],
  { sent, effects, paid, approved, cancelled }: Scene,
): string[] {
  const texts = events.filter(({ author }) => author === 'user').map(({ text }) => text);
  const faults: string[] = [];
  for (const { id, text } of sent) {
    const times = texts.filter((one) => one === text).length;
    if (times > 1 || (times === 0 && !cancelled.has(id)))
      faults.push(`"${text}" was read ${String(times)} times`);
  }
  const read = sent.filter(({ text }) => texts.includes(text));
  for (const [index, later] of read.entries())
    for (const earlier of read.slice(0, index))
      if (goesBefore(earlier, later) && texts.indexOf(later.text) < texts.indexOf(earlier.text))
        faults.push(`"${later.text}" (${later.when}) was read before "${earlier.text}" (${earlier.when})`);
  for (const [id, times] of effects) if (times > 1) faults.push(`${id} took effect ${String(times)} times`);
  if (paid > approved) faults.push(`paid ${String(paid)} times, and approved ${String(approved)} times`);
  return [...faults, ...insideBatches(events)];
}

/** True if a message that was sent earlier is read before the later one. */
function goesBefore(earlier: Sent, later: Sent): boolean {
  return (
    earlier.when === 'instead' || later.when === 'next' || (earlier.when === 'now' && later.when === 'now')
  );
}

/** Messages that were read between the calls of an answer and their responses, by the run that made the calls. */
function insideBatches(events: readonly Event[]): string[] {
  return events.flatMap((event, index) => {
    const open = new Set(event.functionCalls.filter(({ name }) => name === 'step').map(({ id }) => id));
    if (open.size === 0) return [];
    for (const later of events.slice(index + 1)) {
      if (later.invocationId !== event.invocationId) return [];
      for (const { id } of later.functionResponses) open.delete(id);
      if (open.size === 0) return [];
      if (later.author === 'user') return [`"${later.text}" was read inside a batch of calls`];
    }
    return [];
  });
}
