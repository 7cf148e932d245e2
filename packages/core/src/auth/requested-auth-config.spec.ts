import { readCredentialAnswer, type RequestedAuthConfig } from './requested-auth-config.js';

describe('an answer to a consent', () => {
  it.each<[string, Record<string, unknown>]>([
    ['an address', { credential: `${callback()}?code=c-1&state=s-1` }],
    ['an object with the address', { credential: { authResponseUri: `${callback()}?code=c-1&state=s-1` } }],
    ['code and state', { credential: { code: 'c-1', state: 's-1' } }],
    [
      'the fields of the ADK',
      { exchangedAuthCredential: adk({ authResponseUri: `${callback()}?code=c-1&state=s-1` }) },
    ],
    [
      'the fields of the ADK in Python',
      {
        exchanged_auth_credential: {
          auth_type: 'oauth2',
          oauth2: { auth_response_uri: `${callback()}?code=c-1&state=s-1` },
        },
      },
    ],
    [
      'the fields of the ADK with the code',
      { exchangedAuthCredential: adk({ authCode: 'c-1', state: 's-1' }) },
    ],
  ])('may be %s', (_form, response) => {
    expect(readCredentialAnswer('r-1', CONSENT, response)).toEqual({
      kind: 'consent',
      key: 'calendar',
      consent: { state: 's-1', parameters: { code: 'c-1', state: 's-1' }, redirectUri: callback() },
    });
  });

  it('may name its issuer beside the code, which the exchanger checks', () => {
    const answer = readCredentialAnswer('r-1', CONSENT, {
      credential: { code: 'c-1', state: 's-1', iss: 'https://issuer.example' },
    });

    expect(answer).toMatchObject({ consent: { parameters: { iss: 'https://issuer.example' } } });
  });

  it('S15 prints and turns into JSON as its state alone, without the code', () => {
    const answer = readCredentialAnswer('r-1', CONSENT, { credential: { code: 'c-1', state: 's-1' } });

    expect(JSON.stringify(answer)).toBe('{"kind":"consent","key":"calendar","consent":{"state":"s-1"}}');
  });

  it("uses the redirect URI that the page used, and with none at all the page's own address", () => {
    const authResponseUri = 'https://studio.test/dev-ui/?code=c-1&state=s-1';
    const without = {
      ...CONSENT,
      exchangedAuthCredential: adk({ state: 's-1', authUri: 'https://as.test/auth' }),
    };
    const stated = { authResponseUri, redirectUri: 'https://studio.test/dev-ui' };

    const answers = [
      readCredentialAnswer('r-1', CONSENT, { exchangedAuthCredential: adk(stated) }),
      readCredentialAnswer('r-1', without, { credential: authResponseUri }),
    ];

    expect(answers).toMatchObject([
      { consent: { redirectUri: 'https://studio.test/dev-ui' } },
      { consent: { redirectUri: 'https://studio.test/dev-ui/' } },
    ]);
  });

  it.each<[string, unknown]>([
    ['of another state', `${callback()}?code=c-1&state=s-2`],
    ['of no state', `${callback()}?code=c-1`],
    ['of an empty state', `${callback()}?code=c-1&state=`],
    ['of a state that begins the same', `${callback()}?code=c-1&state=s-12`],
    ['of a refusal with another state', `${callback()}?error=access_denied&state=s-2`],
    ['of a code without a state', { code: 'c-1' }],
    ['of a state that is no text', { code: 'c-1', state: ['s-1'] }],
  ])('S1 %s is refused as forged', (_what, credential) => {
    expect(() => readCredentialAnswer('r-1', CONSENT, { credential })).toThrow(
      expect.objectContaining({
        code: 'CONSENT_STATE_INVALID',
        message: expect.not.stringContaining('c-1') as unknown,
      }) as Error,
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['the request itself, sent back', { ...consentRequest() }],
    ['an empty text', { credential: '' }],
    ['a text that is no address', { credential: 'done' }],
    ['an address without a code', { credential: callback() }],
    ['null', { credential: null }],
    ['an empty token', { credential: { accessToken: '' } }],
    ['a number', { credential: 12 }],
  ])('is not %s', (_what, response) => {
    expect(readCredentialAnswer('r-1', CONSENT, response)).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['as it is', { credential: { accessToken: 't-1', expiresAt: 2_000 } }],
    ['by an ADK client', { exchangedAuthCredential: adk({ accessToken: 't-1', expiresAt: 2_000 }) }],
    [
      'by an ADK client in Python',
      {
        exchanged_auth_credential: {
          auth_type: 'oauth2',
          oauth2: { access_token: 't-1', expires_at: 2_000 },
        },
      },
    ],
    [
      'by an ADK client, as OpenID Connect',
      {
        exchangedAuthCredential: {
          authType: 'openIdConnect',
          oauth2: { accessToken: 't-1', expiresAt: 2_000 },
        },
      },
    ],
  ])('may be a token that the client obtained itself, %s', (_form, response) => {
    expect(readCredentialAnswer('r-1', CONSENT, response)).toEqual({
      kind: 'credential',
      key: 'calendar',
      credential: { type: 'oauth2', accessToken: 't-1', expiresAt: 2_000 },
    });
  });

  it.each([
    { accessToken: 't-1', refreshToken: 'r-1', idToken: 'i-1', scope: 'mail' },
    { access_token: 't-1', refresh_token: 'r-1', id_token: 'i-1', scope: 'mail' },
  ])('may hold all tokens and their scope: %j', (credential) => {
    expect(readCredentialAnswer('r-1', CONSENT, { credential })).toMatchObject({
      credential: {
        ...{ type: 'oauth2', accessToken: 't-1', refreshToken: 'r-1', idToken: 'i-1', scope: 'mail' },
      },
    });
  });

  it('may be that the user refused', () => {
    const answer = readCredentialAnswer('r-1', CONSENT, {
      credential: { error: 'access_denied', state: 's-1' },
    });

    expect(answer).toMatchObject({ consent: { parameters: { error: 'access_denied' } } });
  });

  it('for a code entered elsewhere is anything: only the server knows whether it was entered', () => {
    const device = { ...CONSENT, exchangedAuthCredential: adk({ state: 's-1', userCode: 'ABCD' }) };

    expect(readCredentialAnswer('r-1', device, { credential: 'done' })).toEqual({
      kind: 'consent',
      key: 'calendar',
      consent: { state: 's-1', parameters: {} },
    });
  });
});

describe('an answer to a request of another log', () => {
  it.each<[string, unknown]>([
    ['no scheme', { credentialKey: 'k' }],
    ['null as its scheme', { authScheme: null, credentialKey: 'k' }],
    ['an unknown scheme', { authScheme: { type: 'saml' }, credentialKey: 'k' }],
    ['no key', { authScheme: { type: 'apiKey', in: 'header', name: 'X' } }],
    ['the fields of an earlier version', { scheme: { type: 'apiKey', in: 'header', name: 'X' }, key: 'k' }],
  ])('is none where the request has %s', (_what, request) => {
    expect(
      readCredentialAnswer('r-1', request as RequestedAuthConfig, { credential: 'secret' }),
    ).toBeUndefined();
  });
});

describe('an answer with a key or password', () => {
  it.each<[string, RequestedAuthConfig['authScheme'], unknown, unknown]>([
    [
      'apiKey',
      { type: 'apiKey', in: 'header', name: 'X' },
      { authType: 'apiKey', apiKey: 'k' },
      { type: 'apiKey', apiKey: 'k' },
    ],
    [
      'bearer',
      { type: 'http', scheme: 'bearer' },
      { authType: 'http', http: { scheme: 'bearer', credentials: { token: 't' } } },
      { type: 'bearer', token: 't' },
    ],
    [
      'basic',
      { type: 'http', scheme: 'basic' },
      { auth_type: 'http', http: { scheme: 'basic', credentials: { username: 'a', password: 'p' } } },
      { type: 'basic', username: 'a', password: 'p' },
    ],
  ])('of an ADK client is read: %s', (_type, authScheme, exchangedAuthCredential, credential) => {
    const request = { authScheme, credentialKey: 'k' };

    expect(readCredentialAnswer('r-1', request, { exchangedAuthCredential, credentialKey: 'admin' })).toEqual(
      {
        kind: 'credential',
        key: 'k',
        credential,
      },
    );
  });
});

const CONSENT = consentRequest();

/** Functions, because the rows of a table are made before the constants below them are. */
function consentRequest(): RequestedAuthConfig {
  const flow = { authorizationUrl: 'https://as.test/auth', tokenUrl: 'https://as.test/token' };
  return {
    authScheme: { type: 'oauth2', flows: { authorizationCode: flow } },
    exchangedAuthCredential: adk({ state: 's-1', authUri: 'https://as.test/auth', redirectUri: callback() }),
    credentialKey: 'calendar',
  };
}

function callback(): string {
  return 'https://app.test/cb';
}

function adk<Fields>(oauth2: Fields): { readonly authType: 'oauth2'; readonly oauth2: Fields } {
  return { authType: 'oauth2', oauth2 };
}
