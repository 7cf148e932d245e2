import type { AuthConfig, AuthCredential } from './auth-config.js';

/** Asked by `console.log` and by whatever else prints with Node's inspect. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A copy of a credential that prints and serialises as `[redacted]`; its fields can be read. `{ ...credential }` is a
 * plain credential again, for storing it.
 */
export function guardedCredential(credential: AuthCredential): AuthCredential {
  const redacted = (): object => ({ type: credential.type, secret: '[redacted]' });
  return Object.defineProperties(
    { ...credential },
    { toJSON: { value: redacted }, [INSPECT]: { value: redacted } },
  );
}

/** Settings with a guarded credential, so that a tool can be printed; the same object if there is no credential. */
export function withGuardedCredential<Settings extends { readonly auth?: AuthConfig | undefined }>(
  settings: Settings,
): Settings {
  const { auth } = settings;
  if (auth?.credential === undefined) return settings;
  return { ...settings, auth: { ...auth, credential: guardedCredential(auth.credential) } };
}

/** A text without the secrets of a credential: an error of a client often holds the URL or the headers it sent. */
export function withoutSecrets(text: string, credential: AuthCredential | undefined): string {
  let redacted = text;
  for (const secret of secretsOf(credential)) {
    for (const form of [secret, encodeURIComponent(secret)])
      redacted = redacted.replaceAll(form, '[redacted]');
  }
  return redacted;
}

function secretsOf(credential: AuthCredential | undefined): string[] {
  switch (credential?.type) {
    case 'apiKey':
      return named([credential.apiKey]);
    case 'bearer':
      return named([credential.token]);
    case 'basic': {
      const pair = `${credential.username}:${credential.password}`;
      return named([Buffer.from(pair).toString('base64'), credential.password]);
    }
    default:
      return [];
  }
}

/** An empty secret stands everywhere in a text. */
function named(secrets: readonly unknown[]): string[] {
  return secrets.filter((secret): secret is string => typeof secret === 'string' && secret !== '');
}
