import { type AuthCredential, type AuthScheme, credentialTypeOf } from './auth-config.js';

/**
 * Reads a credential out of what a person or a page answered: a bare string stands for the key or the token,
 * an object for the credential itself. Undefined where it is no credential of that scheme.
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
