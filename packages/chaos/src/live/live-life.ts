import {
  ContainerModule,
  createRunner,
  type InMemorySessionService,
  Logger,
  type Runner,
  SessionService,
} from '@adorn/core';
import type { LiveSession } from '@adorn/core/backend';
import { liveSessions } from '@adorn/live';
import { ScriptedLive, ScriptedModel } from '@adorn/testing';

import { deskOf, type Watcher } from './live-desk.js';

export const ADDRESS = { userId: 'ada', sessionId: 'call' };
export const APP = 'chaos';

/** One process of a conversation: a runner with an open live session. */
export class Life {
  private constructor(
    readonly runner: Runner,
    readonly model: ScriptedLive,
    readonly live: LiveSession,
    private readonly fate: { isDead: boolean },
  ) {}

  static async begin(sessions: InMemorySessionService, watcher: Watcher): Promise<Life> {
    const fate = { isDead: false };
    const modules = [
      new ContainerModule(({ bind }) => {
        bind(SessionService).toConstantValue(mortal(sessions, fate));
        bind(Logger).toConstantValue(new Silent());
      }),
      liveSessions,
    ];
    const runner = await createRunner(deskOf(watcher), {
      appName: APP,
      model: new ScriptedModel(),
      modules,
      config: { maxTransfers: 1_000, maxLlmCalls: 10_000, maxInvalidCalls: 10_000, takeOverAfter: 0 },
    });
    const model = new ScriptedLive();
    const live = runner.live({ ...ADDRESS, model });
    live.ended.catch(() => undefined);
    return new Life(runner, model, live, fate);
  }

  get isDead(): boolean {
    return this.fate.isDead;
  }

  /** From now on nothing of it reaches the store, as after the loss of power. */
  die(): void {
    this.fate.isDead = true;
    this.live.cancel();
  }
}

/** The store as a process sees it that may die. */
function mortal(
  sessions: InMemorySessionService,
  fate: { readonly isDead: boolean },
): InMemorySessionService {
  return new Proxy(sessions, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (fate.isDead) throw new Error('The process is dead.');
        return Reflect.apply(value, target, args);
      };
    },
  });
}

class Silent extends Logger {
  debug(): void {
    // What fails here is meant to.
  }
  info(): void {
    // What fails here is meant to.
  }
  warn(): void {
    // What fails here is meant to.
  }
  error(): void {
    // What fails here is meant to.
  }
}
