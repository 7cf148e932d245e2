import { inspect } from 'node:util';

import { Clock } from '../runtime/clock.js';
import { Logger, type LogFacts } from '../runtime/logger.js';
import type { AuthConfig } from './auth-config.js';
import type { AuthCredential, OAuth2Credential } from './auth-credential.js';
import { type Consent, CredentialExchanger, CredentialRefresher } from './credential-exchanger.js';
import { CredentialResolver } from './credential-resolver.js';
import { CredentialExchangeError } from './errors.js';
import { InMemoryCredentialService } from './credential.service.js';
import { type ConsentAnswer, type CredentialAnswer, requestedAuthConfig } from './requested-auth-config.js';

const NOW = 1_000;

describe('the credential of a tool', () => {
  it("is the application's own, before any other", async () => {
    const own = tokens('own');
    const { resolver, store } = open();
    await store.save(ADA, 'calendar', tokens('stored'));

    await expect(resolver.find(ADA, { ...CALENDAR, credential: own })).resolves.toEqual({
      credential: own,
      isStored: false,
    });
  });

  it('is the stored one where the own has expired', async () => {
    const { resolver, store } = open();
    await store.save(ADA, 'calendar', tokens('stored'));

    const own = tokens('own', NOW - 1);

    await expect(resolver.find(ADA, { ...CALENDAR, credential: own })).resolves.toMatchObject({
      credential: tokens('stored'),
      isStored: true,
    });
  });

  it('is the one just supplied, before the stored one', async () => {
    const { resolver, store } = open();
    await store.save(ADA, 'calendar', tokens('stored'));

    await expect(resolver.find(ADA, CALENDAR, supplied('new', 'calendar'))).resolves.toEqual({
      credential: tokens('new'),
      isStored: false,
    });
  });

  it('is never one that was supplied for another key', async () => {
    const { resolver } = open({ exchangers: [new Exchanger()] });

    await expect(resolver.find(ADA, CALENDAR, supplied('other', 'mail'))).resolves.toBeUndefined();
  });

  it("is nobody else's", async () => {
    const { resolver, store } = open();
    await store.save({ ...ADA, userId: 'bob' }, 'calendar', tokens('bob'));

    await expect(resolver.find(ADA, CALENDAR)).resolves.toBeUndefined();
  });

  it.each([
    ['61 seconds before its end', NOW + 61, 'stored'],
    ['60 seconds before its end', NOW + 60, 'refreshed-1'],
    ['after its end', NOW - 1, 'refreshed-1'],
  ])('%s is %s', async (_when, expiresAt, accessToken) => {
    const { resolver, store } = open({ refreshers: [new Refresher()] });
    await store.save(ADA, 'calendar', tokens('stored', expiresAt));

    await expect(resolver.find(ADA, CALENDAR)).resolves.toMatchObject({ credential: { accessToken } });
  });

  it('is stored before it is used, once it was refreshed', async () => {
    const { resolver, store } = open({ refreshers: [new Refresher()] });
    await store.save(ADA, 'calendar', tokens('old', NOW));

    await resolver.find(ADA, CALENDAR);

    expect(await store.load(ADA, 'calendar')).toEqual(tokens('refreshed-1'));
  });

  it('is not used where what was refreshed cannot be stored', async () => {
    const { resolver, store } = open({ refreshers: [new Refresher()] });
    await store.save(ADA, 'calendar', tokens('old', NOW));
    store.save = () => Promise.reject(new Error('The disk is full.'));

    await expect(resolver.find(ADA, CALENDAR)).rejects.toThrow('The disk is full.');
  });

  it('is refreshed once for calls that need it at one time, and for each user', async () => {
    const refresher = new Refresher();
    const { resolver, store } = open({ refreshers: [refresher] });
    for (const user of [ADA, BOB]) await store.save(user, 'calendar', tokens('old', NOW));

    const found = await Promise.all([ADA, ADA, BOB, ADA].map((user) => resolver.find(user, CALENDAR)));

    expect(refresher.calls).toBe(2);
    expect(new Set(found.map((one) => (one?.credential as OAuth2Credential).accessToken)).size).toBe(2);
  });

  it('is asked for anew, and no longer stored, where it cannot be refreshed any more', async () => {
    const { resolver, store } = open({ refreshers: [new Refresher(() => undefined)] });
    await store.save(ADA, 'calendar', tokens('old', NOW));

    await expect(resolver.find(ADA, CALENDAR)).resolves.toBeUndefined();
    expect(await store.load(ADA, 'calendar')).toBeUndefined();
  });

  it('stays stored, and the call fails, where nobody knows whether it can be refreshed', async () => {
    const { resolver, store } = open({ refreshers: [new Refresher(unreachable)] });
    await store.save(ADA, 'calendar', tokens('old', NOW - 1));

    await expect(resolver.find(ADA, CALENDAR)).rejects.toThrow('unreachable');
    expect(await store.load(ADA, 'calendar')).toEqual(tokens('old', NOW - 1));
  });

  it('is used while it lasts where it cannot be refreshed now, and the log does not tell it', async () => {
    const refresher = new Refresher(() => {
      throw new Error('unreachable with old-token-canary');
    });
    const { resolver, store, log } = open({ refreshers: [refresher] });
    await store.save(ADA, 'calendar', tokens('old-token-canary', NOW + 30));

    await expect(resolver.find(ADA, CALENDAR)).resolves.toMatchObject({
      credential: { accessToken: 'old-token-canary' },
    });
    expect(log.lines).toEqual([
      [
        'a credential could not be refreshed, and is used while it lasts',
        { error: 'Error: unreachable with [redacted]' },
      ],
    ]);
  });

  it.each<[string, () => Given]>([
    ['refused', () => undefined],
    ['failed', unreachable],
  ])('is the one that another process stored where its own refresh was %s', async (_how, ending) => {
    const { resolver, store } = open({
      refreshers: [
        new Refresher(async () => {
          await store.save(ADA, 'calendar', tokens('of the other'));
          return ending();
        }),
      ],
    });
    await store.save(ADA, 'calendar', tokens('old', NOW));

    await expect(resolver.find(ADA, CALENDAR)).resolves.toMatchObject({
      credential: tokens('of the other'),
      isStored: true,
    });
    expect(await store.load(ADA, 'calendar')).toEqual(tokens('of the other'));
  });

  it('is exchanged once for calls that need it at one time, stored, and not exchanged again', async () => {
    const exchanger = new Exchanger(() => tokens('exchanged'));
    const { resolver, store } = open({ exchangers: [exchanger] });

    await Promise.all([resolver.find(ADA, CALENDAR), resolver.find(ADA, CALENDAR)]);
    await resolver.find(ADA, CALENDAR);

    expect(exchanger.exchanged).toBe(1);
    expect(await store.load(ADA, 'calendar')).toEqual(tokens('exchanged'));
  });

  it('is looked for once by calls that need it at one time, also where there is none', async () => {
    const exchanger = new Exchanger(() => undefined);
    const { resolver } = open({ exchangers: [exchanger] });

    const found = await Promise.all([resolver.find(ADA, CALENDAR), resolver.find(ADA, CALENDAR)]);

    expect(found).toEqual([undefined, undefined]);
    expect(exchanger.exchanged).toBe(1);
  });

  it.each<[string, AuthCredential | undefined]>([
    ['is there', tokens('stored')],
    ['is not', undefined],
  ])('is asked of the store once where it %s and nobody could obtain another', async (_what, stored) => {
    const { resolver, store } = open();
    if (stored !== undefined) await store.save(ADA, 'calendar', stored);
    const load = jest.spyOn(store, 'load');

    expect((await resolver.find(ADA, CALENDAR))?.credential).toEqual(stored);

    expect(load).toHaveBeenCalledTimes(1);
  });

  it('fails its call where its server does not answer in time, and holds up no later one', async () => {
    const late = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    const exchanger = new Exchanger(() => tokens('exchanged'));
    const { resolver } = open({ exchangers: [exchanger] });
    jest.spyOn(exchanger, 'exchange').mockReturnValueOnce(new Promise(() => undefined));
    const found = resolver.find(ADA, CALENDAR);
    setImmediate(() => {
      late.abort();
    });

    await expect(found).rejects.toMatchObject({
      code: 'CREDENTIAL_EXCHANGE_FAILED',
      message: expect.stringContaining('did not answer in time') as string,
    });
    timeout.mockRestore();
    await expect(resolver.find(ADA, CALENDAR)).resolves.toMatchObject({ credential: tokens('exchanged') });
  });

  it('of a server whose tokens last shorter than the leeway is used once each', async () => {
    const exchanger = new Exchanger(() => tokens('short', NOW + 5));
    const { resolver } = open({ exchangers: [exchanger] });

    await resolver.find(ADA, CALENDAR);
    await resolver.find(ADA, CALENDAR);

    expect(exchanger.exchanged).toBe(2);
  });

  it.each<[string, unknown]>([
    ['nothing that is a credential', {}],
    ['a credential of another type', { type: 'apiKey', apiKey: 'k' }],
    ['an empty token', { type: 'oauth2', accessToken: '' }],
  ])('is refused where an exchanger gives %s', async (_what, given) => {
    const { resolver, store } = open({ exchangers: [new Exchanger(() => given as AuthCredential)] });

    const found = resolver.find(ADA, CALENDAR);

    await expect(found).rejects.toMatchObject({ code: 'CREDENTIAL_EXCHANGE_FAILED' });
    expect(await store.load(ADA, 'calendar')).toBeUndefined();
  });

  it('is asked for where an exchanger gives nothing, or null', async () => {
    for (const nothing of [undefined, null]) {
      const { resolver } = open({ exchangers: [new Exchanger(() => nothing as undefined)] });

      await expect(resolver.find(ADA, CALENDAR)).resolves.toBeUndefined();
    }
  });

  it('comes from the exchanger that was bound last', async () => {
    const { resolver } = open({
      exchangers: [new Exchanger(() => tokens('first')), new Exchanger(() => tokens('last'))],
    });

    await expect(resolver.find(ADA, CALENDAR)).resolves.toMatchObject({ credential: tokens('last') });
  });

  it.each<[string, unknown]>([
    ['an unknown scheme', { ...calendar(), scheme: { type: 'saml' } }],
    ['no scheme', { key: 'k' }],
    ['no client', { scheme: calendar().scheme }],
    ['nothing', undefined],
  ])('is not looked for where the config has %s', async (_what, config) => {
    const { resolver } = open({ exchangers: [new Exchanger(() => tokens('any'))] });

    await expect(resolver.find(ADA, config as AuthConfig)).rejects.toMatchObject({
      code: 'AUTH_CONFIG_INVALID',
    });
  });
});

describe('a consent', () => {
  it('is shown without its secrets, which are stored with the credentials of the user', async () => {
    const { resolver, store } = open({ exchangers: [new Exchanger()] });

    const request = await resolver.request(ADA, CALENDAR);

    expect(request).toEqual({
      authScheme: CALENDAR.scheme,
      rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'app' } },
      exchangedAuthCredential: {
        authType: 'oauth2',
        oauth2: { clientId: 'app', state: 'state-1', authUri: 'https://as.test/auth' },
      },
      credentialKey: 'calendar',
    });
    expect(JSON.stringify(request)).not.toContain('canary');
    expect(JSON.stringify({ ...(await store.load(ADA, 'consent:state-1')) })).toContain('verifier-canary');
  });

  it('is shown under the type of its scheme where that is OpenID Connect', () => {
    const scheme = { type: 'openIdConnect', openIdConnectUrl: 'https://as.test/openid' } as const;

    const { rawAuthCredential } = requestedAuthConfig({ ...CALENDAR, scheme });

    expect(rawAuthCredential?.authType).toBe('openIdConnect');
  });

  it('is shown with the redirect URI of its client', () => {
    const credential = {
      type: 'oauthClient',
      clientId: 'app',
      redirectUri: 'https://app.test/back',
    } as const;

    expect(requestedAuthConfig({ ...CALENDAR, credential }).rawAuthCredential).toEqual({
      authType: 'oauth2',
      oauth2: { clientId: 'app', redirectUri: 'https://app.test/back' },
    });
    expect(requestedAuthConfig(CALENDAR).rawAuthCredential?.oauth2).toEqual({ clientId: 'app' });
  });

  it('is begun once for calls that ask at one time', async () => {
    const { resolver } = open({ exchangers: [new Exchanger()] });

    const [one, other] = await Promise.all([
      resolver.request(ADA, CALENDAR),
      resolver.request(ADA, CALENDAR),
    ]);

    expect(one).toBe(other);
  });

  it('gives a credential once: another answer of its state finds what is stored', async () => {
    const exchanger = new Exchanger(undefined, () => tokens('consented'));
    const { resolver, store } = open({ exchangers: [exchanger] });
    await resolver.request(ADA, CALENDAR);

    const found = [
      await resolver.find(ADA, CALENDAR, consented('state-1')),
      await resolver.find(ADA, CALENDAR, consented('state-1')),
    ];

    expect(exchanger.ended).toEqual([{ verifier: 'verifier-canary' }]);
    expect(found).toMatchObject([{ isStored: false }, { isStored: true }]);
    expect(await store.load(ADA, 'consent:state-1')).toBeUndefined();
  });

  it.each<[string, CredentialAnswer]>([
    [
      'of a state that nobody began',
      { kind: 'consent', key: 'calendar', consent: { state: 's', parameters: {} } },
    ],
    ['of another key', { kind: 'consent', key: 'mail', consent: { state: 'state-1', parameters: {} } }],
  ])('%s gives nothing', async (_what, answer) => {
    const exchanger = new Exchanger(undefined, () => tokens('consented'));
    const { resolver } = open({ exchangers: [exchanger] });
    await resolver.request(ADA, CALENDAR);

    await expect(resolver.find(ADA, CALENDAR, answer)).resolves.toBeUndefined();
    expect(exchanger.ended).toEqual([]);
  });

  it('of another user gives nothing', async () => {
    const exchanger = new Exchanger(undefined, () => tokens('consented'));
    const { resolver } = open({ exchangers: [exchanger] });
    await resolver.request(ADA, CALENDAR);

    await expect(resolver.find(BOB, CALENDAR, consented('state-1'))).resolves.toBeUndefined();
    expect(exchanger.ended).toEqual([]);
  });

  it('is used up by an exchange that fails', async () => {
    const exchanger = new Exchanger(undefined, unreachable);
    const { resolver } = open({ exchangers: [exchanger] });
    await resolver.request(ADA, CALENDAR);

    await expect(resolver.find(ADA, CALENDAR, consented('state-1'))).rejects.toThrow('unreachable');
    await expect(resolver.find(ADA, CALENDAR, consented('state-1'))).resolves.toBeUndefined();
  });

  it('that was not given yet stays open, and is shown again', async () => {
    let isGiven = false;
    const exchanger = new Exchanger(undefined, () => (isGiven ? tokens('consented') : undefined));
    const { resolver } = open({ exchangers: [exchanger] });
    const request = await resolver.request(ADA, CALENDAR);

    const early = await resolver.find(ADA, CALENDAR, consented('state-1'));
    const again = await resolver.request(ADA, CALENDAR, consented('state-1'));
    isGiven = true;

    expect([early, again]).toEqual([undefined, request]);
    await expect(resolver.find(ADA, CALENDAR, consented('state-1'))).resolves.toMatchObject({
      credential: tokens('consented'),
    });
  });

  it.each([
    ['is no consent', { type: 'custom', values: { other: 'x' } }],
    ['is damaged', { type: 'custom', values: { shown: 'verifier-canary', secrets: '{' } }],
    ['is another credential', { type: 'apiKey', apiKey: 'k' }],
  ])('gives nothing where what is stored of it %s', async (_what, stored) => {
    const exchanger = new Exchanger(undefined, () => tokens('consented'));
    const { resolver, store } = open({ exchangers: [exchanger] });
    await store.save(ADA, 'consent:state-1', stored as AuthCredential);

    await expect(resolver.find(ADA, CALENDAR, consented('state-1'))).resolves.toBeUndefined();
    expect(exchanger.ended).toEqual([]);
  });

  it('is exchanged although a call without it was looking at the same time', async () => {
    const exchanger = new Exchanger(undefined, () => tokens('consented'));
    const { resolver } = open({ exchangers: [exchanger] });
    await resolver.request(ADA, CALENDAR);

    const found = await Promise.all([
      resolver.find(ADA, CALENDAR),
      resolver.find(ADA, CALENDAR, consented('state-1')),
    ]);

    expect(found[1]).toMatchObject({ credential: tokens('consented') });
  });
});

describe('a tool whose credential can never be obtained', () => {
  it('is refused with what to bind', () => {
    expect(() => {
      open().resolver.check('the tool "look"', CALENDAR);
    }).toThrow(
      expect.objectContaining({
        code: 'CREDENTIAL_EXCHANGER_MISSING',
        message:
          'No CredentialExchanger is bound for the oauth2 scheme of the tool "look", so its credential can never be ' +
          'obtained. Bind oauth() of @adorn/oauth: createRunner(Agent, { modules: [oauth()] }), or a ' +
          'CredentialExchanger of your own.',
      }) as Error,
    );
  });

  it('is refused with the service account, which is what wants an exchanger, and not with its scheme', () => {
    const robot: AuthConfig = {
      scheme: { type: 'http', scheme: 'bearer' },
      credential: {
        type: 'serviceAccount',
        clientEmail: 'robot@as.test',
        privateKey: 'secret-canary',
        tokenUrl: 'https://as.test/token',
      },
      key: 'robot',
    };

    expect(() => {
      open().resolver.check('the tool "look"', robot);
    }).toThrow('No CredentialExchanger is bound for the service account of the tool "look", so');
  });

  it('never pauses for a question that nobody can answer', async () => {
    class WithoutConsent extends CredentialExchanger {
      handles() {
        return true;
      }

      exchange() {
        return Promise.resolve(undefined);
      }
    }
    const { resolver } = open({ exchangers: [new WithoutConsent()] });

    await expect(resolver.request(ADA, CALENDAR)).rejects.toMatchObject({
      code: 'CREDENTIAL_EXCHANGE_FAILED',
    });
    await expect(open().resolver.request(ADA, CALENDAR)).rejects.toMatchObject({
      code: 'CREDENTIAL_EXCHANGER_MISSING',
      message: expect.stringContaining('the oauth2 scheme of the tool, so') as unknown,
    });
  });
});

describe('an error of an exchanger', () => {
  const CODE: CredentialAnswer = {
    kind: 'consent',
    key: 'calendar',
    consent: { state: 'state-1', parameters: { state: 'state-1', code: 'code-canary' } },
  };
  const leak = (): never => {
    const config = { data: { nested: { secret: 'secret-canary' } } };
    throw Object.assign(new TypeError('400 for code-canary, verifier-canary and secret-canary'), { config });
  };
  const ended = async (throws: () => never): Promise<unknown> => {
    const { resolver } = open({ exchangers: [new Exchanger(undefined, throws)] });
    await resolver.request(ADA, CALENDAR);
    return resolver.find(ADA, CALENDAR, CODE).catch((error: unknown) => error);
  };

  it('holds none of the secrets that it was given', async () => {
    const error = (await ended(leak)) as Error;

    expect([error.name, error.message]).toEqual([
      'TypeError',
      '400 for [redacted], [redacted] and [redacted]',
    ]);
    expect(inspect(error, { depth: 10 })).not.toContain('canary');
  });

  it('keeps its code, by which its message reaches the model', async () => {
    const error = await ended(() => {
      throw new CredentialExchangeError('The server refused code-canary.');
    });

    expect(error).toMatchObject({
      code: 'CREDENTIAL_EXCHANGE_FAILED',
      message: 'The server refused [redacted].',
    });
  });

  it('is passed on as it is if it holds no secret', async () => {
    const thrown = new Error('The server is down.');

    expect(
      await ended(() => {
        throw thrown;
      }),
    ).toBe(thrown);
  });

  it('is cleaned when a credential is obtained, refreshed or asked for, too', async () => {
    const { resolver } = open({ exchangers: [new Exchanger(leak)] });
    const stale = open({
      refreshers: [
        new Refresher(() => {
          throw new Error('old-canary and secret-canary');
        }),
      ],
    });
    await stale.store.save(ADA, 'calendar', tokens('old-canary', NOW - 1));

    for (const one of [resolver, stale.resolver]) {
      const error: unknown = await one.find(ADA, CALENDAR).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 10 })).not.toMatch(/secret-canary|old-canary/);
    }
  });
});

const ADA = { appName: 'app', userId: 'ada' };
const BOB = { appName: 'app', userId: 'bob' };
const CALENDAR: AuthConfig = calendar();

/** A function, because the rows of a table are made before the constants below them are. */
function calendar(): AuthConfig {
  const flow = { authorizationUrl: 'https://as.test/auth', tokenUrl: 'https://as.test/token' };
  return {
    scheme: { type: 'oauth2', flows: { authorizationCode: flow } },
    credential: { type: 'oauthClient', clientId: 'app', clientSecret: 'secret-canary' },
    key: 'calendar',
  };
}

function open(
  parts: {
    readonly exchangers?: readonly CredentialExchanger[];
    readonly refreshers?: readonly CredentialRefresher[];
  } = {},
) {
  const store = new InMemoryCredentialService();
  const log = new ListLogger();
  return {
    store,
    log,
    resolver: new CredentialResolver({
      credentials: store,
      clock: new StoppedClock(),
      logger: log,
      ...parts,
    }),
  };
}

function tokens(accessToken: string, expiresAt?: number): OAuth2Credential {
  return { type: 'oauth2', accessToken, ...(expiresAt !== undefined && { expiresAt }) };
}

function supplied(accessToken: string, key: string): CredentialAnswer {
  return { kind: 'credential', key, credential: tokens(accessToken) };
}

function consented(state: string): CredentialAnswer {
  return { kind: 'consent', key: 'calendar', consent: { state, parameters: { code: 'c' } } };
}

function unreachable(): never {
  throw new Error('unreachable');
}

class StoppedClock extends Clock {
  now(): number {
    return NOW;
  }
}

type Given = AuthCredential | undefined | Promise<AuthCredential | undefined>;

class Exchanger extends CredentialExchanger {
  exchanged = 0;
  begun = 0;
  readonly ended: unknown[] = [];

  constructor(
    private readonly give: () => Given = () => undefined,
    private readonly end: () => Given = () => undefined,
  ) {
    super();
  }

  handles(): boolean {
    return true;
  }

  async exchange() {
    this.exchanged++;
    return this.give();
  }

  override async beginConsent(): Promise<Consent> {
    this.begun++;
    const state = `state-${String(this.begun)}`;
    return { shown: { state, authUri: 'https://as.test/auth' }, secrets: { verifier: 'verifier-canary' } };
  }

  override async endConsent(_config: AuthConfig, { secrets }: Consent, _answer: ConsentAnswer) {
    const given = await this.end();
    this.ended.push(secrets);
    return given;
  }
}

class Refresher extends CredentialRefresher {
  calls = 0;

  constructor(
    private readonly give: (call: number) => Given = (call) => tokens(`refreshed-${String(call)}`),
  ) {
    super();
  }

  handles(): boolean {
    return true;
  }

  async refresh() {
    this.calls++;
    return this.give(this.calls);
  }
}

class ListLogger extends Logger {
  readonly lines: [string, LogFacts | undefined][] = [];

  debug(): void {
    // Not kept.
  }

  info(): void {
    // Not kept.
  }

  warn(message: string, facts?: LogFacts): void {
    this.lines.push([message, facts]);
  }

  error(): void {
    // Not kept.
  }
}
