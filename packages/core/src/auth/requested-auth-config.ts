import { hash, timingSafeEqual } from 'node:crypto';

import { present, frozenJson } from '@adorn/schema';
import { type AuthConfig, credentialKeyOf } from './auth-config.js';
import { type AuthCredential, guarded, guardedCredential, readCredential } from './auth-credential.js';
import { type AuthScheme, isOAuth, schemeFaultOf } from './auth-scheme.js';
import { ConsentStateInvalidError } from './errors.js';

/**
 * A request for a credential as the person who answers it sees it, in the format of the ADK. It contains no secret:
 * the client's secret and the code verifier of PKCE stay in the application.
 */
export interface RequestedAuthConfig {
  /** How the credential will be obtained and sent. */
  readonly authScheme: AuthScheme;
  /** The application as a client. */
  readonly rawAuthCredential?: ShownCredential;
  /** Where the user consents: `oauth2.authUri`. */
  readonly exchangedAuthCredential?: ShownCredential;
  /** The key under which the credential will be stored. */
  readonly credentialKey: string;
}

/** The public part of a credential of OAuth. */
export interface ShownCredential {
  /** Whether the endpoints are configured (`oauth2`) or published by the server (`openIdConnect`). */
  readonly authType: 'oauth2' | 'openIdConnect';
  /** The client id, and the data of the consent. */
  readonly oauth2: ShownConsent & { readonly clientId?: string };
}

/** The data that the user needs for a consent. It is stored in the event of the request, so it contains no secret. */
export interface ShownConsent {
  /** The page to open. */
  readonly authUri?: string;
  /** Identifies the consent. The answer must contain it. */
  readonly state?: string;
  /** The URL to which the browser returns after the consent. */
  readonly redirectUri?: string;
  /** The code to enter at `verificationUri` to consent on another device. */
  readonly userCode?: string;
  /** The page on which the user enters `userCode`. */
  readonly verificationUri?: string;
  /** Until when the user can consent, in seconds since 1970. */
  readonly expiresAt?: number;
}

/** Makes the request for the credential of a config. */
export function requestedAuthConfig(config: AuthConfig, consent?: ShownConsent): RequestedAuthConfig {
  const { scheme, credential } = config;
  const authType = scheme.type === 'openIdConnect' ? ('openIdConnect' as const) : ('oauth2' as const);
  const client = credential?.type === 'oauthClient' ? credential : undefined;
  const { clientId } = client ?? {};
  return present({
    authScheme: frozenJson(scheme),
    rawAuthCredential: client && {
      authType,
      oauth2: present({ clientId: client.clientId, redirectUri: client.redirectUri }),
    },
    exchangedAuthCredential: consent && { authType, oauth2: present({ clientId, ...consent }) },
    credentialKey: credentialKeyOf(config),
  });
}

/** The answer to a request: the credential itself, or the result of the user's consent. */
export type CredentialAnswer =
  | { readonly kind: 'credential'; readonly key: string; readonly credential: AuthCredential }
  | { readonly kind: 'consent'; readonly key: string; readonly consent: ConsentAnswer };

/** The result of a user's consent. It contains a secret: the authorization code. */
export interface ConsentAnswer {
  /** Identifies the consent. */
  readonly state: string;
  /**
   * The parameters that the authorization server added to the redirect, such as `code`. Empty after a consent on
   * another device.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** The URL to which the browser returned. */
  readonly redirectUri?: string;
}

/**
 * Reads an answer to a request, as `runner.supply` and clients of the ADK send it. The scheme and the key come from
 * the stored request; only the credential is read from the answer. Undefined if it is not an answer.
 *
 * @param requestId for the error message
 * @throws {ConsentStateInvalidError} if the answer belongs to another consent
 */
export function readCredentialAnswer(
  requestId: string,
  { authScheme, exchangedAuthCredential, credentialKey: key }: RequestedAuthConfig,
  response: Readonly<Record<string, unknown>>,
): CredentialAnswer | undefined {
  // The log may be that of another ADK.
  if (schemeFaultOf(authScheme) !== undefined || typeof key !== 'string') return undefined;
  const answered = response['credential'] ?? either(response, 'exchangedAuthCredential') ?? response;
  const given = unwrapped(answered);
  const credential = readCredential(authScheme, isOAuth(authScheme) ? camelCased(given) : given);
  if (credential !== undefined) return { kind: 'credential', key, credential: guardedCredential(credential) };
  const asked = exchangedAuthCredential?.oauth2;
  if (asked?.state === undefined) return undefined;
  const consent = readConsent(requestId, asked, asked.state, given);
  return consent && { kind: 'consent', key, consent: guarded(consent, { state: asked.state }) };
}

/** The ADK nests a credential under its type. */
function unwrapped(answered: unknown): unknown {
  const fields = fieldsOf(answered);
  const type = either(fields, 'authType');
  if (type === 'http') return fieldsOf(fields['http'])['credentials'];
  return type === 'oauth2' || type === 'openIdConnect' ? fields['oauth2'] : answered;
}

function camelCased(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const names = ['accessToken', 'refreshToken', 'idToken', 'expiresAt', 'scope'];
  return Object.fromEntries(names.map((name) => [name, either(fieldsOf(given), name)]));
}

function readConsent(
  requestId: string,
  asked: ShownConsent,
  state: string,
  given: unknown,
): ConsentAnswer | undefined {
  if (asked.userCode !== undefined) return { state, parameters: {} };
  const fields = fieldsOf(given);
  const callback = urlOf(either(fields, 'authResponseUri') ?? given);
  const parameters =
    callback === undefined ? bareParameters(fields) : Object.fromEntries(callback.searchParams);
  if (parameters['code'] === undefined && parameters['error'] === undefined) return undefined;
  if (!isSame(parameters['state'], state)) throw new ConsentStateInvalidError(requestId);
  const redirectUri = redirectUriOf(fields, asked, callback);
  return present({ state, parameters, redirectUri });
}

function bareParameters(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const code = fields['code'] ?? either(fields, 'authCode');
  const named = { code, state: fields['state'], iss: fields['iss'], error: fields['error'] };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A page may have replaced the stated URL with its own, as that of the ADK does. */
function redirectUriOf(
  fields: Readonly<Record<string, unknown>>,
  asked: ShownConsent,
  callback: URL | undefined,
): string | undefined {
  const stated = callback === undefined ? undefined : either(fields, 'redirectUri');
  if (typeof stated === 'string') return stated;
  return asked.redirectUri ?? (callback && callback.origin + callback.pathname);
}

function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
}

/** Compares in constant time. */
function isSame(given: string | undefined, wanted: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A field in camelCase or snake_case. */
function either(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
