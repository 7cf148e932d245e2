import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { type AuthConfig, createRunner, defineAgent, FunctionTool, type ToolContext } from '@adorn/core';

import { oauth } from './index.js';
import { CLIENT_SECRET, type RunningProvider, startProvider } from './oidc-provider.fixture.js';

describe('client credentials', () => {
  let provider: RunningProvider;
  beforeAll(async () => (provider = await startProvider()));
  afterAll(() => provider.close());

  it('give the tool a token of the server, and nobody is asked', async () => {
    const seen: unknown[] = [];
    const tool = new FunctionTool({
      name: 'report',
      description: '',
      auth: authOf(provider),
      run: (_args: unknown, { credential }: ToolContext) => {
        seen.push({ ...credential });
        return 'done';
      },
    });
    const model = new ScriptedModel(callsTool('report'), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      model,
      modules: [oauth()],
    });

    const events = await eventsOf(runner.run({ userId: 'ada', message: 'Report.' }));

    expect(events.at(-1)?.text).toBe('Done.');
    expect(seen).toMatchObject([{ type: 'oauth2', accessToken: expect.stringMatching(/.{20}/) as unknown }]);
  });
});

function authOf({ issuer }: RunningProvider): AuthConfig {
  return {
    scheme: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: `${issuer}/token`, scopes: ['read'] } },
    },
    credential: { type: 'oauthClient', clientId: 'machine', clientSecret: CLIENT_SECRET },
  };
}
