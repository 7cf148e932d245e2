import { callsTool, says, ScriptedModel } from '@adorn/testing';

import type { ConfirmationDecision, ConfirmationRequest } from '../backend.js';
import {
  type AuthConfig,
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  CredentialRejectedError,
  CredentialService,
  defineAgent,
  FunctionTool,
  InMemoryCredentialService,
} from '../index.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY_AUTH: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' };

/** Says what a test tells it to, and notes what it was asked. */
class NotingProvider extends ConfirmationProvider {
  readonly asked: ConfirmationRequest[] = [];

  constructor(private readonly decisions: readonly (ConfirmationDecision | undefined)[]) {
    super();
  }

  decide(request: ConfirmationRequest): ConfirmationDecision | undefined {
    this.asked.push(request);
    return this.decisions[this.asked.length - 1];
  }
}

interface Parts {
  readonly decisions: readonly (ConfirmationDecision | undefined)[];
  readonly auth?: AuthConfig;
  /** The amount that `beforeTool` gives in place of the model's. */
  readonly cents?: number;
}

async function play({ decisions, auth, cents }: Parts) {
  const provider = new NotingProvider(decisions);
  const store = new InMemoryCredentialService();
  await store.save({ appName: 'clerk', userId: 'ada' }, 'shop', { type: 'apiKey', apiKey: 'old' });
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: { type: 'object', properties: { cents: { type: 'integer' } } },
    confirm: true,
    auth,
    run: () => {
      if (auth) throw new CredentialRejectedError();
      return 'paid';
    },
  });
  const clerk = defineAgent({
    name: 'clerk',
    tools: [pay],
    model: new ScriptedModel(callsTool('pay', { cents: 5 }), says('Done.')),
  });
  if (cents !== undefined)
    Object.assign(clerk.prototype as object, {
      beforeTool: (_tool: unknown, args: { cents?: number }) => {
        args.cents = cents;
      },
    });
  const services = new ContainerModule(({ bind }) => {
    bind(ConfirmationProvider).toConstantValue(provider);
    bind(CredentialService).toConstantValue(store);
  });
  const runner = await createRunner(clerk, { appName: 'clerk', modules: [services] });
  await runner.run({ ...ADDRESS, message: 'Pay.' });
  const pending = await runner.pending(ADDRESS);
  await runner.close();
  return { asked: provider.asked, pending };
}

const YES = { confirmed: true } as const;

describe('a ConfirmationProvider that is asked about a call again', () => {
  it('is told that the service has rejected the credential', async () => {
    const { asked } = await play({ decisions: [YES, YES], auth: KEY_AUTH });

    expect(asked.map(({ askedAgain }) => askedAgain?.reason)).toEqual([undefined, 'CREDENTIAL_REJECTED']);
    expect(asked[1]?.askedAgain?.message).toBe('The service has rejected the credential that was supplied.');
  });

  it('is told that beforeTool has changed the arguments', async () => {
    const { asked } = await play({ decisions: [YES, YES], cents: 900 });

    expect(asked.map(({ args, askedAgain }) => [args, askedAgain?.reason])).toEqual([
      [{ cents: 5 }, undefined],
      [{ cents: 900 }, 'ARGUMENTS_CHANGED'],
    ]);
  });

  it('leaves it to a person, who reads the reason too', async () => {
    const { pending } = await play({ decisions: [YES, undefined], cents: 900 });

    expect(pending).toMatchObject([{ args: { cents: 900 }, askedAgain: { reason: 'ARGUMENTS_CHANGED' } }]);
  });
});
