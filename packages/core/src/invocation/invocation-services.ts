import type { ArtifactService } from '../artifacts/artifact.service.js';
import type { CredentialResolver } from '../auth/credential-resolver.js';
import type { CredentialService } from '../auth/credential.service.js';
import type { Event } from '../events/event.js';
import type { Session } from '../events/session.js';
import type { MemoryService } from '../memory/memory.service.js';
import type { Clock } from '../runtime/clock.js';
import type { Logger } from '../runtime/logger.js';
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
