import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { Runner } from '@adorn/core';

import type { ChatInput } from './chat-input.js';
import type { Screen } from './screen.js';
import { UsageTally } from './usage-tally.js';

/** The state of a running chat: its runner, terminal, session and usage. */
export class ChatSession {
  readonly times = new CallTimes();
  usage = new UsageTally();
  /** Number of events with an error code other than CANCELLED. */
  faults = 0;
  sessionId: string;

  constructor(
    readonly runner: Runner<unknown>,
    readonly input: ChatInput,
    readonly screen: Screen,
    readonly userId: string,
    sessionId: string | undefined,
  ) {
    this.sessionId = sessionId ?? newSessionId();
  }

  /** Starts a new, empty session. */
  startAnew(): void {
    this.sessionId = newSessionId();
    this.usage = new UsageTally();
  }

  /** Reads the state of the session. */
  async readState(): Promise<Readonly<Record<string, unknown>>> {
    const { runner, userId, sessionId } = this;
    const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
    return session?.state ?? {};
  }
}

function newSessionId(): string {
  return `chat-${randomUUID()}`;
}

/** Measures how long calls take, without the time that a person takes to confirm. */
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
