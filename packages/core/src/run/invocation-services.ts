import type { ArtifactService } from '../stores/artifacts/artifact.service.js';
import type { CredentialResolver } from '../auth/credential-resolver.js';
import type { CredentialService } from '../auth/credential.service.js';
import { describeThrown, LogRedaction, REDACTED, withoutCredentials } from '@adorn/schema';
import type { Event } from '../events/event.js';
import type { LiveNotice } from '../events/live-notice.js';
import type { Session } from '../events/session.js';
import type { EffectLedger } from '../stores/effects/effect-ledger.js';
import type { MemoryService } from '../stores/memory/memory.service.js';
import type { HistoryPlace, Viewer } from '../log/history/model-view.js';
import type { ContextSizes } from '../models/context-too-long.js';
import type { Model, ModelRequest } from '../models/model.js';
import type { SharedPlaces } from '../runtime/shared-places.js';
import type { Clock } from '../runtime/clock.js';
import { type LogFacts, Logger } from '../runtime/logger.js';
import type { SessionService } from '../stores/sessions/session.service.js';
import type { Observe } from './telemetry/observation.js';
import type { Cancellation } from './cancellation.js';
import type { ConfirmationProvider } from './confirmation-provider.js';
import type { StandIns } from './stand-ins.js';

/** The backends of a runner, resolved once. */
export interface InvocationServices {
  /** The store of sessions and their events. */
  readonly sessions: SessionService;
  /** The store of files. */
  readonly artifacts: ArtifactService;
  /** The store of memories across sessions. */
  readonly memory: MemoryService;
  /** The store of the users' credentials. */
  readonly credentials: CredentialService;
  /** Which effects have happened, for tools with `once`. */
  readonly effects: EffectLedger;
  /** Absent if none is bound: calls that must be confirmed then pause the run. */
  readonly confirmations?: ConfirmationProvider | undefined;
  /** Absent if none is bound: the runner counts the calls of tools with limits itself. */
  readonly places?: SharedPlaces | undefined;
  /** Finds, refreshes and requests the credentials of tools. */
  readonly auth: CredentialResolver;
  /** Time and timers. */
  readonly clock: Clock;
  /** The log for operators, not the log of a session. */
  readonly logger: Logger;
  /** Removes secrets from texts about failures. Default: only what has the form of a credential is removed. */
  readonly redaction?: LogRedaction | undefined;
  /** Absent if no plugin observes. */
  readonly observe?: Observe | undefined;
  /** Present in a dry run: models and tools are not called. */
  readonly dryRun?: DryRun | undefined;
  /** Present in an isolated runner with stubs or faults. */
  readonly standIns?: StandIns | undefined;
  /** The model with that name, for an agent that asks it besides its own. */
  readonly modelNamed: (agent: string, name: string) => Model;
  /** Resolves services for `context.get(Token)`. */
  readonly resolve: ServiceResolver;
}

/** The event, or what it is made of, with texts about failures without secrets. */
export function withSafeError<
  Body extends { readonly errorMessage?: string | undefined; readonly live?: LiveNotice | undefined },
>(body: Body, redaction: LogRedaction | undefined): Body {
  const { errorMessage, live } = body;
  if (live !== undefined) return { ...body, live: safeNotice(live, redaction) };
  if (typeof errorMessage !== 'string') return body;
  const safe = safeText(errorMessage, redaction);
  return safe === errorMessage ? body : { ...body, errorMessage: safe };
}

function safeNotice(notice: LiveNotice, redaction: LogRedaction | undefined): LiveNotice {
  switch (notice.kind) {
    case 'disconnected':
      return { ...notice, reason: safeText(notice.reason, redaction) };
    case 'inputFailed':
      return { ...notice, message: safeText(notice.message, redaction) };
    default:
      return notice;
  }
}

/** A text about a failure without secrets. */
export function safeText(text: string, redaction: LogRedaction | undefined): string {
  return redaction ? redaction.text(text) : withoutCredentials(text);
}

/** The identifier of a bound service: its class, abstract or not, or a name. */
export type ServiceToken<Service> = (abstract new (...args: never[]) => Service) | symbol | string;

/** Gets a service from the container by its token. Throws if the token is not bound. */
export type ServiceResolver = <Service>(token: ServiceToken<Service>) => Service;

/** Closed tools of an agent: those of a toolbox, or those that are searched. */
export interface ClosedToolsCount {
  /** The function that opens them. */
  readonly opener: string;
  /** How many there are, open or not. */
  readonly tools: number;
  /** How many of them the request declares. */
  readonly open: number;
}

/** What a request does not say itself. */
export interface BesideRequest {
  /** What fills the changing rest of the system instruction. */
  readonly changing: readonly string[];
  /** The closed tools of the agent. */
  readonly closed: readonly ClosedToolsCount[];
  /** The labels of the declared tools that have some, by the names of the tools. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

/** Gets the first model request or call of a dry run, in place of the model or tool. Its promises stay pending until the run is cancelled. */
export interface DryRun {
  request(
    agent: { readonly path: string; readonly model: Model },
    request: ModelRequest,
    beside: BesideRequest,
  ): Promise<never>;
  call(tool: string): Promise<never>;
}

/** The run during which a summary is made, and the agent that waits for it. */
export interface RunInProgress {
  /** The id of the run. */
  readonly invocationId: string;
  /** The path of the agent. */
  readonly path: string;
}

/** A request that is longer than its model takes, and the agent that makes it. */
export interface LongRequest {
  /** With all that was appended so far. */
  readonly session: Session;
  /** The agent, as a viewer of the conversation. */
  readonly viewer: Viewer;
  /** The part of the log that the agent sees. */
  readonly place: HistoryPlace;
  /** The model that is asked. */
  readonly model: Model;
  /** In bytes, as `sizeOfContent` counts them. */
  readonly size: number;
  /** The limit of the answer, if there is one. */
  readonly config: MeasuredRequest['config'];
  /** The run that waits. */
  readonly run: RunInProgress;
  /** Cancelled with the run. */
  readonly scope: Cancellation;
  /** True for a tool of the agent that only reads. */
  readonly onlyReads: (tool: string) => boolean;
}

/** Keeps the requests of a runner within the contexts of their models. */
export interface ContextKeeper {
  /** True if a request is larger than the model takes, as far as known, with room for the answer. */
  isTooLong(model: Model, request: MeasuredRequest): boolean;
  /** True if a request would surely be refused: the model has refused one, or its window was stated. */
  isHopeless(model: Model, request: MeasuredRequest): boolean;
  /** Notes the tokens that a provider counted for a request of that size. */
  noteTokens(model: Model, size: number, tokens: number): void;
  /** Notes that a model refused a request of that size. */
  noteRefusal(model: Model, size: number, refusal: ContextSizes): void;
  /**
   * The next events that shorten the conversation: what costs least comes first. Each is appended, and the request measured
   * again, before the next is asked for. It ends when nothing more can be left out.
   */
  shorten(measure: () => LongRequest): AsyncGenerator<Event, void, undefined>;
}

/** A request with its size in bytes, and the tokens that its answer may have, if that is limited. */
export interface MeasuredRequest {
  /** In bytes, as `sizeOfContent` counts them. */
  readonly size: number;
  /** The limit of the answer in tokens, if there is one. */
  readonly config: { readonly maxOutputTokens?: number };
}

/** Summarises the conversation during a run, so that a long run does not exceed the model's context. */
export interface RunCompactor {
  /** Absent if requests are sent however long they are. */
  readonly context?: ContextKeeper | undefined;
  /** True if the conversation exceeds the threshold. Called before each further model call of a run. */
  isDueWithinRun(session: Session): boolean;
  /**
   * The compaction event to append; undefined if there is nothing to cover.
   *
   * @param run `isAsked` if a summary is wanted though none is due
   * @throws errors of the summarizer, and an error if it takes too long
   */
  summaryWithinRun(
    session: Session,
    run: RunInProgress & { readonly isAsked?: boolean },
    scope: Cancellation,
  ): Promise<Event | undefined>;
}

/**
 * Wraps the logger of an application, so that its errors and rejections never reach a run, and no secret reaches the
 * logger: see `LogRedaction`.
 */
export class GuardedLogger extends Logger {
  constructor(
    private readonly logger: Logger,
    /** Removes secrets from each line. Default: what has the form of a credential. */
    readonly redaction: LogRedaction = new LogRedaction(),
  ) {
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

  /** Facts that cannot be logged are logged as text. If this fails too, the line is dropped. */
  private write(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): void {
    const text = this.redaction.text(message);
    const safe = facts && this.safeFacts(facts);
    if (!this.tryToWrite(level, text, safe) && safe) this.tryToWrite(level, text, asTexts(safe));
  }

  private safeFacts(facts: LogFacts): LogFacts {
    try {
      return this.redaction.facts(facts);
    } catch {
      return { facts: REDACTED };
    }
  }

  private tryToWrite(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: LogFacts): boolean {
    try {
      const write = this.logger[level].bind(this.logger) as (...line: unknown[]) => unknown;
      const written = facts ? write(message, facts) : write(message);
      // A logger may be asynchronous.
      Promise.resolve(written).catch(() => undefined);
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
