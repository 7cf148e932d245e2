import { inspect } from 'node:util';

import {
  type AuthCredential,
  guardedCredential,
  withGuardedCredential,
  withoutSecrets,
} from './auth-credential.js';

const CREDENTIALS: readonly AuthCredential[] = [
  { type: 'apiKey', apiKey: 'canary' },
  { type: 'bearer', token: 'canary' },
  { type: 'basic', username: 'canary', password: 'canary' },
  { type: 'oauth2', accessToken: 'canary', refreshToken: 'canary', idToken: 'canary' },
  { type: 'custom', values: { any: 'canary' } },
];

/** How an object comes to be text in logs and messages. */
const PRINTERS: readonly ((value: unknown) => string)[] = [
  (value) => inspect(value),
  (value) => JSON.stringify(value),
  (value) => String(value),
];

describe.each(CREDENTIALS)('S15 a guarded credential of type $type', (credential) => {
  it('reads as what it is', () => {
    const guarded = guardedCredential(credential);

    expect(guarded).toEqual(credential);
    expect({ ...guarded }).toStrictEqual(credential);
  });

  it('prints and turns into JSON without its secret, wherever it stands', () => {
    const guarded = guardedCredential(credential);

    for (const print of PRINTERS) {
      expect(print(guarded)).not.toContain('canary');
      expect(print({ context: { list: [guarded] } })).not.toContain('canary');
    }
    expect(JSON.stringify(guarded)).toBe(`{"type":"${credential.type}","secret":"[redacted]"}`);
    expect(inspect(guarded, { showHidden: true, depth: null })).not.toContain('canary');
  });
});

describe('S15 a text without the secrets of a credential', () => {
  it.each<[AuthCredential, string, string]>([
    [{ type: 'apiKey', apiKey: 'k 1' }, 'GET /?key=k%201 with k 1', 'GET /?key=[redacted] with [redacted]'],
    [
      { type: 'bearer', token: 't/1' },
      'Authorization: Bearer t/1 and again t/1, t%2F1',
      'Authorization: Bearer [redacted] and again [redacted], [redacted]',
    ],
    [
      { type: 'basic', username: 'ada', password: 'p w' },
      'Authorization: Basic YWRhOnAgdw== of ada:p w, p%20w',
      'Authorization: Basic [redacted] of ada:[redacted], [redacted]',
    ],
  ])('holds none of %j, in whatever form it was sent', (credential, text, redacted) => {
    expect(withoutSecrets(text, credential)).toBe(redacted);
  });

  it.each<[string, unknown]>([
    ['there is no credential', undefined],
    ['its secret is empty', { type: 'bearer', token: '' }],
    ['its secret is no text', { type: 'apiKey', apiKey: null }],
    ['its type is not known', { type: 'saml', token: 'refused' }],
  ])('is the text itself where %s', (_why, credential) => {
    expect(withoutSecrets('Authorization refused', credential as AuthCredential | undefined)).toBe(
      'Authorization refused',
    );
  });
});

describe('S15 the settings of a tool', () => {
  const auth = { scheme: { type: 'http', scheme: 'bearer' }, key: 'mail' } as const;

  it('print without their own credential, and keep everything else', () => {
    const credential: AuthCredential = { type: 'bearer', token: 'canary' };

    const guarded = withGuardedCredential({ timeout: 5, auth: { ...auth, credential } });

    expect(guarded).toEqual({ timeout: 5, auth: { ...auth, credential } });
    expect(inspect(guarded, { depth: null })).not.toContain('canary');
  });

  it.each([{ timeout: 5 }, { auth }])('are the same object where there is none: %j', (settings) => {
    expect(withGuardedCredential(settings)).toBe(settings);
  });
});
