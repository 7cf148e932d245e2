import { shareClass } from '../metadata/shared-class.js';
import type { Clock } from '../runtime/clock.js';
import type { Logger } from '../runtime/logger.js';
import { type AuthConfig, OPEN_CONSENT } from './auth-config.js';
import type { AuthCredential } from './auth-credential.js';
import type { CredentialScope, CredentialService } from './credential.service.js';
import type { ConsentAnswer, ShownConsent } from './requested-auth-config.js';

/** The context of an exchanger or refresher. */
export interface ExchangeContext {
  /** The clock of the runner: expiry is measured by it. */
  readonly clock: Clock;
  /** The logger of the runner. Never log a secret. */
  readonly logger: Logger;
  /** Aborted after 30 seconds. The result is ignored from then on. */
  readonly signal: AbortSignal;
}

/** A consent that was started and has no answer yet. */
export interface Consent {
  /** Shown to the user and stored in an event. `state` names the consent, and is new for each. */
  readonly shown: ShownConsent & { readonly state: string };
  /** Secrets of the application, such as the code verifier of PKCE. Stored with the user's credentials. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Obtains the credentials of tools, such as from an authorization server. Several may be bound; of those that handle
 * a config, the one bound last is used: `bind(CredentialExchanger).to(VaultExchanger)`.
 */
export abstract class CredentialExchanger {
  static {
    shareClass(this, 'CredentialExchanger');
  }

  /** True if this exchanger obtains the credentials of tools with this config. */
  abstract handles(config: AuthConfig): boolean;

  /** Called for each tool when the runner is created; throws if the config cannot work. */
  check?(config: AuthConfig): void;

  /**
   * Obtains a credential without asking the user; undefined if the user has to consent. The credential is stored
   * before it is used.
   *
   * @throws {CredentialExchangeError} with a message for the model; the messages of other errors are only logged
   */
  abstract exchange(config: AuthConfig, context: ExchangeContext): Promise<AuthCredential | undefined>;

  /** Starts a consent. Called if `exchange` returned undefined, before the user is asked. */
  beginConsent?(config: AuthConfig, context: ExchangeContext): Promise<Consent>;

  /**
   * Completes a consent with its answer; called at most once per consent. Returns undefined if the user has not
   * consented yet and has to be asked again with the same `shown`.
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
 * Renews credentials that have expired. Several may be bound; of those that handle a credential, the one bound last
 * is used: `bind(CredentialRefresher).to(VaultRefresher)`.
 */
export abstract class CredentialRefresher {
  static {
    shareClass(this, 'CredentialRefresher');
  }

  /** True if it can renew the credential of that configuration. */
  abstract handles(config: AuthConfig, credential: AuthCredential): boolean;

  /**
   * Renews a credential; undefined if it cannot be renewed and has to be obtained anew. The result is stored before
   * it is used. Within a process there is one call at a time for each user and key.
   *
   * @throws if the outcome is unknown, such as when the server cannot be reached: the call fails, and the stored
   * credential stays
   */
  abstract refresh(
    config: AuthConfig,
    credential: AuthCredential,
    context: ExchangeContext,
  ): Promise<AuthCredential | undefined>;
}

/** Consents that were started and have no answer yet, stored with the credentials of their user. */
export class OpenConsents {
  constructor(private readonly credentials: CredentialService) {}

  /** The consent that an answer belongs to; undefined if it is not stored or cannot be read. */
  async find(user: CredentialScope, { state }: ConsentAnswer): Promise<Consent | undefined> {
    const stored = await this.credentials.load(user, keyOf(state));
    if (stored?.type !== 'custom') return undefined;
    try {
      const { shown = '', secrets = '' } = stored.values;
      return {
        shown: JSON.parse(shown) as Consent['shown'],
        secrets: JSON.parse(secrets) as Consent['secrets'],
      };
    } catch {
      // The error would quote what is stored.
      return undefined;
    }
  }

  keep(user: CredentialScope, { shown, secrets }: Consent): Promise<void> {
    const values = { shown: JSON.stringify(shown), secrets: JSON.stringify(secrets) };
    return this.credentials.save(user, keyOf(shown.state), { type: 'custom', values });
  }

  delete(user: CredentialScope, { state }: ConsentAnswer): Promise<void> {
    return this.credentials.delete(user, keyOf(state));
  }
}

function keyOf(state: string): string {
  return `${OPEN_CONSENT}${state}`;
}
