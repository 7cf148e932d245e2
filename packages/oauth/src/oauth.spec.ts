import { ScriptedModel } from '@adorn/testing';
import { type AuthConfig, createRunner, defineAgent, FunctionTool } from '@adorn/core';
import type { OAuthFlows } from '@adorn/core/backend';

import { oauth } from './index.js';

const TOKEN_URL = 'https://as.test/token';
const CLIENT = { type: 'oauthClient', clientId: 'app', clientSecret: 'secret-canary' } as const;

describe('a runner with a tool of OAuth', () => {
  it('is not created without an exchanger, and says what to bind', async () => {
    await expect(create(clientCredentials(TOKEN_URL), [])).rejects.toMatchObject({
      code: 'CREDENTIAL_EXCHANGER_MISSING',
      message: expect.stringMatching(/the tool "look".*oauth\(\) of @adorn\/oauth/) as unknown,
    });
  });

  it.each<[string, OAuthFlows]>([
    ['client credentials', { clientCredentials: { tokenUrl: TOKEN_URL } }],
    [
      'authorization code',
      { authorizationCode: { tokenUrl: TOKEN_URL, authorizationUrl: 'https://as.test/auth' } },
    ],
    [
      'device code',
      { deviceAuthorization: { tokenUrl: TOKEN_URL, deviceAuthorizationUrl: 'https://as.test/device' } },
    ],
  ])('is created with oauth(): %s', async (_flow, flows) => {
    await expect(create({ scheme: { type: 'oauth2', flows }, credential: CLIENT })).resolves.toBeDefined();
  });

  it.each([
    'http://as.test/token',
    'http://localhost.as.test/token',
    'http://127.0.0.1.as.test/token',
    'http://10.0.0.1/token',
    'ftp://as.test/token',
    'as.test/token',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:canary@as.test/token',
    'http://user:canary@localhost/token',
    'http://user:canary@as.test/token',
    '',
  ])('is not created with an endpoint at %s', async (url) => {
    const fault = {
      code: expect.stringMatching(url === '' ? 'SCHEMA_INVALID' : 'OAUTH_ENDPOINT_INSECURE') as unknown,
      message: expect.not.stringContaining('canary') as unknown,
    };
    await expect(create(clientCredentials(url))).rejects.toMatchObject(fault);
    await expect(
      create({ scheme: { type: 'openIdConnect', openIdConnectUrl: url }, credential: CLIENT }),
    ).rejects.toMatchObject(fault);
  });

  it.each(['http://localhost:1/token', 'http://127.0.0.1:1/token', 'http://[::1]:1/token', TOKEN_URL])(
    'may use %s',
    async (url) => {
      await expect(create(clientCredentials(url))).resolves.toBeDefined();
    },
  );
});

function clientCredentials(tokenUrl: string): AuthConfig {
  return { scheme: { type: 'oauth2', flows: { clientCredentials: { tokenUrl } } }, credential: CLIENT };
}

async function create(auth: AuthConfig, modules = [oauth()]): Promise<unknown> {
  const look = new FunctionTool({ name: 'look', description: '', auth, run: () => 'seen' });
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look] }), {
    model: new ScriptedModel(),
    modules,
  });
  await runner.close();
  return runner.appName;
}
