import { callsTool, eventsOf, says } from '@adorn/testing';
import type { AuthConfig } from '@adorn/core';

import { ask, onlyRequest, startClerk } from './clerk.fixture.js';
import { consentOnDevice, type RunningProvider, startProvider } from './oidc-provider.fixture.js';

describe('the device code flow', () => {
  let provider: RunningProvider;
  beforeAll(async () => (provider = await startProvider()));
  afterAll(() => provider.close());

  it('shows the code and where to enter it, and asks again for the same code until it was entered', async () => {
    const clerk = await startClerk({
      auth: deviceAuth(provider),
      steps: [callsTool('look'), says('Found.')],
    });
    await ask(clerk);
    const first = await onlyRequest(clerk.runner);
    const shown = first.authConfig?.exchangedAuthCredential?.oauth2;

    await eventsOf(clerk.runner.supply(first, 'done'));
    const second = await onlyRequest(clerk.runner);
    const ranEarly = [...clerk.ran];
    await consentOnDevice(shown?.authUri ?? '');
    const events = await eventsOf(clerk.runner.supply(second, 'done'));

    expect(shown).toEqual({
      clientId: 'tv',
      authUri: `${provider.issuer}/device?user_code=${String(shown?.userCode)}`,
      verificationUri: `${provider.issuer}/device`,
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as unknown,
      state: expect.any(String) as unknown,
      expiresAt: clerk.clock.now() + 600,
    });
    expect(second.id).not.toBe(first.id);
    expect(second.authConfig).toEqual(first.authConfig);
    expect(ranEarly).toEqual([]);
    expect(events.at(-1)?.text).toBe('Found.');
    expect(clerk.ran).toMatchObject([{ type: 'oauth2', accessToken: expect.any(String) as unknown }]);
  });
});

function deviceAuth({ issuer }: RunningProvider): AuthConfig {
  const deviceAuthorization = {
    deviceAuthorizationUrl: `${issuer}/device/auth`,
    tokenUrl: `${issuer}/token`,
    scopes: ['openid'],
  };
  return {
    scheme: { type: 'oauth2', flows: { deviceAuthorization } },
    credential: { type: 'oauthClient', clientId: 'tv' },
  };
}
