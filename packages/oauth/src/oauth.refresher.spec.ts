import { callsTool, callsTools, eventsOf, says } from '@adorn/testing';

import { ADDRESS, ask, type Clerk, codeAuth, consentOf, onlyRequest, startClerk } from './clerk.fixture.js';
import { consentInBrowser, type RunningProvider, startProvider } from './oidc-provider.fixture.js';

describe('a token that expires', () => {
  let provider: RunningProvider;
  beforeAll(async () => (provider = await startProvider()));
  afterAll(() => provider.close());

  /** A clerk whose user has consented already. */
  const start = async (...later: Parameters<typeof startClerk>[0]['steps']): Promise<Clerk> => {
    const clerk = await startClerk({
      auth: codeAuth(provider),
      steps: [callsTool('look'), says('Found.'), ...later],
    });
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    await eventsOf(clerk.runner.supply(request, await consentInBrowser(consentOf(request).authUri)));
    return clerk;
  };

  it('is used as it is until 60 seconds before its end', async () => {
    const clerk = await start(callsTool('look'), says('Again.'));

    clerk.clock.advance(239);
    await ask(clerk);

    expect(new Set(tokensOf(clerk)).size).toBe(1);
  });

  it('is refreshed then, nobody is asked, and the next refresh uses the token that replaced the first', async () => {
    const clerk = await start(callsTool('look'), says('Again.'), callsTool('look'), says('And again.'));

    clerk.clock.advance(241);
    await ask(clerk);
    clerk.clock.advance(300);
    const events = await ask(clerk);

    expect(events.at(-1)?.text).toBe('And again.');
    expect(new Set(tokensOf(clerk)).size).toBe(3);
    const [first, second] = provider.tokenRequests.slice(-2).map((body) => body.get('refresh_token'));
    expect(first).not.toBe(second);
  });

  it('is refreshed once for calls side by side', async () => {
    const clerk = await start(
      callsTools({ name: 'look' }, { name: 'look' }, { name: 'look' }),
      says('Again.'),
    );
    const before = provider.tokenRequests.length;

    clerk.clock.advance(300);
    await ask(clerk);

    expect(provider.tokenRequests).toHaveLength(before + 1);
    expect(new Set(tokensOf(clerk).slice(1)).size).toBe(1);
  });

  it('is asked for anew where the server does not take the refresh token any more', async () => {
    const clerk = await start(callsTool('look'), says('Again.'));
    clerk.clock.advance(300);
    provider.refuseRefresh();

    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const events = await eventsOf(
      clerk.runner.supply(request, await consentInBrowser(consentOf(request).authUri)),
    );

    expect(events.at(-1)?.text).toBe('Again.');
    expect(new Set(tokensOf(clerk)).size).toBe(2);
  });

  it('fails the call where the server is down, and is refreshed once it is up again', async () => {
    const clerk = await start(callsTool('look'), says('Sorry.'), callsTool('look'), says('Found.'));
    clerk.clock.advance(300);

    provider.failWith = 503;
    const failed = await ask(clerk);
    provider.failWith = undefined;
    const events = await ask(clerk);

    expect(failed.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { error: expect.stringContaining('the answer is not valid') as unknown } },
    ]);
    expect(await clerk.runner.pending(ADDRESS)).toEqual([]);
    expect(events.at(-1)?.text).toBe('Found.');
    expect(clerk.ran).toHaveLength(2);
  });
});

function tokensOf({ ran }: Clerk): unknown[] {
  return ran.map((credential) => (credential as { readonly accessToken: string }).accessToken);
}
