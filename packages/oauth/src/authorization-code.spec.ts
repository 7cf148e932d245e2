import { callsTool, callsTools, eventsOf, says, type ScriptedStep } from '@adorn/testing';

import { ADDRESS, ask, type Clerk, codeAuth, consentOf, onlyRequest, startClerk } from './clerk.fixture.js';
import {
  consentInBrowser,
  REDIRECT_URI,
  type RunningProvider,
  startProvider,
} from './oidc-provider.fixture.js';

describe('the authorization code flow', () => {
  let provider: RunningProvider;
  beforeAll(async () => (provider = await startProvider()));
  afterAll(() => provider.close());

  const start = (...steps: ScriptedStep[]): Promise<Clerk> => startClerk({ auth: codeAuth(provider), steps });

  it('asks with a URL of PKCE and a state, in the shape of the ADK and without any secret', async () => {
    const clerk = await start(callsTool('look', {}, 'c1'));

    const events = await ask(clerk);

    const { authConfig } = await onlyRequest(clerk.runner);
    const { authUri, state } = consentOf(await onlyRequest(clerk.runner));
    expect(authConfig).toEqual({
      authScheme: codeAuth(provider).scheme,
      rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'web', redirectUri: REDIRECT_URI } },
      exchangedAuthCredential: {
        authType: 'oauth2',
        oauth2: { clientId: 'web', authUri, state, redirectUri: REDIRECT_URI },
      },
      credentialKey: expect.stringMatching(/^auth:/) as unknown,
    });
    expect(Object.fromEntries(new URL(authUri).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'web',
      redirect_uri: REDIRECT_URI,
      scope: 'openid read',
      state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      code_challenge_method: 'S256',
    });
    expect(events.at(-2)?.functionCalls).toMatchObject([
      { name: 'adk_request_credential', args: { functionCallId: 'c1', authConfig } },
    ]);
    expect(clerk.ran).toEqual([]);
  });

  it.each<[string, (address: string) => unknown]>([
    ['as the address of the browser', (address) => address],
    ['as an object with the address', (address) => ({ authResponseUri: address })],
    ['as code and state', (address) => Object.fromEntries(new URL(address).searchParams)],
  ])('runs the tool with a token once the consent comes back %s', async (_form, answer) => {
    const clerk = await start(callsTool('look'), says('Found.'));
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const address = await consentInBrowser(consentOf(request).authUri);

    const events = await eventsOf(clerk.runner.supply(request, answer(address)));

    expect(events.at(-1)?.text).toBe('Found.');
    expect(clerk.ran).toEqual([
      { type: 'oauth2', accessToken: text(), expiresAt: expect.any(Number) as unknown, scope: text() },
    ]);
    expect(await userOf(provider, clerk)).toBe('ada');
    expect(await clerk.runner.pending(ADDRESS)).toEqual([]);
  });

  it('takes the answer of an ADK client, whose page put its own address in the URL', async () => {
    const clerk = await start(callsTool('look'), says('Found.'));
    await ask(clerk);
    const { id, authConfig } = await onlyRequest(clerk.runner);
    const authUri = new URL(consentOf(await onlyRequest(clerk.runner)).authUri);
    authUri.searchParams.set('redirect_uri', 'https://studio.test/dev-ui/');
    const authResponseUri = await consentInBrowser(authUri.href);

    const response = structuredClone(authConfig) as unknown as AdkAnswer;
    Object.assign(response.exchangedAuthCredential.oauth2, {
      authResponseUri,
      redirectUri: 'https://studio.test/dev-ui/',
    });
    const message = { functionResponse: { id, name: 'adk_request_credential', response: { ...response } } };
    const events = await eventsOf(clerk.runner.run({ ...ADDRESS, message }));

    expect(events.at(-1)?.text).toBe('Found.');
    expect(await userOf(provider, clerk)).toBe('ada');
  });

  it('finds the endpoints of a server that publishes them, and checks the ID token', async () => {
    const clerk = await startClerk({
      auth: {
        scheme: {
          type: 'openIdConnect',
          openIdConnectUrl: provider.issuer,
          scopes: ['openid', 'offline_access'],
        },
        credential: {
          ...codeAuth(provider).credential,
          authorizationParameters: { prompt: 'consent' },
        } as never,
      },
      steps: [callsTool('look'), says('Found.')],
    });
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);

    await eventsOf(clerk.runner.supply(request, await consentInBrowser(consentOf(request).authUri)));

    expect(new URL(consentOf(request).authUri).searchParams.get('nonce')).toEqual(text());
    expect(clerk.ran).toMatchObject([{ type: 'oauth2', idToken: text() }]);
  });

  it('shares one consent between the calls of a turn, and between later conversations', async () => {
    const clerk = await start(
      callsTools({ name: 'look', id: 'c1' }, { name: 'look', id: 'c2' }),
      says('Found both.'),
      callsTool('look'),
      says('Again.'),
    );
    await ask(clerk);
    const requests = await clerk.runner.pending(ADDRESS);
    const before = provider.tokenRequests.length;
    const [first] = requests;
    if (first === undefined) throw new Error('Nothing is asked.');

    const events = await eventsOf(
      clerk.runner.supply(first, await consentInBrowser(consentOf(first).authUri)),
    );
    await eventsOf(clerk.runner.run({ ...ADDRESS, sessionId: 's2', message: 'Again.' }));

    expect(requests.map((one) => consentOf(one).state)).toEqual([
      consentOf(first).state,
      consentOf(first).state,
    ]);
    expect(events.at(-1)?.text).toBe('Found both.');
    expect(await clerk.runner.pending(ADDRESS)).toEqual([]);
    expect(clerk.ran).toHaveLength(3);
    expect(new Set(clerk.ran.map((one) => (one as { accessToken: string }).accessToken)).size).toBe(1);
    expect(provider.tokenRequests).toHaveLength(before + 1);
  });
});

interface AdkAnswer {
  readonly exchangedAuthCredential: { readonly oauth2: Record<string, unknown> };
}

/** Whom the server knows the tool's token as. */
async function userOf({ issuer }: RunningProvider, { ran }: Clerk): Promise<unknown> {
  const { accessToken } = ran.at(-1) as { readonly accessToken: string };
  const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  return ((await response.json()) as { readonly sub?: unknown }).sub;
}

function text(): unknown {
  return expect.stringMatching(/./);
}
