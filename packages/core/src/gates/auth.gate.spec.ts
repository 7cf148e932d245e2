import { ScriptedModel } from '@adorn/testing';

import type { AuthConfig } from '../auth/auth-config.js';
import type { AuthCredential } from '../auth/auth-credential.js';
import type { AuthScheme } from '../auth/auth-scheme.js';
import { InMemoryCredentialService } from '../auth/credential.service.js';
import type { OpenCall } from '../log/pending-call-index.js';
import { Cancellation } from '../run/cancellation.js';
import { createRunner, defineAgent } from '../index.js';
import { type CallParts, toolCall, toolNamed } from './tool-call.fixture.js';
import type { ToolCall } from './tool-call.js';
import { AuthGate } from './auth.gate.js';

describe('the auth gate', () => {
  it('opens at once for a tool that needs no credential', async () => {
    expect(await new AuthGate().enter(await toolCall(toolNamed('mail')))).toBe('open');
  });

  it('asks for a credential that nobody has, without a secret', async () => {
    const call = await callOf({});

    await expect(enter(call)).resolves.toEqual(ASKS);
    expect(call.context.credential).toBeUndefined();
  });

  it("gives the tool the application's own credential, and asks nobody", async () => {
    const credential: AuthCredential = { type: 'apiKey', apiKey: 'own' };
    const call = await callOf({}, { ...AUTH, credential });

    await expect(enter(call)).resolves.toBe('open');
    expect(call.context.credential).toMatchObject(credential);
  });

  it('gives the tool the credential that the user has just supplied, before one that is kept', async () => {
    const supplied: AuthCredential = { type: 'apiKey', apiKey: 'new' };
    const call = await callOf({
      credentials: new Keeping({ type: 'apiKey', apiKey: 'old' }),
      answer: {
        open: {} as OpenCall,
        kind: 'again',
        credential: { kind: 'credential', key: 'mail', credential: supplied },
      },
    });

    await expect(enter(call)).resolves.toBe('open');
    expect(call.context.credential).toMatchObject(supplied);
  });

  it('gives the tool the credential that is kept for the user, and it prints without its secret', async () => {
    const call = await callOf({ credentials: new Keeping({ type: 'apiKey', apiKey: 'kept' }) });

    await expect(enter(call)).resolves.toBe('open');
    expect(call.context.credential).toMatchObject({ type: 'apiKey', apiKey: 'kept' });
    expect(JSON.stringify(call.context.credential)).not.toContain('kept');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a text', 'secret'],
    ['a credential of another scheme', { type: 'bearer', token: 't' }],
    ['a type alone', { type: 'apiKey' }],
    ['an empty key', { type: 'apiKey', apiKey: '' }],
    ['a key that is null', { type: 'apiKey', apiKey: null }],
    ['a key without a type', { apiKey: 'k' }],
    ['a type that is undefined', { type: undefined, apiKey: 'k' }],
  ])('asks where the store gives %s', async (_what, kept) => {
    const call = await callOf({ credentials: new Keeping(kept) });

    await expect(enter(call)).resolves.toEqual(ASKS);
    expect(call.context.credential).toBeUndefined();
  });

  it.each(unknownSchemes())('is closed for the scheme %j, whatever the store gives', async (scheme) => {
    for (const kept of [undefined, {}, { type: undefined }, { type: 'oauth2', token: 't' }]) {
      const call = await callOf({ credentials: new Keeping(kept) });
      Object.assign(call.entry.tool, { traits: { auth: { scheme, key: 'k' } } });

      await expect(enter(call)).rejects.toMatchObject({ code: 'AUTH_CONFIG_INVALID' });
      expect(call.context.credential).toBeUndefined();
    }
  });

  it('is closed where the store throws, or rejects', async () => {
    await expect(enter(await callOf({ credentials: new Failing() }))).rejects.toThrow('the vault is shut');
  });

  it('is closed where the store does not answer in time', async () => {
    const tool = toolNamed('mail', { auth: AUTH, checkTimeout: 1 });

    await expect(enter(await toolCall(tool, { credentials: new Hanging() }))).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message:
        'The credential lookup of the tool "mail" did not answer within 1 ms. Try again later, or continue without it.',
    });
  });

  it('is closed where the invocation is cancelled while the store is waited for', async () => {
    const cancellation = new Cancellation();
    const entered = enter(await callOf({ credentials: new Hanging(), cancellation }));

    cancellation.cancel();

    await expect(entered).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a runner', () => {
  it.each(unknownSchemes())('is not created with a tool of the scheme %j', async (scheme) => {
    const tool = toolNamed('mail', { auth: { scheme: scheme as AuthScheme, key: 'k' } });

    await expect(
      createRunner(defineAgent({ name: 'clerk', tools: [tool] }), { model: new ScriptedModel() }),
    ).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(/its auth has .* scheme/) as unknown,
    });
  });

  it.each<[string, unknown, string]>([
    [
      'a credential of another type',
      { ...apiKeyAuth(), credential: { type: 'bearer', token: 'S3' } },
      'of type bearer',
    ],
    ['a credential of no type', { ...apiKeyAuth(), credential: {} }, 'of type undefined'],
    [
      'an empty credential',
      { ...apiKeyAuth(), credential: { type: 'apiKey', apiKey: '' } },
      'missing or empty',
    ],
    ['no scheme', { key: 'k' }, 'the known schemes are'],
    ['no key', { scheme: apiKeyAuth().scheme }, 'no key'],
    ['null', null, 'the known schemes are'],
  ])('is not created with a tool whose auth is or has %s', async (_what, auth, message) => {
    const tool = toolNamed('mail', { auth: auth as AuthConfig });
    const created = createRunner(defineAgent({ name: 'clerk', tools: [tool] }), {
      model: new ScriptedModel(),
    });

    await expect(created).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining(message) as unknown,
    });
    await expect(created).rejects.not.toMatchObject({ message: expect.stringContaining('S3') as unknown });
  });
});

function unknownSchemes(): unknown[] {
  return [
    { type: 'oauth2', flows: {} },
    { type: 'openIdConnect', url: 'x' },
    { type: 'custom' },
    { type: 'digest', scheme: 'bearer' },
    { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://as.test' } } },
    { type: 'oauth2', flows: { clientCredentials: {} } },
    { type: 'http' },
    { type: 'http', scheme: 'digest' },
    { type: 'http', scheme: 'constructor' },
    {},
  ];
}

function apiKeyAuth(): AuthConfig {
  return { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'mail' };
}

const AUTH = apiKeyAuth();
const ASKS = {
  kind: 'paused',
  question: { kind: 'credential', authConfig: { authScheme: AUTH.scheme, credentialKey: 'mail' } },
};

function callOf(parts: CallParts, auth: AuthConfig = AUTH): Promise<ToolCall> {
  return toolCall(toolNamed('mail', { auth }), parts);
}

async function enter(call: ToolCall) {
  return new AuthGate().enter(call);
}

/** A store that gives one value, whatever it is. */
class Keeping extends InMemoryCredentialService {
  constructor(private readonly kept: unknown) {
    super();
  }

  override load() {
    return Promise.resolve(this.kept as AuthCredential | undefined);
  }
}

class Failing extends InMemoryCredentialService {
  override load(): never {
    throw new Error('the vault is shut');
  }
}

class Hanging extends InMemoryCredentialService {
  override load() {
    return new Promise<never>(() => undefined);
  }
}
