import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { type Consent, CredentialExchanger } from '../backend.js';
import {
  type AuthConfig,
  type AuthCredential,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  CredentialRejectedError,
  defineAgent,
  type Event,
  FunctionTool,
  type PendingRequest,
  type Runner,
  type Tool,
  ToolError,
  Toolset,
  type ToolsetContext,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const SECRET = 'sk-never-to-be-seen';

describe('a toolset that needs a credential', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is asked for before it is listed and before the model is asked, like a tool', async () => {
    const { runner, model, shop } = await start(says('never'));

    const events = await say(runner, 'Look.');

    const request = await only(runner);
    expect(request).toMatchObject({
      kind: 'credential',
      tool: 'Shop',
      functionCallId: expect.stringMatching(/^_adk_toolset_auth_Shop_/) as unknown,
      authConfig: { authScheme: AUTH.scheme, credentialKey: 'shop' },
    });
    expect(events.at(-1)?.functionCalls).toMatchObject([
      { id: request.id, name: 'adk_request_credential', args: { functionCallId: request.functionCallId } },
    ]);
    expect([shop.listed, model.requests]).toEqual([[], []]);
  });

  it('is listed with it once it is supplied, and the agent goes on with the message', async () => {
    const { runner, model, shop } = await start(callsTool('look'), says('Found.'));
    const asked = await say(runner, 'Look.');

    const events = await eventsOf(runner.supply(await only(runner), SECRET));

    expect(events.at(-1)?.text).toBe('Found.');
    expect(shop.listed[0]).toEqual({ type: 'apiKey', apiKey: SECRET });
    expect(await runner.pending(ADDRESS)).toEqual([]);
    expect(JSON.stringify(model.requests[0]?.contents)).toBe('[{"role":"user","parts":[{"text":"Look."}]}]');
    const session = await runner.sessions.getSession({ appName: 'clerk', ...ADDRESS });
    for (const place of [asked, events, session?.events, session?.state, model.requests, shop.listed]) {
      expect(JSON.stringify(place)).not.toContain(SECRET);
    }
  });

  it('is not asked for again in a later conversation', async () => {
    const { runner } = await start(says('One.'), says('Two.'));
    await say(runner, 'Look.');
    await eventsOf(runner.supply(await only(runner), SECRET));

    const events = await eventsOf(runner.run({ ...ADDRESS, sessionId: 's2', message: 'Again.' }));

    expect(events.at(-1)?.text).toBe('Two.');
  });

  it('is listed beside another one when one message answers both', async () => {
    const shops = [new Shop(), new Depot()];
    const model = new ScriptedModel(says('Found.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: shops }), { model });
    await say(runner, 'Look.');
    const requests = await runner.pending(ADDRESS);
    expect(requests.map(({ tool }) => tool)).toEqual(['Shop', 'Depot']);

    const message = requests.map(({ id, tool }) => ({
      functionResponse: { id, response: { credential: `${tool}-key` } },
    }));
    const events = await eventsOf(runner.run({ ...ADDRESS, message }));

    expect(events.at(-1)?.text).toBe('Found.');
    expect(shops.map(({ listed }) => listed)).toEqual([
      [{ type: 'apiKey', apiKey: 'Shop-key' }],
      [{ type: 'apiKey', apiKey: 'Depot-key' }],
    ]);
  });

  it('S4 is answered once', async () => {
    const { runner } = await start(says('One.'));
    await say(runner, 'Look.');
    const request = await only(runner);
    await eventsOf(runner.supply(request, SECRET));

    await expect(eventsOf(runner.supply(request, 'other'))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
  });

  it('S1 is not listed because of a request that a user made up', async () => {
    const { runner, shop } = await start(says('never'));
    await say(runner, 'Look.');
    const { authConfig } = await only(runner);

    const response = { authConfig, credential: SECRET };
    const message = {
      functionResponse: { id: '_adk_toolset_auth_Shop', name: 'adk_request_credential', response },
    };

    await expect(eventsOf(runner.run({ ...ADDRESS, message }))).rejects.toMatchObject({
      code: 'REQUEST_NOT_PENDING',
    });
    expect(shop.listed).toEqual([]);
  });

  it('is listed with what the consent of the user is exchanged for, and anything else is refused', async () => {
    const shop = new Shop(CONSENT);
    const services = new ContainerModule(({ bind }) => {
      bind(CredentialExchanger).toConstantValue(new Consents());
    });
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [new Depot(), shop] }), {
      model: new ScriptedModel(says('Found.')),
      modules: [services],
    });
    await say(runner, 'Look.');
    const [key, consent] = await runner.pending(ADDRESS);

    await expect(eventsOf(runner.supply(consent ?? fail(), ''))).rejects.toThrow(
      'the address that the browser came back to',
    );
    await eventsOf(runner.supply(consent ?? fail(), { code: 'c-1', state: 's-1' }));
    await eventsOf(runner.supply(key ?? fail(), 'depot-key'));

    expect(shop.listed).toEqual([{ type: 'oauth2', accessToken: SECRET }]);
  });

  it('is asked for again where the consent cannot be exchanged, which is logged', async () => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();
    const shop = new Shop(CONSENT);
    const services = new ContainerModule(({ bind }) => {
      bind(CredentialExchanger).toConstantValue(
        new (class extends Consents {
          override endConsent(): Promise<never> {
            return Promise.reject(new Error('The server is down.'));
          }
        })(),
      );
    });
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [shop] }), {
      model: new ScriptedModel(says('Found.')),
      modules: [services],
    });
    await say(runner, 'Look.');
    const [consent] = await runner.pending(ADDRESS);

    await eventsOf(runner.supply(consent ?? fail(), { code: 'c-1', state: 's-1' }));

    expect([shop.listed, await runner.pending(ADDRESS)]).toMatchObject([[], [{ kind: 'credential' }]]);
    expect(warn).toHaveBeenCalledWith('the credential of a toolset could not be obtained', {
      agent: 'clerk',
      error: expect.any(Error) as Error,
    });
  });

  it('is asked for anew in the next run once its service has refused it', async () => {
    jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const { runner, shop } = await start(says('The shop is closed.'));
    await say(runner, 'Look.');
    shop.isRefusing = true;

    const events = await eventsOf(runner.supply(await only(runner), SECRET));
    await say(runner, 'Look again.');

    expect(events.map(({ text, customMetadata }) => text || customMetadata)).toEqual([
      {
        'adorn:toolsetFailed': {
          toolset: 'Shop',
          code: 'TOOLSET_FAILED',
          message: 'The toolset Shop failed: The service refused the credential.',
        },
      },
      'The shop is closed.',
    ]);

    expect((await only(runner)).kind).toBe('credential');
  });

  it('keeps its credential where it fails for another reason', async () => {
    jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const { runner, shop } = await start(says('The shop is closed.'), says('Open.'));
    await say(runner, 'Look.');
    shop.isDown = true;
    await eventsOf(runner.supply(await only(runner), SECRET));
    shop.isDown = false;

    const events = await say(runner, 'Look again.');

    expect(events.map(({ text }) => text)).toEqual(['Open.']);
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });

  it('goes on in the sub-agent that has it', async () => {
    const shop = new Shop();
    const clerk = defineAgent({ name: 'clerk', description: 'Sells.', tools: [shop] });
    const model = new ScriptedModel(callsTool('transfer_to_agent', { agentName: 'clerk' }), says('Found.'));
    const runner = await createRunner(defineAgent({ name: 'desk', subAgents: [clerk] }), { model });
    await say(runner, 'Look.');

    const events = await eventsOf(runner.supply(await only(runner), SECRET));

    expect(events.map(({ author, text }) => [author, text]).at(-1)).toEqual(['clerk', 'Found.']);
  });

  it.each<[string, unknown, string]>([
    ['an unknown scheme', { scheme: { type: 'saml' }, key: 'k' }, 'AUTH_CONFIG_INVALID'],
    [
      'OAuth and no exchanger',
      {
        scheme: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://as.test/token' } } },
        credential: { type: 'oauthClient', clientId: 'c' },
      },
      'CREDENTIAL_EXCHANGER_MISSING',
    ],
  ])('is refused when the runner is created, with %s', async (_what, auth, code) => {
    const tools = [new Shop(auth as AuthConfig)];

    await expect(
      createRunner(defineAgent({ name: 'clerk', tools }), { model: new ScriptedModel() }),
    ).rejects.toMatchObject({ code, message: expect.stringMatching(/Shop|its auth/) as unknown });
  });
});

const AUTH: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };

const CONSENT: AuthConfig = {
  scheme: {
    type: 'oauth2',
    flows: {
      authorizationCode: { authorizationUrl: 'https://as.test/auth', tokenUrl: 'https://as.test/token' },
    },
  },
  credential: { type: 'oauthClient', clientId: 'app' },
  key: 'calendar',
};

class Shop extends Toolset {
  readonly listed: unknown[] = [];
  isRefusing = false;
  isDown = false;

  constructor(override readonly auth: AuthConfig = AUTH) {
    super();
  }

  listTools({ credential }: ToolsetContext): Tool[] {
    this.listed.push(credential);
    if (this.isRefusing) throw new CredentialRejectedError();
    if (this.isDown) throw new ToolError('The service is down.');
    return [new FunctionTool({ name: 'look', description: '', run: () => 'seen' })];
  }
}

class Depot extends Shop {
  constructor() {
    super({ ...AUTH, key: 'depot' });
  }

  override listTools(context: ToolsetContext): Tool[] {
    super.listTools(context);
    return [];
  }
}

async function start(...steps: readonly ScriptedStep[]) {
  const shop = new Shop();
  const model = new ScriptedModel(...steps);
  return {
    shop,
    model,
    runner: await createRunner(defineAgent({ name: 'clerk', tools: [shop] }), { model }),
  };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...ADDRESS, message }));
}

function fail(): never {
  throw new Error('nothing is pending');
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(ADDRESS);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}

class Consents extends CredentialExchanger {
  handles({ scheme }: AuthConfig): boolean {
    return scheme.type === 'oauth2';
  }

  exchange(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override beginConsent(): Promise<Consent> {
    return Promise.resolve({ shown: { state: 's-1', authUri: 'https://as.test/auth' }, secrets: {} });
  }

  override endConsent(): Promise<AuthCredential> {
    return Promise.resolve({ type: 'oauth2', accessToken: SECRET });
  }
}
