import type { Clock } from '../runtime/clock.js';
import type { Logger } from '../runtime/logger.js';
import type { AuthConfig } from './auth-config.js';
import type { AuthCredential } from './auth-credential.js';
import type { ConsentAnswer, ShownConsent } from './requested-auth-config.js';

/** What an exchanger or refresher works with. */
export interface ExchangeContext {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted after 30 seconds, when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** A consent that was begun. */
export interface Consent {
  /** Shown to the user and stored in an event. `state` names the consent, and is new for each. */
  readonly shown: ShownConsent & { readonly state: string };
  /** What only the application may know, such as the code verifier of PKCE; stored with the user's credentials. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Obtains the credentials of tools from elsewhere, such as an authorization server. Bind as many as there are kinds;
 * of those that handle a config, the one bound last is used:
 * `bind(CredentialExchanger).to(VaultExchanger)`.
 */
export abstract class CredentialExchanger {
  /** True if this exchanger obtains the credentials of tools with this config. */
  abstract handles(config: AuthConfig): boolean;

  /** Called for each tool when the runner is created; throws if the config cannot work. */
  check?(config: AuthConfig): void;

  /**
   * Obtains a credential without asking anybody; undefined if the user has to consent. It is stored before it is used.
   *
   * @throws {CredentialExchangeError} with a message for the model; the messages of other errors are only logged
   */
  abstract exchange(config: AuthConfig, context: ExchangeContext): Promise<AuthCredential | undefined>;

  /** Begins a consent: called where `exchange` gave nothing and the user is about to be asked. */
  beginConsent?(config: AuthConfig, context: ExchangeContext): Promise<Consent>;

  /**
   * Ends a consent with what came back, at most once for each; undefined if the user has not consented yet, and is to
   * be asked again with the same `shown`.
   *
   * @throws {CredentialExchangeError}
   */
  endConsent?(
    config: AuthConfig,
    consent: Consent,
    answer: ConsentAnswer,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined>;
}

/**
 * Renews credentials that have expired. Bind as many as there are kinds; of those that handle a credential, the one
 * bound last is used: `bind(CredentialRefresher).to(VaultRefresher)`.
 */
export abstract class CredentialRefresher {
  abstract handles(config: AuthConfig, credential: AuthCredential): boolean;

  /**
   * Renews a credential; undefined if it cannot be renewed any more and has to be obtained anew. What is returned is
   * stored before it is used. Called once at a time for each user and key of a process.
   *
   * @throws if the answer is not known, such as when the server cannot be reached: the call fails, and what is stored
   * stays
   */
  abstract refresh(
    config: AuthConfig,
    credential: AuthCredential,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined>;
}
