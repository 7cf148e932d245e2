import type { ArtifactService } from '../artifacts/artifact.service.js';
import type { CredentialResolver } from '../auth/credential-resolver.js';
import type { CredentialService } from '../auth/credential.service.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import type { MemoryService } from '../memory/memory.service.js';
import { isPromiseLike } from '../runtime/awaitable.js';
import type { Clock } from '../runtime/clock.js';
import { type LogFacts, Logger } from '../runtime/logger.js';
import type { SessionService } from '../sessions/session.service.js';
import type { ConfirmationProvider } from './confirmation-provider.js';

/** The backends of a runner, resolved once. */
export interface InvocationServices {
  readonly sessions: SessionService;
  readonly artifacts: ArtifactService;
  readonly memory: MemoryService;
  readonly credentials: CredentialService;
  /** Absent if none is bound: calls that must be confirmed then pause the run. */
  readonly confirmations?: ConfirmationProvider | undefined;
  /** Finds, refreshes and requests the credentials of tools. */
  readonly auth: CredentialResolver;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves what a tool asks for by `context.get(Token)`. */
  readonly resolve: ServiceResolver;
}

/** What a service is bound under: its class, abstract or not, or a name. */
export type ServiceToken<Service> = (abstract new (...args: never[]) => Service) | symbol | string;

type ServiceResolver = <Service>(token: ServiceToken<Service>) => Service;

/** The run that a summary is made in, and the agent that waits for it. */
export interface RunInProgress {
  readonly invocationId: string;
  /** The path of the agent. */
  readonly path: string;
}

/** Summarises the conversation of a run that goes on, so that a long run does not outgrow its model. */
export interface RunCompactor {
  /** Whether the conversation has grown beyond the threshold. Asked before each further model call of a run. */
  isDueWithinRun(session: Session): boolean;
  /**
   * The compaction event to append; undefined if there is nothing to cover.
   *
   * @throws what the summarizer throws, and if it takes too long
   */
  summaryWithinRun(session: Session, run: RunInProgress, signal: AbortSignal): Promise<Event | undefined>;
}

/** The logger of an application as Adorn uses it: nothing that it throws or rejects with reaches a run. */
export class GuardedLogger extends Logger {
  constructor(private readonly logger: Logger) {
    super();
  }

  debug(message: string, facts?: LogFacts): void {
    this.write('debug', message, facts);
  }

  info(message: string, facts?: LogFacts): void {
    this.write('info', message, facts);
  }

  warn(message: string, facts?: LogFacts): void {
    this.write('warn', message, facts);
  }

  error(message: string, facts?: LogFacts): void {
    this.write('error', message, facts);
  }

  /** Facts that cannot be logged are logged as text; what cannot be logged even so is dropped. */
  private write(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): void {
    if (!this.tryToWrite(level, message, facts) && facts !== undefined)
      this.tryToWrite(level, message, asTexts(facts));
  }

  private tryToWrite(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): boolean {
    try {
      const write = this.logger[level].bind(this.logger) as (...line: unknown[]) => unknown;
      const written = facts === undefined ? write(message) : write(message, facts);
      if (isPromiseLike(written)) Promise.resolve(written).catch(() => undefined);
      return true;
    } catch {
      return false;
    }
  }
}

function asTexts(facts: LogFacts): LogFacts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, asText(value)]));
}

function asText(value: unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  const { name, message } = describeThrown(value);
  return `${name}: ${message}`;
}
