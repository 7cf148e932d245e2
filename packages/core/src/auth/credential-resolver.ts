import { inspect } from 'node:util';

import { describeThrown, composedKey, type LogRedaction, redact } from '@adorn/schema';
import type { Clock } from '../runtime/clock.js';
import type { Logger } from '../runtime/logger.js';
import { type AuthConfig, authFaultOf, credentialKeyOf, needsExchange } from './auth-config.js';
import { type AuthCredential, isCredentialFor, isExpired, secretsOf } from './auth-credential.js';
import {
  type CredentialExchanger,
  type CredentialRefresher,
  type ExchangeContext,
  OpenConsents,
} from './credential-exchanger.js';
import type { CredentialScope, CredentialService } from './credential.service.js';
import {
  AuthConfigInvalidError,
  CredentialExchangeError,
  CredentialExchangerMissingError,
} from './errors.js';
import {
  type ConsentAnswer,
  type CredentialAnswer,
  type RequestedAuthConfig,
  requestedAuthConfig,
} from './requested-auth-config.js';

/** The dependencies of a `CredentialResolver`. */
export interface CredentialResolverFields {
  /** The store of the users' credentials. */
  readonly credentials: CredentialService;
  /** Decides whether a credential has expired. */
  readonly clock: Clock;
  /** Gets a warning if a credential could not be refreshed. */
  readonly logger: Logger;
  /** Gets the secrets of all credentials, so that no log line has them. */
  readonly redaction?: LogRedaction;
  /** All bound exchangers, in the order of their bindings. Default: none. */
  readonly exchangers?: readonly CredentialExchanger[];
  /** All bound refreshers, in the order of their bindings. Default: none. */
  readonly refreshers?: readonly CredentialRefresher[];
}

/** A credential that a call may use. */
export interface FoundCredential {
  /** The credential to use, which contains secrets. */
  readonly credential: AuthCredential;
  /** True if it was stored before this call: if its service refuses it, it can be deleted and obtained anew. */
  readonly isStored: boolean;
}

/** The time limit of an exchange, in milliseconds. */
const EXCHANGE_MS = 30_000;

/**
 * Finds the credential of a tool, in this order: the application's own, the one just supplied, the stored one
 * (refreshed if it has expired), one obtained by an exchanger. If there is none, the user has to be asked.
 */
export class CredentialResolver {
  /** Running exchanges by user and key: concurrent calls that need the same credential share one. */
  private readonly obtaining = new Map<string, Promise<FoundCredential | undefined>>();
  private readonly requesting = new Map<string, Promise<RequestedAuthConfig>>();

  private readonly consents: OpenConsents;

  constructor(private readonly fields: CredentialResolverFields) {
    this.consents = new OpenConsents(fields.credentials);
  }

  /**
   * Refuses a config whose credential can never be obtained.
   *
   * @param owner the tool or toolset, such as `the tool "calendar"`
   * @throws {AuthConfigInvalidError | CredentialExchangerMissingError}
   */
  check(owner: string, config: AuthConfig): void {
    refuseFaulty(config);
    this.fields.redaction?.conceal(secretsOf(config.credential));
    const exchanger = this.exchangerOf(config);
    if (exchanger === undefined && needsExchange(config))
      throw new CredentialExchangerMissingError(owner, config);
    exchanger?.check?.(config);
  }

  /**
   * Finds the credential of a user for a config; undefined if the user has to be asked.
   *
   * @param answer the user's answer to the request of this call
   * @throws {CredentialExchangeError}
   */
  async find(
    user: CredentialScope,
    config: AuthConfig,
    answer?: CredentialAnswer,
  ): Promise<FoundCredential | undefined> {
    refuseFaulty(config);
    const found = await this.findFor(user, config, answer);
    this.fields.redaction?.conceal([...secretsOf(config.credential), ...secretsOf(found?.credential)]);
    return found;
  }

  private async findFor(
    user: CredentialScope,
    config: AuthConfig,
    answer: CredentialAnswer | undefined,
  ): Promise<FoundCredential | undefined> {
    const { scheme, credential: own } = config;
    if (isCredentialFor(scheme, own) && !this.isExpired(own)) return { credential: own, isStored: false };
    const key = credentialKeyOf(config);
    const mine = answer?.key === key ? answer : undefined;
    if (mine?.kind === 'credential' && isCredentialFor(scheme, mine.credential))
      return { credential: mine.credential, isStored: false };
    const consent = mine?.kind === 'consent' ? mine.consent : undefined;
    if (consent === undefined) {
      const stored = await this.fields.credentials.load(user, key);
      const isStored = isCredentialFor(scheme, stored);
      if (isStored && !this.isExpired(stored)) return { credential: stored, isStored: true };
      if (!isStored && this.exchangerOf(config) === undefined) return undefined;
    }
    return this.obtainOnce({ user, key, config, consent });
  }

  /**
   * Makes the request that is shown to the user. Starts a consent if the scheme needs one.
   *
   * @param answer the previous answer: a consent that is still open is asked for again
   * @throws {CredentialExchangerMissingError | CredentialExchangeError}
   */
  async request(
    user: CredentialScope,
    config: AuthConfig,
    answer?: CredentialAnswer,
  ): Promise<RequestedAuthConfig> {
    refuseFaulty(config);
    const id = idOf(user, credentialKeyOf(config));
    return shared(this.requesting, id, () => within(this.context(), this.beginRequest(user, config, answer)));
  }

  /** Deletes the stored credential of a config, because its service has refused it. */
  forget(user: CredentialScope, config: AuthConfig): Promise<void> {
    return this.fields.credentials.delete(user, credentialKeyOf(config));
  }

  /** A running exchange that started without the consent may find nothing; then another one starts with it. */
  private async obtainOnce(wanted: Wanted): Promise<FoundCredential | undefined> {
    const id = idOf(wanted.user, wanted.key);
    for (let running = this.obtaining.get(id); running !== undefined; running = this.obtaining.get(id)) {
      const found = await running;
      if (found !== undefined || wanted.consent === undefined) return found;
    }
    return shared(this.obtaining, id, () => within(this.context(), this.obtain(wanted)));
  }

  private async obtain(wanted: Wanted): Promise<FoundCredential | undefined> {
    const { config, consent } = wanted;
    const consented = consent && (await this.endConsent(wanted, consent));
    if (consented !== undefined) return this.keep(wanted, consented);
    const stored = await this.loadUsable(wanted);
    if (stored !== undefined) return stored;
    const context = this.context();
    const obtained = await withoutLeaks(secretsOf(config.credential), () =>
      within(context, this.exchangerOf(config)?.exchange(config, context)),
    );
    return obtained && this.keep(wanted, usable(config, obtained));
  }

  /** The stored credential, which another call or process may have stored meanwhile; refreshed if it has expired. */
  private async loadUsable(wanted: Wanted): Promise<FoundCredential | undefined> {
    const { user, key, config } = wanted;
    const stored = await this.fields.credentials.load(user, key);
    if (!isCredentialFor(config.scheme, stored)) return undefined;
    return this.isExpired(stored) ? this.refresh(wanted, stored) : { credential: stored, isStored: true };
  }

  private async refresh(wanted: Wanted, expired: AuthCredential): Promise<FoundCredential | undefined> {
    const { user, key, config } = wanted;
    const refresher = this.fields.refreshers?.findLast((one) => one.handles(config, expired));
    if (refresher === undefined) return undefined;
    const context = this.context();
    try {
      const secrets = [...secretsOf(config.credential), ...secretsOf(expired)];
      const refreshed = await withoutLeaks(secrets, () =>
        within(context, refresher.refresh(config, expired, context)),
      );
      if (refreshed !== undefined) return await this.keep(wanted, usable(config, refreshed));
    } catch (error) {
      const other = await this.storedByOther(wanted);
      if (other !== undefined) return other;
      if (isExpired(expired, this.fields.clock.now(), 0)) throw error;
      const { name, message } = describeThrown(error);
      const said = `${name}: ${message}`;
      this.fields.logger.warn('a credential could not be refreshed, and is used while it lasts', {
        error: said,
      });
      return { credential: expired, isStored: true };
    }
    const other = await this.storedByOther(wanted);
    if (other === undefined) await this.fields.credentials.delete(user, key);
    return other;
  }

  /** Another process may have used the refresh token first and stored its result. */
  private async storedByOther({ user, key, config }: Wanted): Promise<FoundCredential | undefined> {
    const stored = await this.fields.credentials.load(user, key);
    if (!isCredentialFor(config.scheme, stored) || this.isExpired(stored)) return undefined;
    return { credential: stored, isStored: true };
  }

  /** Stores the credential before it is used, because the previous refresh token may be invalid now. */
  private async keep({ user, key }: Wanted, credential: AuthCredential): Promise<FoundCredential> {
    await this.fields.credentials.save(user, key, credential);
    return { credential, isStored: false };
  }

  private async beginRequest(
    user: CredentialScope,
    config: AuthConfig,
    answer: CredentialAnswer | undefined,
  ): Promise<RequestedAuthConfig> {
    this.check('the tool', config);
    const exchanger = this.exchangerOf(config);
    if (exchanger?.beginConsent === undefined) {
      if (needsExchange(config)) throw new CredentialExchangeError(NOTHING_TO_ASK);
      return requestedAuthConfig(config);
    }
    const open = answer?.kind === 'consent' ? await this.consents.find(user, answer.consent) : undefined;
    if (open !== undefined) return requestedAuthConfig(config, open.shown);
    const context = this.context();
    const begun = await withoutLeaks(secretsOf(config.credential), () =>
      within(context, exchanger.beginConsent?.(config, context)),
    );
    if (begun === undefined) throw new CredentialExchangeError(NOTHING_TO_ASK);
    await this.consents.keep(user, begun);
    return requestedAuthConfig(config, begun.shown);
  }

  /** A consent is used once: its secrets are deleted first. A consent that is not given yet stays open. */
  private async endConsent(
    { user, config }: Wanted,
    answer: ConsentAnswer,
  ): Promise<AuthCredential | undefined> {
    const exchanger = this.exchangerOf(config);
    const consent = await this.consents.find(user, answer);
    if (consent === undefined || exchanger?.endConsent === undefined) return undefined;
    await this.consents.delete(user, answer);
    const context = this.context();
    const secrets = [
      ...secretsOf(config.credential),
      ...Object.values(consent.secrets),
      ...PARAMETERS_WITH_SECRETS.flatMap((name) => answer.parameters[name] ?? []),
    ];
    const obtained = await withoutLeaks(secrets, () =>
      within(context, exchanger.endConsent?.(config, consent, answer, context)),
    );
    if (obtained === undefined) await this.consents.keep(user, consent);
    return obtained && usable(config, obtained);
  }

  private exchangerOf(config: AuthConfig): CredentialExchanger | undefined {
    return this.fields.exchangers?.findLast((one) => one.handles(config));
  }

  private isExpired(credential: AuthCredential): boolean {
    return isExpired(credential, this.fields.clock.now());
  }

  private context(): ExchangeContext {
    const { clock, logger } = this.fields;
    return { clock, logger, signal: AbortSignal.timeout(EXCHANGE_MS) };
  }
}

/** The credential to obtain, and its owner. */
interface Wanted {
  readonly user: CredentialScope;
  readonly key: string;
  readonly config: AuthConfig;
  readonly consent: ConsentAnswer | undefined;
}

const NOTHING_TO_ASK =
  'The credential of the tool could not be obtained, and there is nothing that the user could be asked for.';

/** Configs of tools are checked when the runner is created; configs that a tool makes while it runs are not. */
function refuseFaulty(config: AuthConfig): void {
  const fault = authFaultOf(config);
  if (fault !== undefined) throw new AuthConfigInvalidError(fault);
}

function idOf({ appName, userId }: CredentialScope, key: string): string {
  return composedKey(appName, userId, key);
}

function shared<Value>(
  running: Map<string, Promise<Value>>,
  id: string,
  start: () => Promise<Value>,
): Promise<Value> {
  const present = running.get(id);
  if (present !== undefined) return present;
  const begun = start().finally(() => running.delete(id));
  running.set(id, begun);
  return begun;
}

/** The parameters of a redirect that grant access. */
const PARAMETERS_WITH_SECRETS = ['code', 'access_token', 'id_token', 'token'];

/** Shorter values, such as the code of a test, are part of any text. */
const SHORTEST_SECRET = 4;

/**
 * Calls an exchanger, whose errors are logged. An error that holds a secret which the exchanger was given, as the errors
 * of HTTP clients hold their request, is replaced by one without secrets.
 */
async function withoutLeaks<Value>(secrets: readonly string[], run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
    const text = inspected(error);
    if (text !== undefined && redact(text, known) === text) throw error;
    const { name, message, code } = describeThrown(error);
    const said = redact(message, known);
    if (code === 'CREDENTIAL_EXCHANGE_FAILED') throw new CredentialExchangeError(said);
    throw Object.assign(new Error(said), { name: redact(name, known) });
  }
}

/** Undefined if the error cannot be inspected. */
function inspected(error: unknown): string | undefined {
  try {
    return inspect(error, { depth: 10, maxStringLength: null, maxArrayLength: null });
  } catch {
    return undefined;
  }
}

/** Waits until the signal of the context is aborted, so that a server that never answers cannot block later calls. */
function within<Value>({ signal }: ExchangeContext, exchange: Promise<Value>): Promise<Value>;
function within<Value>(
  { signal }: ExchangeContext,
  exchange: Promise<Value> | undefined,
): Promise<Value | undefined>;
function within<Value>(
  { signal }: ExchangeContext,
  exchange: Promise<Value> | undefined,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      reject(new CredentialExchangeError('The server of the credential did not answer in time.'));
    };
    signal.addEventListener('abort', end, { once: true });
    Promise.resolve(exchange)
      .finally(() => {
        signal.removeEventListener('abort', end);
      })
      // JavaScript code may return null.
      .then((value) => {
        resolve(value ?? undefined);
      }, reject);
  });
}

/** Without this check, any value of an exchanger would open the gate. */
function usable({ scheme }: AuthConfig, credential: AuthCredential): AuthCredential {
  if (isCredentialFor(scheme, credential)) return credential;
  throw new CredentialExchangeError('The obtained value is not a credential of the scheme of the tool.');
}
