/** How an API wants to be called. */
export type AuthScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: 'bearer' | 'basic' };

/** What a caller proves itself with. It never enters an event, the state, a log or a message to the model. */
export type AuthCredential =
  | { readonly type: 'apiKey'; readonly apiKey: string }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** What a tool says it needs: `@tool({ auth: { scheme, key } })`. */
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
