import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { CredentialExchanger, type FunctionToolFields } from '../backend.js';
import {
  type AgentClass,
  agentTool,
  type AuthConfig,
  type AuthCredential,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  CredentialRejectedError,
  CredentialService,
  defineAgent,
  FunctionTool,
  InMemoryCredentialService,
  InMemorySessionService,
  workflow,
  type PendingRequest,
  type Runner,
  SessionService,
  type ToolContext,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const OWNER = { appName: 'clerk', userId: 'ada' };
const KEY_AUTH: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };

describe('a tool whose service refuses the credential', () => {
  it('has a mistyped one asked for again with the reason, and the approval holds', async () => {
    const { runner, ran, store } = await start({
      auth: KEY_AUTH,
      accepts: ({ apiKey }) => apiKey === 'good',
      tool: { confirm: true },
    });
    await runner.run({ ...ADDRESS, message: 'Look.' });

    await runner.approve(await asked(runner, 'confirmation'));
    const first = await asked(runner, 'credential');
    await runner.supply(first, 'bda');
    const second = await asked(runner, 'credential');
    const { text, status } = await runner.supply(second, 'good');

    expect(first.hint).toBeUndefined();
    expect(second.hint).toBe('The service refused the credential. Supply another one: attempt 2 of 3.');
    expect([text, status]).toEqual(['Done.', 'answered']);
    expect(ran).toMatchObject([{ apiKey: 'bda' }, { apiKey: 'good' }]);
    expect(await store.load(OWNER, 'shop')).toMatchObject({ apiKey: 'good' });
  });

  it('is asked for three times in all, in processes that know each other by the log alone', async () => {
    const parts = { auth: KEY_AUTH, accepts: () => false, sessions: new InMemorySessionService() };
    const { runner } = await start(parts);
    await runner.run({ ...ADDRESS, message: 'Look.' });
    let request = await asked(runner, 'credential');

    const hints: unknown[] = [];
    for (const key of ['one', 'two']) {
      const { runner: next } = await start(parts);
      await next.supply(request, key);
      request = await asked(next, 'credential');
      hints.push(request.hint);
    }
    const { runner: last, store } = await start({ ...parts, steps: [says('Done.')] });
    const { events, text } = await last.supply(request, 'three');

    expect(hints).toEqual(
      [2, 3].map((n) => `The service refused the credential. Supply another one: attempt ${String(n)} of 3.`),
    );
    expect(events.flatMap(({ functionResponses }) => functionResponses)).toMatchObject([
      { response: { error: 'The service refused the credential.' } },
    ]);
    expect(text).toBe('Done.');
    expect(await last.pending(ADDRESS)).toEqual([]);
    expect(await store.load(OWNER, 'shop')).toBeUndefined();
  });

  it.each<[string, (agent: AgentClass) => AgentClass<unknown>]>([
    [
      'an agent that is a tool',
      (agent) =>
        defineAgent({
          name: 'boss',
          tools: [agentTool(agent)],
          model: new ScriptedModel(callsTool('clerk', { request: 'Look.' }), says('Done.')),
        }),
    ],
    [
      'a branch of a parallel agent',
      (agent) =>
        workflow.parallel(agent, defineAgent({ name: 'other', model: new ScriptedModel(says('Hi.')) })),
    ],
  ])('has a mistyped one asked for again in %s', async (_what, around) => {
    const { runner, ran } = await start({
      auth: KEY_AUTH,
      accepts: ({ apiKey }) => apiKey === 'good',
      around,
    });
    await runner.run({ ...ADDRESS, message: 'Look.' });

    await runner.supply(await asked(runner, 'credential'), 'bda');
    const { status } = await runner.supply(await asked(runner, 'credential'), 'good');

    expect(status).toBe('answered');
    expect(ran).toMatchObject([{ apiKey: 'bda' }, { apiKey: 'good' }]);
  });

  it('is no failure in the log: a person is asked, and the model is told', async () => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockImplementation(() => undefined);
    const { runner } = await start({ auth: KEY_AUTH, accepts: () => false });
    await runner.run({ ...ADDRESS, message: 'Look.' });

    await runner.supply(await asked(runner, 'credential'), 'bda');

    const lines = warn.mock.calls.map(([line]) => line).filter((line) => line.includes('failed'));
    warn.mockRestore();
    expect(lines).toEqual([]);
  });

  it('has one asked for again that the tool asked for while it ran', async () => {
    const keys: unknown[] = [];
    const { runner } = await start({
      auth: undefined,
      accepts: () => true,
      tool: {
        run: async (_args, context) => {
          const found = await context.requestCredential(KEY_AUTH);
          keys.push({ ...found });
          if (found.type === 'apiKey' && found.apiKey !== 'good')
            throw new CredentialRejectedError('No such key.');
          return 'seen';
        },
      },
    });
    await runner.run({ ...ADDRESS, message: 'Look.' });

    await runner.supply(await asked(runner, 'credential'), 'bda');
    const request = await asked(runner, 'credential');
    const { status } = await runner.supply(request, 'good');

    expect(request.hint).toBe('No such key. Supply another one: attempt 2 of 3.');
    expect(status).toBe('answered');
    expect(keys).toMatchObject([{ apiKey: 'bda' }, { apiKey: 'good' }]);
  });

  it('has the stored one deleted and asks for another, which is not kept either if it is refused', async () => {
    const { runner, ran, store } = await start({ auth: KEY_AUTH, accepts: () => false });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));
    const [request] = await runner.pending(ADDRESS);
    const deleted = await store.load(OWNER, 'shop');
    if (request === undefined) throw new Error('Nothing is asked.');
    await runner.supply(request, 'new');

    expect(deleted).toBeUndefined();
    expect(ran).toMatchObject([{ apiKey: 'old' }, { apiKey: 'new' }]);
    expect(await runner.pending(ADDRESS)).toHaveLength(1);
    expect(await store.load(OWNER, 'shop')).toBeUndefined();
  });

  it('runs again with one that is obtained without asking, once', async () => {
    let exchanged = 0;
    class Vault extends CredentialExchanger {
      handles() {
        return true;
      }

      exchange(): Promise<AuthCredential> {
        exchanged++;
        return Promise.resolve({ type: 'apiKey', apiKey: `vault-${String(exchanged)}` });
      }
    }
    const { runner, ran, store } = await start({
      auth: KEY_AUTH,
      accepts: ({ apiKey }) => apiKey === 'vault-1',
      exchanger: new Vault(),
    });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));

    expect(events.at(-1)?.text).toBe('Done.');
    expect(ran).toMatchObject([{ apiKey: 'old' }, { apiKey: 'vault-1' }]);
  });

  it("fails where the credential is the application's own, without running again", async () => {
    const credential: AuthCredential = { type: 'apiKey', apiKey: 'own' };
    const { runner, ran } = await start({ auth: { ...KEY_AUTH, credential }, accepts: () => false });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));

    expect(ran).toHaveLength(1);
    expect(await runner.pending(ADDRESS)).toEqual([]);
  });

  it('fails without running again where the store keeps giving the same', async () => {
    const { runner, ran, store } = await start({ auth: KEY_AUTH, accepts: () => false });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });
    store.delete = () => Promise.resolve();

    await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));

    expect(ran).toHaveLength(2);
  });

  it('fails its call where the store does not delete the credential in time, and the model reads why', async () => {
    const { runner, store } = await start({
      auth: KEY_AUTH,
      accepts: () => false,
      tool: { checkTimeout: 1 },
    });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });
    store.delete = () => new Promise(() => undefined);

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));

    expect(events.flatMap(({ functionResponses }) => functionResponses)[0]?.response).toEqual({
      error:
        'The credential store of the tool "look" did not answer within 1 ms. Try again later, or continue without it.',
    });
  });

  it('may have found the credential itself', async () => {
    const seen: unknown[] = [];
    const { runner, store } = await start({
      auth: undefined,
      accepts: () => true,
      tool: {
        run: async (_args, context) => {
          const found = await context.getAuthResponse({ ...KEY_AUTH, shared: true });
          seen.push(found);
          if (found === undefined) return 'nothing';
          throw new CredentialRejectedError();
        },
      },
    });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });

    const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));

    expect(seen).toEqual([{ type: 'apiKey', apiKey: 'old' }, undefined]);
    expect(JSON.stringify(seen)).not.toContain('old');
    expect(events.at(-1)?.text).toBe('Done.');
  });
});

const STEPS = [callsTool('look'), says('Done.')];

interface Parts {
  readonly auth: AuthConfig | undefined;
  readonly accepts: (credential: { readonly apiKey?: string }) => boolean;
  readonly exchanger?: CredentialExchanger;
  readonly tool?: Partial<FunctionToolFields>;
  readonly sessions?: SessionService;
  readonly steps?: readonly ScriptedStep[];
  readonly around?: (agent: AgentClass) => AgentClass<unknown>;
}

async function asked(runner: Runner<unknown>, kind: PendingRequest['kind']): Promise<PendingRequest> {
  const found = (await runner.pending(ADDRESS)).find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`No ${kind} is asked for.`);
  return found;
}

async function start({
  auth,
  accepts,
  exchanger,
  tool,
  sessions,
  steps = STEPS,
  around = (agent) => agent,
}: Parts) {
  const ran: unknown[] = [];
  const store = new InMemoryCredentialService();
  const look = new FunctionTool({
    name: 'look',
    description: '',
    auth,
    run: (_args: unknown, { credential }: ToolContext) => {
      ran.push({ ...credential });
      if (!accepts({ ...(credential as { apiKey?: string }) })) throw new CredentialRejectedError();
      return 'seen';
    },
    ...tool,
  });
  const model = new ScriptedModel(...steps);
  const services = new ContainerModule(({ bind }) => {
    bind(CredentialService).toConstantValue(store);
    if (sessions !== undefined) bind(SessionService).toConstantValue(sessions);
    if (exchanger !== undefined) bind(CredentialExchanger).toConstantValue(exchanger);
  });
  const clerk = defineAgent({ name: 'clerk', tools: [look], model });
  const runner = await createRunner(around(clerk), {
    appName: 'clerk',
    modules: [services],
  });
  return { runner, ran, store };
}
