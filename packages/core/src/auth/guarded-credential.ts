import type { AuthConfig } from './auth-config.js';
import type { AppCredential, AuthCredential } from './auth-credential.js';

/** Asked by `console.log` and by whatever else prints with Node's inspect. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A copy of a credential that prints and serialises as `[redacted]`; its fields can be read. `{ ...credential }` is a
 * plain credential again, for storing it.
 */
export function guardedCredential<Credential extends AppCredential>(credential: Credential): Credential {
  return guarded(credential, { type: credential.type, secret: '[redacted]' });
}

/** A copy that prints and serialises as something else; its fields can be read. */
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

/** The credential as a tool may have it: guarded, and without what only renews it. */
export function credentialForTool(credential: AuthCredential): AuthCredential {
  if (credential.type !== 'oauth2') return guardedCredential(credential);
  const { refreshToken, ...rest } = credential;
  return guardedCredential(refreshToken === undefined ? credential : rest);
}

/** A text without the secrets of a credential: an error of a client often holds the URL or the headers it sent. */
export function withoutSecrets(text: string, credential: AppCredential | undefined): string {
  let redacted = text;
  for (const secret of secretsOf(credential)) {
    for (const form of [secret, encodeURIComponent(secret)])
      redacted = redacted.replaceAll(form, '[redacted]');
  }
  return redacted;
}

function secretsOf(credential: AppCredential | undefined): string[] {
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

/** An empty secret stands everywhere in a text. */
function named(secrets: readonly unknown[]): string[] {
  return secrets.filter((secret): secret is string => typeof secret === 'string' && secret !== '');
}
