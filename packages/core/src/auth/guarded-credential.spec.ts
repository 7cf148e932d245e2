import { inspect } from 'node:util';

import {
  type AppCredential,
  type AuthCredential,
  guardedCredential,
  withGuardedCredential,
  credentialForTool,
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
  it.each<[AppCredential, string, string]>([
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
    [
      { type: 'oauth2', accessToken: 'a-1', refreshToken: 'r-1', idToken: 'i-1' },
      'a-1 r-1 i-1',
      '[redacted] [redacted] [redacted]',
    ],
    [{ type: 'custom', values: { user: 'ada', pin: '7 7' } }, 'ada 7 7', '[redacted] [redacted]'],
    [{ type: 'oauthClient', clientId: 'app', clientSecret: 's-1' }, 'app s-1', 'app [redacted]'],
    [
      { type: 'serviceAccount', clientEmail: 'a@b.c', privateKey: 'pk-1', tokenUrl: 'https://as.test' },
      'a@b.c pk-1',
      'a@b.c [redacted]',
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

describe('S15 the credential of a tool', () => {
  it('of OAuth is without the refresh token, which only the framework uses', () => {
    const refreshed = { type: 'oauth2', accessToken: 'a-1', expiresAt: 9, refreshToken: 'r-1' } as const;

    expect({ ...credentialForTool(refreshed) }).toEqual({ type: 'oauth2', accessToken: 'a-1', expiresAt: 9 });
  });

  it.each<AuthCredential>([
    { type: 'oauth2', accessToken: 'a-1' },
    { type: 'bearer', token: 't-1' },
    { type: 'custom', values: { refreshToken: 'r-1' } },
  ])('is otherwise whole, and guarded: %j', (credential) => {
    const given = credentialForTool(credential);

    expect({ ...given }).toEqual(credential);
    expect(JSON.stringify(given)).not.toContain('-1');
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
