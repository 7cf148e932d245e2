import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';

import type { Event, Runner } from '@adorn/core';
import type { SentMessage } from '@adorn/core/backend';

import { counted } from '../terminal/counted.js';
import type { ChatInput } from './chat-input.js';
import { shownCalls } from './render-event.js';
import type { Screen } from './screen.js';

interface ChatSessionOptions {
  readonly userId: string;
  /** Default: a new one. */
  readonly sessionId?: string | undefined;
  readonly onEvent?: ((event: Event) => void) | undefined;
}

/** The state of a running chat: its runner, terminal, session and usage. */
export class ChatSession {
  readonly times = new CallTimes();
  usage = new UsageTally();
  /** Number of events with an error code other than CANCELLED. */
  faults = 0;
  readonly userId: string;
  /** Called with each stored event of a turn. */
  readonly onEvent: ((event: Event) => void) | undefined;
  sessionId: string;
  /** The messages that were sent while a run went on, whose own runs were not shown yet. */
  readonly sent: Promise<SentMessage<unknown> | undefined>[] = [];

  constructor(
    readonly runner: Runner<unknown>,
    readonly input: ChatInput,
    readonly screen: Screen,
    { userId, sessionId = newSessionId(), onEvent }: ChatSessionOptions,
  ) {
    this.userId = userId;
    this.sessionId = sessionId;
    this.onEvent = onEvent;
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
class CallTimes {
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

/** The user's latest conversation; undefined if there is none. */
export async function latestSession(runner: Runner<unknown>, userId = 'user'): Promise<string | undefined> {
  const [latest] = await runner.sessions.listSessions({ appName: runner.appName, userId }, { limit: 1 });
  return latest?.id;
}

/** Adds up what a conversation has used. */
class UsageTally {
  private modelCalls = 0;
  private toolCalls = 0;
  private prompt = 0;
  private answer = 0;
  private total = 0;

  add(event: Event): void {
    if (event.partial) return;
    this.toolCalls += shownCalls(event).length;
    const usage = event.usageMetadata;
    if (!usage) return;
    this.modelCalls += 1;
    this.prompt += usage.promptTokenCount ?? 0;
    this.answer += (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
    this.total += usage.totalTokenCount ?? 0;
  }

  toString(): string {
    return (
      `${counted(this.modelCalls, 'model call')}, ${counted(this.toolCalls, 'tool call')}, ` +
      `${counted(this.total, 'token')} (${String(this.prompt)} in, ${String(this.answer)} out)`
    );
  }
}
