import { hash } from 'node:crypto';

import { type AppCredential, credentialTypeOf, isCredentialFor } from './auth-credential.js';
import { type AuthScheme, isOAuth, schemeFaultOf } from './auth-scheme.js';

/** The authentication that a tool needs: `@tool({ auth: { scheme, key } })`. */
export interface AuthConfig {
  /** How the credential is obtained and sent. */
  readonly scheme: AuthScheme;
  /**
   * The application's own credential, which is used as it is, or the client or account with which credentials are
   * obtained. Default: none, and the user's credential is looked up or asked for.
   */
  readonly credential?: AppCredential;
  /**
   * The key under which the user's credential is stored; tools with the same key share the credential. Default, for
   * schemes of OAuth and for service accounts: a hash of the scheme and the client, without its secret. Other schemes
   * name no owner, so the key is required. It must not begin with `consent:`, which names open consents.
   */
  readonly key?: string;
  /**
   * Of a config that a running tool passes to its context: true if the key names the credential of all tools with the
   * key. Never take such a key from an argument, which a model may choose. Default: false, and the credential belongs to
   * the tool.
   */
  readonly shared?: boolean;
}

/** The config of a running tool, whose credential belongs to the tool unless it is shared. */
export function ofRunningTool(toolName: string, config: AuthConfig): AuthConfig {
  const { key, shared } = (config as AuthConfig | null) ?? {};
  return typeof key !== 'string' || key === '' || shared === true
    ? config
    : // eslint-disable-next-line adorn/composed-keys -- the name of a tool has no colon
      { ...config, key: `tool:${toolName}:${key}` };
}

/** Prefix of the keys under which open consents are stored with the credentials of their user. */
export const OPEN_CONSENT = 'consent:';

/** The key under which the credential of a config is stored. */
export function credentialKeyOf({ key, scheme, credential }: AuthConfig): string {
  return key ?? `auth:${hash('sha256', JSON.stringify(sorted([scheme, ownerOf(credential)])), 'base64url')}`;
}

/** The owner of the credential, without secrets: a weak secret could be guessed from its hash. */
function ownerOf(credential: AppCredential | undefined): unknown {
  switch (credential?.type) {
    case 'oauthClient':
      return [credential.clientId];
    case 'serviceAccount': {
      const { clientEmail, tokenUrl, scopes = [], audience = null, subject = null } = credential;
      return [clientEmail, tokenUrl, scopes, audience, subject];
    }
    default:
      return null;
  }
}

/** A copy with sorted fields, so that equal values have the same JSON. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return fields
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => [name, sorted(field)]);
}

const FIELDS: Readonly<Record<keyof AuthConfig, true>> = {
  scheme: true,
  credential: true,
  key: true,
  shared: true,
};

/** Why an auth config cannot be used, as a clause that begins with "its auth". Holds no secret. */
export function authFaultOf(auth: unknown): string | undefined {
  const { scheme, credential, key, shared } = (auth ?? {}) as Partial<AuthConfig>;
  const fault = schemeFaultOf(scheme);
  if (fault !== undefined || scheme === undefined) return `its auth ${String(fault)}`;
  const [unknown] =
    Object.entries(Object(auth) as object).find(
      ([name, value]) => value !== undefined && !Object.hasOwn(FIELDS, name),
    ) ?? [];
  if (unknown !== undefined)
    return `its auth has the unknown field ${JSON.stringify(unknown)}; its fields are ${Object.keys(FIELDS).join(', ')}`;
  const given: unknown = shared;
  if (given !== undefined && typeof given !== 'boolean')
    return 'its auth has a "shared" that is neither true nor false';
  if (key === '' || (key !== undefined && typeof key !== 'string'))
    return 'its auth has a key that is not a string';
  if (key?.startsWith(OPEN_CONSENT) === true) return `its auth has a key that begins with "${OPEN_CONSENT}"`;
  if (key === undefined && !isOwned(scheme, credential))
    return 'its auth has no key to store the credential under';
  const problem = credentialFaultOf(scheme, credential);
  return problem === undefined ? undefined : `its auth ${problem}`;
}

/** True if a key can be derived from the config. */
function isOwned(scheme: AuthScheme, credential: AppCredential | undefined): boolean {
  return isOAuth(scheme) || credential?.type === 'serviceAccount';
}

function credentialFaultOf(scheme: AuthScheme, credential: AppCredential | undefined): string | undefined {
  if (credential === undefined) {
    return isOAuth(scheme)
      ? `has an ${scheme.type} scheme and no credential: add { type: "oauthClient", clientId }`
      : undefined;
  }
  if (isCredentialFor(scheme, credential)) return undefined;
  const type = String(credentialTypeOf(scheme));
  const given = String((credential as Partial<AppCredential> | null)?.type);
  if (!typesFor(scheme).includes(given))
    return `has a credential of type ${given} for a scheme of type ${type}`;
  const missing = missingFieldOf(credential);
  if (missing === undefined && given !== type) return undefined;
  return `has a credential of type ${given} with a part missing or empty`;
}

/** The types of credentials that an application may pass for a scheme. */
function typesFor(scheme: AuthScheme): readonly string[] {
  const own = String(credentialTypeOf(scheme));
  if (isOAuth(scheme)) return [own, 'oauthClient', 'serviceAccount'];
  return own === 'bearer' ? [own, 'serviceAccount'] : [own];
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  oauthClient: ['clientId'],
  serviceAccount: ['clientEmail', 'privateKey', 'tokenUrl'],
};

function missingFieldOf(credential: AppCredential): string | undefined {
  const fields = credential as unknown as Readonly<Record<string, unknown>>;
  return REQUIRED[credential.type]?.find((name) => typeof fields[name] !== 'string' || fields[name] === '');
}

/** True if the credential of a config is obtained by a `CredentialExchanger`. */
export function needsExchange({ scheme, credential }: AuthConfig): boolean {
  if (isCredentialFor(scheme, credential)) return false;
  return isOAuth(scheme) || credential?.type === 'serviceAccount';
}
