import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { Runner } from '@adorn/core';

import type { ChatInput } from './chat-input.js';
import type { Screen } from './screen.js';
import { UsageTally } from './usage-tally.js';

/** A conversation that is being held: with whom, about what, and what it has cost so far. */
export class Talk {
  readonly times = new CallTimes();
  usage = new UsageTally();
  /** Events that told of a fault, other than that the user cancelled. */
  faults = 0;
  sessionId: string;

  constructor(
    readonly runner: Runner,
    readonly input: ChatInput,
    readonly screen: Screen,
    readonly userId: string,
    sessionId: string | undefined,
  ) {
    this.sessionId = sessionId ?? newSessionId();
  }

  /** Leaves this conversation and begins an empty one. */
  startAnew(): void {
    this.sessionId = newSessionId();
    this.usage = new UsageTally();
  }

  /** What the conversation remembers. */
  async readState(): Promise<Readonly<Record<string, unknown>>> {
    const { runner, userId, sessionId } = this;
    const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
    return session?.state ?? {};
  }
}

function newSessionId(): string {
  return `chat-${randomUUID()}`;
}

/** How long calls take, as seen from here: a person's time to say yes is not counted. */
export class CallTimes {
  private readonly starts = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(callId: string): void {
    this.starts.set(callId, this.now());
  }

  readonly tookOf = (callId: string): number | undefined => {
    const start = this.starts.get(callId);
    return start === undefined ? undefined : this.now() - start;
  };
}
