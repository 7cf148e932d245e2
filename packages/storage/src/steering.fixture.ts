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
import type { ReadTime, RunRecord } from '@adorn/core/backend';

import type { Database } from './database/database.js';
import { SqlSessionService } from './sessions/sql-session.service.js';

/** A message that was sent, in the order in which the store took it. */
export interface Sent {
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
    const { run } = await this.runner.send({ userId: 'ada', sessionId }, text, { when });
    scene.sent.push({ text, when });
    run?.catch(ignored);
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

  get isDead(): boolean {
    return this.left < 0;
  }

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
    this.spendOne();
    return super.appendEvent(...args);
  }

  override async appendEvents(...args: Parameters<SessionService['appendEvents']>): Promise<Session> {
    this.spendOne();
    return super.appendEvents(...args);
  }

  override async openRun(...args: Parameters<SessionService['openRun']>): Promise<RunRecord> {
    this.spendOne();
    return super.openRun(...args);
  }

  override async postMail(...args: Parameters<SessionService['postMail']>): Promise<void> {
    this.refuseDead();
    return super.postMail(...args);
  }

  override async deleteMail(...args: Parameters<SessionService['deleteMail']>): Promise<boolean> {
    this.spendOne();
    return super.deleteMail(...args);
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
export function faultsOf(events: readonly Event[], { sent, effects, paid, approved }: Scene): string[] {
  const texts = events.filter(({ author }) => author === 'user').map(({ text }) => text);
  const faults: string[] = [];
  for (const { text } of sent) {
    const times = texts.filter((one) => one === text).length;
    if (times !== 1) faults.push(`"${text}" was read ${String(times)} times`);
  }
  for (const time of ['now', 'next', 'instead'] as const) {
    const order = sent.filter(({ when }) => when === time).map(({ text }) => texts.indexOf(text));
    if (order.some((place, index) => index > 0 && place < (order[index - 1] ?? 0)))
      faults.push(`what was sent with "${time}" was read in another order: ${order.join(', ')}`);
  }
  for (const [id, times] of effects) if (times > 1) faults.push(`${id} took effect ${String(times)} times`);
  if (paid > approved) faults.push(`paid ${String(paid)} times, and approved ${String(approved)} times`);
  return [...faults, ...insideBatches(events)];
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
