import { createHash } from 'node:crypto';

import type { AuthConfig } from '@adorn/core';
import type { AppCredential, AuthScheme, OAuthFlows } from '@adorn/core/backend';

import { type JsonObject, listOf, objectOf, textOf } from '../document/json-object.js';

/** What the developer brings for a security scheme of the document. */
export interface SecurityOptions {
  /** A credential that is used for everybody, or the client or account by which credentials are obtained. */
  readonly credential?: AppCredential;
  /** Under which name the user's credential is stored. Default: `openapi:`, the host and the name of the scheme. */
  readonly key?: string;
  /** Used in place of the document's scheme. */
  readonly scheme?: AuthScheme;
}

/** The flows in the order in which they are preferred. */
const FLOWS = ['authorizationCode', 'clientCredentials', 'deviceAuthorization'] as const;

/**
 * The authentication for one security scheme; undefined if Adorn cannot do it. A scheme of OAuth for which the developer
 * brings no client is asked of the user as a bearer token.
 *
 * @param scopes the scopes that the operation requires
 */
export function authConfigFor(
  scheme: JsonObject,
  scopes: readonly string[],
  options: SecurityOptions,
  defaultKey: string,
): AuthConfig | undefined {
  const known = options.scheme ?? knownScheme(scheme, scopes, options.credential);
  if (known === undefined) return undefined;
  // Tools whose scopes differ need tokens of their own.
  const scope = [...scopes].sort().join(' ');
  // eslint-disable-next-line adorn/composed-keys -- a scope has no space (RFC 6749, 3.3), and credentials are stored under it
  const ownKey = known.type === 'oauth2' && scope !== '' ? `${defaultKey}:${scope}` : defaultKey;
  return {
    scheme: known,
    key: options.key ?? storableKey(ownKey),
    ...(options.credential !== undefined && { credential: options.credential }),
  };
}

/** Longer keys are hashed: stores limit names to 512 bytes. */
const LONGEST_KEY = 200;

function storableKey(key: string): string {
  if (Buffer.byteLength(key) <= LONGEST_KEY) return key;
  return `openapi:${createHash('sha256').update(key).digest('base64url')}`;
}

function knownScheme(
  scheme: JsonObject,
  scopes: readonly string[],
  credential: AppCredential | undefined,
): AuthScheme | undefined {
  switch (scheme['type']) {
    case 'apiKey':
      return apiKey(scheme);
    case 'http': {
      const variant = textOf(scheme['scheme'])?.toLowerCase();
      return variant === 'bearer' || variant === 'basic' ? { type: 'http', scheme: variant } : undefined;
    }
    case 'oauth2':
    case 'openIdConnect':
      return tokenScheme(scheme, scopes, credential);
    default:
      return undefined;
  }
}

function apiKey(scheme: JsonObject): AuthScheme | undefined {
  const name = textOf(scheme['name']);
  const place = scheme['in'];
  if (name === undefined || (place !== 'header' && place !== 'query' && place !== 'cookie')) return undefined;
  return { type: 'apiKey', in: place, name };
}

function tokenScheme(
  scheme: JsonObject,
  scopes: readonly string[],
  credential: AppCredential | undefined,
): AuthScheme {
  const bearer: AuthScheme = { type: 'http', scheme: 'bearer' };
  if (credential === undefined || credential.type === 'bearer') return bearer;
  const openIdConnectUrl = textOf(scheme['openIdConnectUrl']);
  if (scheme['type'] === 'openIdConnect')
    return openIdConnectUrl === undefined ? bearer : { type: 'openIdConnect', openIdConnectUrl, scopes };
  const flows = objectOf(scheme['flows']);
  const name = FLOWS.find((one) => flows[one] !== undefined);
  if (name === undefined) return bearer;
  const flow = objectOf(flows[name]);
  return { type: 'oauth2', flows: { [name]: { ...flow, scopes } } as unknown as OAuthFlows };
}

/** The scopes of a security requirement. */
export function scopesOf(requirement: unknown): string[] {
  return listOf(requirement).filter((scope) => typeof scope === 'string');
}
