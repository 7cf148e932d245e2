import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  type AuthConfig,
  type AuthCredential,
  ContainerModule,
  createRunner,
  CredentialExchanger,
  CredentialRejectedError,
  CredentialService,
  defineAgent,
  FunctionTool,
  type FunctionToolFields,
  InMemoryCredentialService,
  type ToolContext,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const OWNER = { appName: 'clerk', userId: 'ada' };
const KEY_AUTH: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };

describe('a tool whose service refuses the credential', () => {
  it('has the stored one deleted and asks for another, once, which is not kept either if it is refused', async () => {
    const { runner, ran, store } = await start({ auth: KEY_AUTH, accepts: () => false });
    await store.save(OWNER, 'shop', { type: 'apiKey', apiKey: 'old' });

    await eventsOf(runner.run({ ...ADDRESS, message: 'Look.' }));
    const [request] = await runner.pending(ADDRESS);
    const deleted = await store.load(OWNER, 'shop');
    if (request === undefined) throw new Error('Nothing is asked.');
    const events = await eventsOf(runner.supply(request, 'new'));

    expect(deleted).toBeUndefined();
    expect(ran).toMatchObject([{ apiKey: 'old' }, { apiKey: 'new' }]);
    expect(await runner.pending(ADDRESS)).toEqual([]);
    expect(
      events.find(({ functionResponses }) => functionResponses[0]?.name === 'look')?.functionResponses,
    ).toMatchObject([{ response: { error: 'The service refused the credential.' } }]);
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

interface Parts {
  readonly auth: AuthConfig | undefined;
  readonly accepts: (credential: { readonly apiKey?: string }) => boolean;
  readonly exchanger?: CredentialExchanger;
  readonly tool?: Partial<FunctionToolFields>;
}

async function start({ auth, accepts, exchanger, tool }: Parts) {
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
  const model = new ScriptedModel(callsTool('look'), says('Done.'));
  const services = new ContainerModule(({ bind }) => {
    bind(CredentialService).toConstantValue(store);
    if (exchanger !== undefined) bind(CredentialExchanger).toConstantValue(exchanger);
  });
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look] }), {
    model,
    modules: [services],
  });
  return { runner, ran, store };
}
