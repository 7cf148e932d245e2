import { callsTool, eventsOf, says } from '@adorn/testing';

import { ADDRESS, ask, type Clerk, codeAuth, consentOf, onlyRequest, startClerk } from './clerk.fixture.js';
import { consentInBrowser, type RunningProvider, startProvider } from './oidc-provider.fixture.js';

describe('a consent that was not given', () => {
  let provider: RunningProvider;
  beforeAll(async () => (provider = await startProvider()));
  afterAll(() => provider.close());

  const start = (): Promise<Clerk> =>
    startClerk({ auth: codeAuth(provider), steps: [callsTool('look'), says('Found.'), callsTool('look')] });

  it('S1 is not taken with a forged state, and its request stays open', async () => {
    const clerk = await start();
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const address = new URL(await consentInBrowser(consentOf(request).authUri));
    const sent = provider.tokenRequests.length;

    address.searchParams.set('state', 'forged');
    const forged = eventsOf(clerk.runner.supply(request, address.href));

    await expect(forged).rejects.toMatchObject({ code: 'CONSENT_STATE_INVALID' });
    expect(await onlyRequest(clerk.runner)).toEqual(request);
    expect([clerk.ran, provider.tokenRequests.length]).toEqual([[], sent]);
  });

  it("S1 is not taken from another user's consent: no session fixation", async () => {
    const clerk = await start();
    await ask(clerk);
    const mallory = await startClerk({ auth: codeAuth(provider), steps: [callsTool('look')] });
    await ask(mallory);
    const address = await consentInBrowser(consentOf(await onlyRequest(mallory.runner)).authUri);

    const swapped = eventsOf(clerk.runner.supply(await onlyRequest(clerk.runner), address));

    await expect(swapped).rejects.toMatchObject({ code: 'CONSENT_STATE_INVALID' });
    expect(clerk.ran).toEqual([]);
  });

  it('S4 is not taken twice: its request is answered, and its state is used up', async () => {
    const clerk = await start();
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const address = await consentInBrowser(consentOf(request).authUri);
    await eventsOf(clerk.runner.supply(request, address));
    const sent = provider.tokenRequests.length;

    const replayed = eventsOf(clerk.runner.supply(request, address));

    await expect(replayed).rejects.toMatchObject({ code: 'REQUEST_NOT_PENDING' });
    expect([clerk.ran.length, provider.tokenRequests.length]).toEqual([1, sent]);
  });

  it('S4 is taken once where it comes twice at the same time', async () => {
    const clerk = await start();
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const address = await consentInBrowser(consentOf(request).authUri);

    const answers = await Promise.allSettled(
      [1, 2].map(() => eventsOf(clerk.runner.supply(request, address))),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(clerk.ran).toHaveLength(1);
  });

  it('S4 is refused by the server with a code that was used before, and the tool does not run', async () => {
    const clerk = await start();
    await ask(clerk);
    const first = await onlyRequest(clerk.runner);
    const code = new URL(await consentInBrowser(consentOf(first).authUri)).searchParams.get('code');
    await eventsOf(clerk.runner.supply(first, { code, state: consentOf(first).state }));
    const other = await startClerk({ auth: codeAuth(provider), steps: [callsTool('look'), says('Sorry.')] });
    await ask(other);
    const second = await onlyRequest(other.runner);

    const events = await eventsOf(other.runner.supply(second, { code, state: consentOf(second).state }));

    expect(other.ran).toEqual([]);
    expect(responseOf(events)).toEqual({
      error: `The token request of the authorization server ${new URL(provider.issuer).host} failed: the server answered invalid_grant.`,
    });
    expect(JSON.stringify([events, other.log.lines])).not.toContain(code);
  });

  it('S1 is not taken for another request of the same user', async () => {
    const clerk = await startClerk({
      auth: codeAuth(provider),
      steps: [callsTool('look'), callsTool('look')],
    });
    await ask(clerk);
    const first = await onlyRequest(clerk.runner);
    await eventsOf(clerk.runner.run({ ...ADDRESS, sessionId: 's2', message: 'Look it up too.' }));
    const [second] = await clerk.runner.pending({ ...ADDRESS, sessionId: 's2' });
    if (second === undefined) throw new Error('Nothing is asked.');
    const address = await consentInBrowser(consentOf(first).authUri);

    await expect(eventsOf(clerk.runner.supply(second, address))).rejects.toMatchObject({
      code: 'CONSENT_STATE_INVALID',
    });
    await expect(eventsOf(clerk.runner.supply({ ...first, sessionId: 's2' }, address))).rejects.toMatchObject(
      {
        code: 'REQUEST_NOT_PENDING',
      },
    );
    await expect(eventsOf(clerk.runner.supply({ ...first, userId: 'bob' }, address))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
    expect(clerk.ran).toEqual([]);
  });

  it('ends the call where the user refused', async () => {
    const clerk = await start();
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const { state } = consentOf(request);

    const events = await eventsOf(
      clerk.runner.supply(request, `https://app.test/callback?error=access_denied&state=${state}`),
    );

    expect(responseOf(events)).toMatchObject({ error: expect.stringContaining('access_denied') as unknown });
    expect(clerk.ran).toEqual([]);
  });

  it.each([
    ['nothing of the consent', undefined],
    ['the request as it was asked', {}],
  ])('is not %s', async (_what, changes) => {
    const clerk = await start();
    await ask(clerk);
    const request = await onlyRequest(clerk.runner);
    const response = changes === undefined ? {} : { ...request.authConfig };

    const message = { functionResponse: { id: request.id, name: 'adk_request_credential', response } };

    await expect(eventsOf(clerk.runner.run({ ...ADDRESS, message }))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message: expect.stringContaining('the address that the browser came back to') as unknown,
    });
    expect(await onlyRequest(clerk.runner)).toEqual(request);
  });
});

function responseOf(events: Awaited<ReturnType<typeof ask>>): unknown {
  return events.flatMap(({ functionResponses }) => functionResponses).find(({ name }) => name === 'look')
    ?.response;
}
