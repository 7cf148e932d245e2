/** How an API wants to be called. */
export type AuthScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: 'bearer' | 'basic' };

/** A secret that authenticates a call. It never enters an event, the state, a log or a message to the model. */
export type AuthCredential =
  | { readonly type: 'apiKey'; readonly apiKey: string }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** The authentication that a tool needs: `@tool({ auth: { scheme, key } })`. */
export interface AuthConfig {
  readonly scheme: AuthScheme;
  /** A credential that is the application's own; without it the user's is looked up, and asked for. */
  readonly credential?: AuthCredential;
  /** Under which name the user's credential is kept; tools that share a key share the credential. */
  readonly key: string;
}

/** The type of the credentials of a scheme; undefined for a scheme that is not known. */
export function credentialTypeOf(scheme: AuthScheme): AuthCredential['type'] | undefined {
  const { type, scheme: variant } = scheme as { readonly type?: unknown; readonly scheme?: unknown };
  if (type === 'apiKey') return 'apiKey';
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
      return token === undefined ? undefined : { type, token };
    }
    case 'basic': {
      const username = nonEmpty(fields['username']);
      const password = nonEmpty(fields['password']);
      return username === undefined || password === undefined ? undefined : { type, username, password };
    }
    case undefined:
      return undefined;
  }
}

/** Whether a value is a whole credential of the scheme; never for a scheme or a type that is not known. */
export function isCredentialFor(scheme: AuthScheme, value: unknown): value is AuthCredential {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === credentialTypeOf(scheme) && readCredential(scheme, value) !== undefined;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
