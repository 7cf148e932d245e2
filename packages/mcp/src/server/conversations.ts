import { randomUUID } from 'node:crypto';

import type { Logger, Runner } from '@adorn/core';

/** The conversation of one client. */
export interface ClientAddress {
  readonly userId: string;
  readonly sessionId: string;
}

/** What a conversation belongs to: the session of a client, or a call of a client that has no session. */
type Owner = 'session' | 'call';

const PREFIX: Readonly<Record<Owner, string>> = { session: 'mcp-', call: 'mcp-call-' };
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const STATUSES = ['open', 'paused', 'ended'] as const;
const SWEEP_MS = 3_600_000;
/** How long the conversation of a session is kept whose process has died. */
const SESSION_KEPT_MS = 604_800_000;
/** How long a conversation is kept after its call can no longer be answered. */
const CALL_KEPT_MS = 3_600_000;

/** The options of `Conversations`. */
export interface ConversationsOptions {
  readonly runner: Runner<unknown>;
  readonly logger: Logger;
  /** How long the user of a client has for an answer, in milliseconds. */
  readonly answerMs: number;
}

/**
 * The conversations of clients in the store of the runner. Each is deleted once nobody can come back to it. When
 * it is created, and every hour, those are looked for whose processes have died.
 */
export class Conversations {
  /** Those that clients of this process have. */
  private readonly live = new Set<string>();
  private readonly deletions = new Set<Promise<void>>();
  private readonly sweeper: NodeJS.Timeout;
  private sweeping: Promise<void>;

  constructor(private readonly options: ConversationsOptions) {
    this.sweeping = this.sweep();
    this.sweeper = setInterval(() => {
      this.sweeping = this.sweep();
    }, SWEEP_MS).unref();
  }

  begin(userId: string, owner: Owner): ClientAddress {
    const sessionId = PREFIX[owner] + randomUUID();
    this.live.add(sessionId);
    return { userId, sessionId };
  }

  /** Leaves a conversation to whoever continues it. */
  leave({ sessionId }: ClientAddress): void {
    this.live.delete(sessionId);
  }

  /** Deletes a conversation. */
  end({ userId, sessionId }: ClientAddress): void {
    const { runner, logger } = this.options;
    this.live.delete(sessionId);
    const deletion = runner.sessions
      .deleteSession({ appName: runner.appName, userId, sessionId })
      .catch((error: unknown) => {
        logger.warn('the conversation of an MCP client could not be deleted', { error });
      })
      .finally(() => this.deletions.delete(deletion));
    this.deletions.add(deletion);
  }

  /** A store that does not record runs keeps the conversations of processes that have died. */
  private async sweep(): Promise<void> {
    await this.sweepOf('session', SESSION_KEPT_MS);
    await this.sweepOf('call', this.options.answerMs + CALL_KEPT_MS);
  }

  private async sweepOf(owner: Owner, keptMs: number): Promise<void> {
    const { runner, logger } = this.options;
    const { appName } = runner;
    const own = new RegExp(`^${PREFIX[owner]}${UUID}$`);
    const touchedBefore = (Date.now() - keptMs) / 1_000;
    try {
      for (const status of STATUSES)
        for (const { userId, sessionId } of await runner.sessions.listRuns({
          appName,
          status,
          touchedBefore,
        }))
          if (own.test(sessionId) && !this.live.has(sessionId)) this.end({ userId, sessionId });
    } catch (error) {
      logger.debug('old conversations of MCP clients were not looked for', { error });
    }
  }

  /** Resolves once all deletions are over. */
  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await this.sweeping;
    await Promise.all(this.deletions);
  }
}
