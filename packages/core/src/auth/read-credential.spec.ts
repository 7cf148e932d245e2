import { type AuthCredential, credentialTypeOf, isCredentialFor, readCredential } from './auth-credential.js';
import type { AuthScheme } from './auth-scheme.js';

const KEY: AuthScheme = { type: 'apiKey', in: 'header', name: 'x-key' };
const BEARER: AuthScheme = { type: 'http', scheme: 'bearer' };
/** A scheme of a later version, or of a caller without types. */
const UNKNOWN = { type: 'digest', scheme: 'bearer' } as unknown as AuthScheme;
const BASIC: AuthScheme = { type: 'http', scheme: 'basic' };
const CUSTOM: AuthScheme = { type: 'custom', tag: 'vault' };
const OAUTH: AuthScheme = { type: 'openIdConnect', openIdConnectUrl: 'https://as.test' };
const ONLY_TOKEN: AuthCredential = { type: 'oauth2', accessToken: 't-1' };
const TOKENS = { accessToken: 't-1', expiresAt: 9, refreshToken: 'r-1', idToken: 'i-1', scope: 'mail' };

describe('readCredential', () => {
  it.each<[AuthScheme, unknown, AuthCredential]>([
    [KEY, 'k-1', { type: 'apiKey', apiKey: 'k-1' }],
    [KEY, { apiKey: 'k-1' }, { type: 'apiKey', apiKey: 'k-1' }],
    [KEY, { type: 'apiKey', apiKey: 'k-1', more: 1 }, { type: 'apiKey', apiKey: 'k-1' }],
    [BEARER, 't-1', { type: 'bearer', token: 't-1' }],
    [BEARER, { type: 'bearer', token: 't-1' }, { type: 'bearer', token: 't-1' }],
    [BASIC, { username: 'ada', password: 'p' }, { type: 'basic', username: 'ada', password: 'p' }],
    [BEARER, { token: 't-1', expiresAt: 9 }, { type: 'bearer', token: 't-1', expiresAt: 9 }],
    [BEARER, { token: 't-1', expiresAt: '9' }, { type: 'bearer', token: 't-1' }],
    [BEARER, { token: 't-1', expiresAt: Infinity }, { type: 'bearer', token: 't-1' }],
    [OAUTH, TOKENS, { type: 'oauth2', ...TOKENS }],
    [OAUTH, { ...TOKENS, expiresAt: NaN, refreshToken: '', idToken: 7, scope: null, more: 1 }, ONLY_TOKEN],
    [CUSTOM, { user: 'ada', pin: '1' }, { type: 'custom', values: { user: 'ada', pin: '1' } }],
    [CUSTOM, { type: 'custom', values: { pin: '1' } }, { type: 'custom', values: { pin: '1' } }],
  ])('of %j reads %j', (scheme, answer, credential) => {
    expect(readCredential(scheme, answer)).toEqual(credential);
  });

  it.each<[AuthScheme, unknown]>([
    [KEY, ''],
    [KEY, { apiKey: '' }],
    [KEY, { apiKey: 12 }],
    [KEY, { token: 't-1' }],
    [KEY, undefined],
    [KEY, null],
    [KEY, true],
    [KEY, ['k-1']],
    [BEARER, { apiKey: 'k-1' }],
    [BEARER, {}],
    [BASIC, 'ada:p'],
    [BASIC, { username: 'ada' }],
    [BASIC, { username: 'ada', password: '' }],
    [BASIC, { password: 'p' }],
    [UNKNOWN, { type: 'bearer', token: 't-1' }],
    [UNKNOWN, 't-1'],
    [BASIC, null],
    [OAUTH, 't-1'],
    [OAUTH, { token: 't-1' }],
    [OAUTH, { accessToken: '' }],
    [CUSTOM, 'pin'],
    [CUSTOM, null],
    [CUSTOM, {}],
    [CUSTOM, ['1']],
    [CUSTOM, { pin: '' }],
    [CUSTOM, { user: 'ada', pin: 1 }],
    [CUSTOM, { values: null, pin: 1 }],
    [CUSTOM, { values: 'pin' }],
  ])('of %j sees no credential in %j', (scheme, answer) => {
    expect(readCredential(scheme, answer)).toBeUndefined();
  });
});

describe('isCredentialFor', () => {
  it.each<[AuthScheme, unknown, boolean]>([
    [KEY, { type: 'apiKey', apiKey: 'k-1' }, true],
    [BEARER, { type: 'bearer', token: 't-1' }, true],
    [BASIC, { type: 'basic', username: 'ada', password: 'p' }, true],
    [KEY, { type: 'bearer', token: 't-1' }, false],
    [BEARER, { type: 'bearer', token: '' }, false],
    [BASIC, { type: 'basic', password: 'p' }, false],
    [UNKNOWN, { type: 'bearer', token: 't-1' }, false],
    [UNKNOWN, { type: undefined, token: 't-1' }, false],
    [KEY, { apiKey: 'k-1' }, false],
    [KEY, 'k-1', false],
    [KEY, null, false],
    [OAUTH, { type: 'oauth2', accessToken: 't-1' }, true],
    [OAUTH, { type: 'bearer', token: 't-1' }, false],
    [CUSTOM, { type: 'custom', values: { pin: '1' } }, true],
    [CUSTOM, { type: 'custom', values: {} }, false],
  ])('of %j tells %j: %p', (scheme, value, isWhole) => {
    expect(isCredentialFor(scheme, value)).toBe(isWhole);
  });
});

describe('credentialTypeOf', () => {
  it('names the credential of each scheme', () => {
    expect([KEY, BEARER, BASIC].map(credentialTypeOf)).toEqual(['apiKey', 'bearer', 'basic']);
    expect([OAUTH, CUSTOM].map(credentialTypeOf)).toEqual(['oauth2', 'custom']);
    const flows = { clientCredentials: { tokenUrl: 'https://as.test/token' } };
    expect(credentialTypeOf({ type: 'oauth2', flows })).toBe('oauth2');
    expect(credentialTypeOf(UNKNOWN)).toBeUndefined();
    expect(credentialTypeOf({ type: 'http', scheme: 'digest' } as unknown as AuthScheme)).toBeUndefined();
  });
});
