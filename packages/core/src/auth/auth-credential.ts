import type { AuthConfig } from './auth-config.js';
import type { AuthScheme } from './auth-scheme.js';
import { frozenJson, redact } from '@adorn/schema';

/** A secret that authenticates a call. It never enters an event, the state, a log or a message to the model. */
export type AuthCredential =
  | { readonly type: 'apiKey'; readonly apiKey: string }
  | BearerCredential
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | OAuth2Credential
  | CustomCredential;

/** A token that is sent as `Authorization: Bearer …`. */
export interface BearerCredential {
  /** Distinguishes the kinds of credentials. */
  readonly type: 'bearer';
  /** The token without the word `Bearer`. A secret. */
  readonly token: string;
  /** Seconds since 1970. Default: it does not expire. */
  readonly expiresAt?: number;
}

/** The tokens of an authorization server. */
export interface OAuth2Credential {
  /** Distinguishes the kinds of credentials. */
  readonly type: 'oauth2';
  /** Sent with each request to the service. A secret. */
  readonly accessToken: string;
  /** Seconds since 1970. Default: it does not expire. */
  readonly expiresAt?: number;
  /** Stored; a tool does not see it. */
  readonly refreshToken?: string;
  /** Of OpenID Connect. `@adorn/oauth` has checked its claims. */
  readonly idToken?: string;
  /** The granted scopes, separated by spaces, if they differ from the requested ones. */
  readonly scope?: string;
}

/** The credential of a custom scheme. Every value is a secret. */
export interface CustomCredential {
  /** Distinguishes the kinds of credentials. */
  readonly type: 'custom';
  /** The values by their names, as the scheme defines them. */
  readonly values: Readonly<Record<string, string>>;
}

/** A credential of the application itself, or the client or account with which one is obtained. */
export type AppCredential = AuthCredential | OAuthClientCredential | ServiceAccountCredential;

/** The application as a client of an authorization server. */
export interface OAuthClientCredential {
  /** Distinguishes the kinds of credentials. */
  readonly type: 'oauthClient';
  /** The public id under which the authorization server knows the application. */
  readonly clientId: string;
  /** Default: none, for a public client. */
  readonly clientSecret?: string;
  /** The URL to which the browser returns. Default: the URL of the page that answered. */
  readonly redirectUri?: string;
  /** How the secret is sent to the token endpoint. Default: `basic`, or what the server announces. */
  readonly clientAuthentication?: 'basic' | 'post';
  /** Added to the authorization URL, such as `{ access_type: 'offline' }`. No secrets: the user's browser sees them. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
}

/** A service account, with whose key tokens are obtained (JWT bearer, RS256). */
export interface ServiceAccountCredential {
  /** Distinguishes the kinds of credentials. */
  readonly type: 'serviceAccount';
  /** The issuer of the assertion, such as the account's mail address. */
  readonly clientEmail: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  /** The id of the key, sent as `kid` in the header of the JWT. Default: none. */
  readonly privateKeyId?: string;
  /** The URL of the token endpoint. */
  readonly tokenUrl: string;
  /** The scopes to request. Default: none. */
  readonly scopes?: readonly string[];
  /** The audience of an ID token to obtain instead of an access token. */
  readonly audience?: string;
  /** The user to act for. */
  readonly subject?: string;
}

/** The type of the credentials of a scheme; undefined for an unknown scheme. */
export function credentialTypeOf(scheme: AuthScheme): AuthCredential['type'] | undefined {
  const { type, scheme: variant } = scheme as { readonly type?: unknown; readonly scheme?: unknown };
  if (type === 'apiKey' || type === 'custom') return type;
  if (type === 'oauth2' || type === 'openIdConnect') return 'oauth2';
  if (type !== 'http') return undefined;
  return variant === 'bearer' || variant === 'basic' ? variant : undefined;
}

/**
 * Reads a credential from an answer: a string is the key or the token, an object is the credential itself. Undefined if
 * it is not a credential of that scheme.
 */
export function readCredential(scheme: AuthScheme, answer: unknown): AuthCredential | undefined {
  const type = credentialTypeOf(scheme);
  const fields = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const secret = (name: string): string | undefined => nonEmpty(fields[name]) ?? nonEmpty(answer);
  switch (type) {
    case 'apiKey': {
      const apiKey = secret('apiKey');
      return apiKey === undefined ? undefined : { type, apiKey };
    }
    case 'bearer': {
      const token = secret('token');
      return token === undefined ? undefined : { type, token, ...pick(fields, 'expiresAt', isTime) };
    }
    case 'basic': {
      const username = nonEmpty(fields['username']);
      const password = nonEmpty(fields['password']);
      return username === undefined || password === undefined ? undefined : { type, username, password };
    }
    case 'oauth2':
      return readTokens(fields);
    case 'custom': {
      const values = fields['values'] ?? answer;
      return isBag(values) ? { type, values: { ...values } } : undefined;
    }
    case undefined:
      return undefined;
  }
}

/** A plain string is not read as a token: it may be the URL that the browser returned to. */
function readTokens(fields: Record<string, unknown>): OAuth2Credential | undefined {
  const accessToken = nonEmpty(fields['accessToken']);
  if (accessToken === undefined) return undefined;
  return {
    type: 'oauth2',
    accessToken,
    ...pick(fields, 'expiresAt', isTime),
    ...pick(fields, 'refreshToken', isText),
    ...pick(fields, 'idToken', isText),
    ...pick(fields, 'scope', isText),
  };
}

function pick<Name extends string, Value>(
  fields: Record<string, unknown>,
  name: Name,
  isValue: (value: unknown) => value is Value,
): Partial<Record<Name, Value>> {
  const value = fields[name];
  return isValue(value) ? ({ [name]: value } as Record<Name, Value>) : {};
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isBag(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every(isText);
}

function nonEmpty(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

/** True if a value is a complete credential of the scheme; false for an unknown scheme or type. */
export function isCredentialFor(scheme: AuthScheme, value: unknown): value is AuthCredential {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === credentialTypeOf(scheme) && readCredential(scheme, value) !== undefined;
}

/** Seconds before its expiry at which a credential counts as expired: it must outlast the call. */
const LEEWAY_SECONDS = 60;

/** True if a credential has expired at a time in seconds since 1970, or will within the leeway. */
export function isExpired(credential: AuthCredential, now: number, leeway = LEEWAY_SECONDS): boolean {
  const { expiresAt } = credential as { readonly expiresAt?: number };
  return expiresAt !== undefined && !(expiresAt - leeway > now);
}

/** The key of the method that `console.log` and `util.inspect` call. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A frozen copy of a credential that prints and serialises as `[redacted]`; its fields can be read. `{ ...credential }` is a
 * plain credential again, for storing it.
 */
export function guardedCredential<Credential extends AppCredential>(credential: Credential): Credential {
  return Object.freeze(guarded(frozenJson(credential), { type: credential.type, secret: '[redacted]' }));
}

/** A copy that prints and serialises as `shown`; its fields can be read. */
export function guarded<Value extends object>(value: Value, shown: object): Value {
  const show = (): object => shown;
  return Object.defineProperties({ ...value }, { toJSON: { value: show }, [INSPECT]: { value: show } });
}

/** Settings with a guarded credential, so that a tool can be printed; the same object if there is no credential. */
export function withGuardedCredential<Settings extends { readonly auth?: AuthConfig | undefined }>(
  settings: Settings,
): Settings {
  const { auth } = settings;
  if (auth?.credential === undefined) return settings;
  return { ...settings, auth: { ...auth, credential: guardedCredential(auth.credential) } };
}

/** The credential as a tool gets it: guarded, and without the refresh token. */
export function credentialForTool(credential: AuthCredential): AuthCredential {
  if (credential.type !== 'oauth2') return guardedCredential(credential);
  const { refreshToken, ...rest } = credential;
  return guardedCredential(refreshToken === undefined ? credential : rest);
}

/** A text without the secrets of a credential. Errors of HTTP clients often contain the URL or the headers. */
export function withoutSecrets(text: string, credential: AppCredential | undefined): string {
  return redact(text, secretsOf(credential));
}

/** The secrets of a credential. Empty ones are left out, because every text contains them. */
export function secretsOf(credential: AppCredential | undefined): string[] {
  switch (credential?.type) {
    case 'apiKey':
      return named([credential.apiKey]);
    case 'bearer':
      return named([credential.token]);
    case 'basic': {
      const pair = `${credential.username}:${credential.password}`;
      return named([Buffer.from(pair).toString('base64'), credential.password]);
    }
    case 'oauth2':
      return named([credential.accessToken, credential.refreshToken, credential.idToken]);
    case 'custom':
      return named(Object.values(credential.values));
    case 'oauthClient':
      return named([credential.clientSecret]);
    case 'serviceAccount':
      return named([credential.privateKey]);
    default:
      return [];
  }
}

function named(secrets: readonly unknown[]): string[] {
  return secrets.filter((secret): secret is string => typeof secret === 'string' && secret !== '');
}
