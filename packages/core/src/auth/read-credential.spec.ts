import { type AuthCredential, credentialTypeOf, isCredentialFor, readCredential } from './auth-credential.js';
import type { AuthScheme } from './auth-scheme.js';

const KEY: AuthScheme = { type: 'apiKey', in: 'header', name: 'x-key' };
const BEARER: AuthScheme = { type: 'http', scheme: 'bearer' };
/** A scheme of a later version, or of a caller without types. */
const UNKNOWN = { type: 'digest', scheme: 'bearer' } as unknown as AuthScheme;
const BASIC: AuthScheme = { type: 'http', scheme: 'basic' };

describe('readCredential', () => {
  it.each<[AuthScheme, unknown, AuthCredential]>([
    [KEY, 'k-1', { type: 'apiKey', apiKey: 'k-1' }],
    [KEY, { apiKey: 'k-1' }, { type: 'apiKey', apiKey: 'k-1' }],
    [KEY, { type: 'apiKey', apiKey: 'k-1', more: 1 }, { type: 'apiKey', apiKey: 'k-1' }],
    [BEARER, 't-1', { type: 'bearer', token: 't-1' }],
    [BEARER, { type: 'bearer', token: 't-1' }, { type: 'bearer', token: 't-1' }],
    [BASIC, { username: 'ada', password: 'p' }, { type: 'basic', username: 'ada', password: 'p' }],
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
  ])('of %j tells %j: %p', (scheme, value, isWhole) => {
    expect(isCredentialFor(scheme, value)).toBe(isWhole);
  });
});

describe('credentialTypeOf', () => {
  it('names the credential of each scheme', () => {
    expect([KEY, BEARER, BASIC].map(credentialTypeOf)).toEqual(['apiKey', 'bearer', 'basic']);
    expect(credentialTypeOf(UNKNOWN)).toBeUndefined();
  });
});
