import type { AuthCredential } from './auth-config.js';

/** Asked by `console.log` and by whatever else prints with Node's inspect. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * A copy of a credential whose fields are read as ever, and which prints, and turns into JSON, as `[redacted]`. What
 * keeps a credential spreads it first: `{ ...credential }` is a plain one again.
 */
export function guardedCredential(credential: AuthCredential): AuthCredential {
  const redacted = (): object => ({ type: credential.type, secret: '[redacted]' });
  return Object.defineProperties(
    { ...credential },
    { toJSON: { value: redacted }, [INSPECT]: { value: redacted } },
  );
}
