import { type AuthConfig, authFaultOf, credentialKeyOf, needsExchange } from './auth-config.js';
import type { AppCredential } from './auth-credential.js';
import type { AuthScheme } from './auth-scheme.js';

const API_KEY: AuthScheme = { type: 'apiKey', in: 'header', name: 'X-Key' };
const BEARER: AuthScheme = { type: 'http', scheme: 'bearer' };
const BASIC: AuthScheme = { type: 'http', scheme: 'basic' };
const CUSTOM: AuthScheme = { type: 'custom', tag: 'vault' };
const TOKEN_URL = 'https://as.test/token';
const OAUTH: AuthScheme = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: TOKEN_URL } } };
const OPEN_ID: AuthScheme = { type: 'openIdConnect', openIdConnectUrl: 'https://as.test' };
const CLIENT: AppCredential = { type: 'oauthClient', clientId: 'shop', clientSecret: 's-1' };
const ACCOUNT: AppCredential = {
  type: 'serviceAccount',
  clientEmail: 'robot@shop.test',
  privateKey: 'pem-1',
  tokenUrl: TOKEN_URL,
};

describe('the key of a credential', () => {
  it('is the one that the config states', () => {
    expect(credentialKeyOf({ scheme: OAUTH, credential: CLIENT, key: 'mine' })).toBe('mine');
  });

  it.each<[string, AuthConfig, AuthConfig]>([
    [
      'the order of the fields',
      { scheme: { type: 'openIdConnect', openIdConnectUrl: 'https://as.test', flow: 'clientCredentials' } },
      { scheme: { flow: 'clientCredentials', openIdConnectUrl: 'https://as.test', type: 'openIdConnect' } },
    ],
    ['a field that is undefined', { scheme: OPEN_ID }, { scheme: { ...OPEN_ID, scopes: undefined } }],
    [
      'the secret of a client',
      { scheme: OAUTH, credential: CLIENT },
      { scheme: OAUTH, credential: { ...CLIENT, clientSecret: 's-2' } },
    ],
    [
      'the private key of an account',
      { scheme: BEARER, credential: ACCOUNT },
      { scheme: BEARER, credential: { ...ACCOUNT, privateKey: 'pem-2' } },
    ],
  ])('does not depend on %s', (_what, one, other) => {
    expect(credentialKeyOf(one)).toBe(credentialKeyOf(other));
  });

  it('is another for another scheme, client, account, audience, user or list of scopes', () => {
    const account = (fields: object): AuthConfig => ({
      scheme: BEARER,
      credential: { ...ACCOUNT, ...fields },
    });
    const configs: AuthConfig[] = [
      { scheme: OAUTH, credential: CLIENT },
      { scheme: OPEN_ID, credential: CLIENT },
      { scheme: { ...OPEN_ID, scopes: ['mail'] }, credential: CLIENT },
      { scheme: { ...OPEN_ID, scopes: ['files'] }, credential: CLIENT },
      { scheme: OAUTH, credential: { type: 'oauthClient', clientId: 'bank' } },
      account({}),
      account({ clientEmail: 'other@shop.test' }),
      account({ tokenUrl: 'https://other.test/token' }),
      account({ scopes: ['mail'] }),
      account({ audience: 'https://api.test' }),
      account({ subject: 'ada' }),
    ];

    const keys = configs.map(credentialKeyOf);

    expect(new Set(keys).size).toBe(configs.length);
    for (const key of keys) expect(key).toMatch(/^auth:[\w-]{43}$/);
  });
});

describe('the fault of an auth config', () => {
  it.each<[string, AuthConfig]>([
    ['an API key of the user', { scheme: API_KEY, key: 'k' }],
    [
      'an API key of the application',
      { scheme: API_KEY, key: 'k', credential: { type: 'apiKey', apiKey: 'a' } },
    ],
    [
      'a bearer token of the application',
      { scheme: BEARER, key: 'k', credential: { type: 'bearer', token: 't' } },
    ],
    ['an account for a bearer token, without a key', { scheme: BEARER, credential: ACCOUNT }],
    ['a custom scheme', { scheme: CUSTOM, key: 'k' }],
    ['a client, without a key', { scheme: OAUTH, credential: CLIENT }],
    ['an account for OAuth', { scheme: OPEN_ID, credential: ACCOUNT }],
    ['tokens of the application', { scheme: OAUTH, credential: { type: 'oauth2', accessToken: 't' } }],
  ])('is none of %s', (_what, config) => {
    expect(authFaultOf(config)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [undefined, 'its auth has the unknown scheme {"type":"undefined"}'],
    [null, 'its auth has the unknown scheme'],
    [{ scheme: API_KEY, key: '' }, 'its auth has a key that is not a string'],
    [{ scheme: API_KEY, key: 7 }, 'its auth has a key that is not a string'],
    [{ scheme: API_KEY }, 'its auth has no key to store the credential under'],
    [{ scheme: CUSTOM }, 'its auth has no key to store the credential under'],
    [
      { scheme: OAUTH },
      'its auth has an oauth2 scheme and no credential: add { type: "oauthClient", clientId }',
    ],
    [
      { scheme: OPEN_ID },
      'its auth has an openIdConnect scheme and no credential: add { type: "oauthClient", clientId }',
    ],
    [
      { scheme: API_KEY, key: 'k', credential: { type: 'bearer', token: 't' } },
      'its auth has a credential of type bearer for a scheme of type apiKey',
    ],
    [
      { scheme: API_KEY, key: 'k', credential: ACCOUNT },
      'its auth has a credential of type serviceAccount for a scheme of type apiKey',
    ],
    [
      { scheme: BASIC, key: 'k', credential: ACCOUNT },
      'its auth has a credential of type serviceAccount for a scheme of type basic',
    ],
    [
      { scheme: BEARER, key: 'k', credential: CLIENT },
      'its auth has a credential of type oauthClient for a scheme of type bearer',
    ],
    [
      { scheme: API_KEY, key: 'k', credential: { type: 'apiKey', apiKey: '' } },
      'its auth has a credential of type apiKey with a part missing or empty',
    ],
    [
      { scheme: OAUTH, credential: { type: 'oauthClient', clientId: '' } },
      'its auth has a credential of type oauthClient with a part missing or empty',
    ],
    [
      { scheme: OAUTH, credential: { type: 'oauthClient' } },
      'its auth has a credential of type oauthClient with a part missing or empty',
    ],
    [
      { scheme: BEARER, credential: { ...ACCOUNT, privateKey: '' } },
      'its auth has a credential of type serviceAccount with a part missing or empty',
    ],
    [
      { scheme: BEARER, credential: { ...ACCOUNT, clientEmail: 7 } },
      'its auth has a credential of type serviceAccount with a part missing or empty',
    ],
    [
      { scheme: BEARER, credential: { ...ACCOUNT, tokenUrl: undefined } },
      'its auth has a credential of type serviceAccount with a part missing or empty',
    ],
    [{ scheme: API_KEY, key: 'k', credential: null }, 'its auth has a credential of type undefined'],
  ])('of %j is told: %s', (config, fault) => {
    expect(authFaultOf(config)).toContain(fault);
  });
});

describe('a credential', () => {
  it.each<[boolean, string, AuthConfig]>([
    [true, 'of a client', { scheme: OAUTH, credential: CLIENT }],
    [true, 'of a client by discovery', { scheme: OPEN_ID, credential: CLIENT }],
    [true, 'of an account', { scheme: BEARER, credential: ACCOUNT }],
    [
      false,
      'that the application brings whole',
      { scheme: BEARER, credential: { type: 'bearer', token: 't' } },
    ],
    [
      false,
      'of OAuth that it brings whole',
      { scheme: OAUTH, credential: { type: 'oauth2', accessToken: 't' } },
    ],
    [false, 'that the user supplies', { scheme: API_KEY, key: 'k' }],
  ])('has to be obtained from a server: %s %s', (isNeeded, _what, config) => {
    expect(needsExchange(config)).toBe(isNeeded);
  });
});
