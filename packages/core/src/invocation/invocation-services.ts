import type { ArtifactService } from '../artifacts/artifact.service.js';
import type { CredentialResolver } from '../auth/credential-resolver.js';
import type { CredentialService } from '../auth/credential.service.js';
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

export type ServiceResolver = <Service>(token: ServiceToken<Service>) => Service;
