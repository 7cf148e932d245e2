import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { ToolOptions } from '../../../backend.js';
import {
  type PendingRequest,
  agent,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  CredentialService,
  InMemoryCredentialService,
  type Event,
  LlmAgent,
  type Runner,
  tool,
  type ToolContext,
  defineAgent,
  FunctionTool,
} from '../../../index.js';
import { PENDING_RESPONSE } from '../../../events/placeholder-response.js';

describe('a tool that needs a credential', () => {
  it('is asked for, without any secret', async () => {
    const { runner, ran } = await start({}, callsTool('lookup', {}, 'c1'));

    const [, request, response] = await say(runner, 'Look it up.');

    const [asked] = request?.functionCalls ?? [];
    expect(asked).toEqual({
      id: asked?.id,
      name: 'adk_request_credential',
      args: {
        functionCallId: 'c1',
        authConfig: SHOWN,
        originalFunctionCall: { id: 'c1', name: 'lookup', args: {} },
      },
    });
    expect(request?.longRunningToolIds).toEqual([asked?.id]);
    expect(request?.actions.requestedAuthConfigs).toEqual({ c1: SHOWN });
    expect(response?.functionResponses).toEqual([
      { id: 'c1', name: 'lookup', response: PENDING_RESPONSE, willContinue: true },
    ]);
    expect(await runner.pending(address)).toMatchObject([
      { kind: 'credential', tool: 'lookup', authConfig: SHOWN },
    ]);
    expect(ran).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['as a whole', { type: 'apiKey', apiKey: secret() }],
    ['as a bare text', secret()],
  ])(
    'runs when it is supplied %s, and the secret is nowhere but in its context',
    async (_form, credential) => {
      const { runner, ran, model, seen } = await start({}, callsTool('lookup', {}, 'c1'), says('Found.'));
      const asked = await say(runner, 'Look it up.');

      const events = await eventsOf(runner.supply(await only(runner), credential));

      expect(ran).toEqual([{ type: 'apiKey', apiKey: secret() }]);
      expect(events.at(-1)?.text).toBe('Found.');
      expect(await runner.pending(address)).toEqual([]);
      const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
      for (const place of [asked, events, session?.events, session?.state, model.requests, seen]) {
        expect(JSON.stringify(place)).not.toContain(secret());
      }
    },
  );

  it('S15 that it hands back, or keeps in the state, is told to nobody', async () => {
    class Leak {
      @tool({
        auth: { ...AUTH, credential: { type: 'apiKey', apiKey: secret() } },
        parameters: { type: 'object' },
      })
      lookup(_args: unknown, context: ToolContext): object {
        context.state.set('kept', { credential: context.credential });
        return { used: context.credential };
      }
    }
    @agent({ description: '', tools: [Leak] })
    class Careless extends LlmAgent {}
    const model = new ScriptedModel(callsTool('lookup'), says('Found.'));
    const runner = await createRunner(Careless, { model });

    const events = await say(runner, 'Look it up.');

    const session = await runner.sessions.getSession({ appName: 'careless', ...address });
    for (const place of [events, session?.events, session?.state, model.requests]) {
      expect(JSON.stringify(place)).not.toContain(secret());
    }
    expect(JSON.stringify(session)).toContain('[redacted]');
  });

  it('S15 that a person supplied is told to nobody by a tool that hands it back, at once and from the store', async () => {
    const leak = new FunctionTool({
      name: 'lookup',
      description: '',
      parameters: { type: 'object' },
      auth: AUTH,
      run: (_args, { credential, state }) => {
        state.set('kept', { credential });
        if (credential?.type === 'apiKey') used.push(credential.apiKey);
        return { used: credential };
      },
    });
    const used: string[] = [];
    const model = new ScriptedModel(callsTool('lookup'), callsTool('lookup'), says('Found.'));
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [leak] }), { model });
    const asked = await say(runner, 'Look it up.');

    const events = await eventsOf(runner.supply(await only(runner), secret()));

    expect(used).toEqual([secret(), secret()]);
    const session = await runner.sessions.getSession({ appName: 'clerk', ...address });
    for (const place of [asked, events, session?.events, session?.state, model.requests])
      expect(JSON.stringify(place)).not.toContain(secret());
    expect(JSON.stringify(session)).toContain('[redacted]');
  });

  it('is not asked for again in a later conversation of the same user, and is of another', async () => {
    const { runner, ran } = await start(
      {},
      callsTool('lookup'),
      says('Found.'),
      callsTool('lookup'),
      says('Found.'),
      callsTool('lookup'),
    );
    await say(runner, 'Look it up.');
    await eventsOf(runner.supply(await only(runner), secret()));

    await eventsOf(runner.run({ ...address, sessionId: 's2', message: 'Again.' }));
    const bob = await eventsOf(runner.run({ userId: 'bob', sessionId: 's3', message: 'Me too.' }));

    expect(ran).toHaveLength(2);
    expect(bob.at(-1)?.functionResponses[0]?.response).toEqual(PENDING_RESPONSE);
  });

  it('runs at once where the application brings its own', async () => {
    const { runner, ran } = await start(
      { auth: { ...AUTH, credential: { type: 'apiKey', apiKey: secret() } } },
      callsTool('lookup'),
      says('Found.'),
    );

    const events = await say(runner, 'Look it up.');

    expect(ran).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain(secret());
  });

  it('is kept under the key that was asked for, whatever the answer says', async () => {
    const { runner } = await start({}, callsTool('lookup'), says('Found.'));
    await say(runner, 'Look it up.');
    const { id } = await only(runner);

    const response = { ...SHOWN, credentialKey: 'admin', exchangedAuthCredential: { apiKey: secret() } };
    await eventsOf(
      runner.run({
        ...address,
        message: { functionResponse: { id, name: 'adk_request_credential', response } },
      }),
    );

    const credentials = (runner as unknown as { services: { credentials: CredentialService } }).services
      .credentials;
    expect(await credentials.load({ appName: 'clerk', userId: 'ada' }, 'shop')).toEqual({
      type: 'apiKey',
      apiKey: secret(),
    });
    expect(await credentials.load({ appName: 'clerk', userId: 'ada' }, 'admin')).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['an empty text', ''],
    ['an object without a key', { token: 'x' }],
    ['nothing', undefined],
  ])('takes %s for no credential, and stays open', async (_what, value) => {
    const { runner, ran } = await start({}, callsTool('lookup'), says('Found.'));
    await say(runner, 'Look it up.');
    const request = await only(runner);

    await expect(eventsOf(runner.supply(request, value))).rejects.toMatchObject({
      code: 'ANSWER_INVALID',
      message:
        `The answer to "${request.id}" is not valid. Send a function response with the credential, such ` +
        'as { credential: { type: "apiKey", apiKey: "…" } }; the request stays pending.',
    });
    expect(await only(runner)).toEqual(request);
    expect(ran).toEqual([]);
  });

  it('runs also where its credential cannot be kept, which is told to the log without the secret', async () => {
    const fault = new Error(`The disk is full: ${secret()}.`);
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const credentials = new (class extends InMemoryCredentialService {
      override save(): Promise<void> {
        return Promise.reject(fault);
      }
    })();
    const { runner, ran } = await start({ credentials }, callsTool('lookup', {}, 'c1'), says('Found.'));
    await say(runner, 'Look it up.');

    await eventsOf(runner.supply(await only(runner), secret()));

    expect(ran).toEqual([{ type: 'apiKey', apiKey: secret() }]);
    expect(error.mock.calls).toEqual([
      [
        'a credential could not be stored',
        { key: expect.stringContaining('shop'), error: 'Error: The disk is full: [redacted].' },
      ],
    ]);
    error.mockRestore();
  });

  it('is neither approved nor rejected, and its request stays open', async () => {
    const { runner, ran } = await start({}, callsTool('lookup'));
    await say(runner, 'Look it up.');
    const request = await only(runner);

    for (const answer of [runner.approve(request), runner.reject(request)]) {
      await expect(eventsOf(answer)).rejects.toMatchObject({
        code: 'ANSWER_INVALID',
        message:
          'The credential of lookup cannot be answered this way: it is not a confirmation. Use ' +
          'runner.supply; the request stays pending.',
      });
    }
    expect([await only(runner), ran]).toEqual([request, []]);
  });

  it('is asked for only after the call is confirmed, and nothing is kept before it is supplied', async () => {
    const credentials = new InMemoryCredentialService();
    const save = jest.spyOn(credentials, 'save');
    const { runner, ran } = await start({ confirm: true, credentials }, callsTool('lookup'), says('Found.'));
    await say(runner, 'Look it up.');

    const kinds = [(await only(runner)).kind];
    await eventsOf(runner.approve(await only(runner)));
    kinds.push((await only(runner)).kind);
    expect([ran, save.mock.calls]).toEqual([[], []]);
    await eventsOf(runner.supply(await only(runner), secret()));

    expect([kinds, (await runner.pending(address)).map(({ kind }) => kind)]).toEqual([
      ['confirmation', 'credential'],
      [],
    ]);
    expect(ran).toHaveLength(1);
  });
});

const address = { userId: 'ada', sessionId: 's1' };
const SHOWN = {
  authScheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
  credentialKey: 'shop',
} as const;
const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' } as const;

/** A function, because the rows of a table are made before the constants below them are. */
function secret(): string {
  return 'sk-never-to-be-seen';
}

async function start(
  {
    credentials,
    ...options
  }: Pick<ToolOptions, 'auth'> & { readonly confirm?: boolean; readonly credentials?: CredentialService },
  ...steps: readonly ScriptedStep[]
) {
  const ran: unknown[] = [];
  const seen: unknown[] = [];
  class Shop {
    @tool({ auth: AUTH, ...options, parameters: { type: 'object' } })
    lookup(_args: unknown, { credential }: ToolContext): string {
      ran.push(credential);
      return 'found';
    }
  }
  @agent({ description: '', tools: [Shop] })
  class Clerk extends LlmAgent {
    override instruction: LlmAgent['instruction'] = ({ userContent }) => {
      seen.push(userContent);
      return 'Help.';
    };
  }
  const model = new ScriptedModel(...steps);
  const modules = [
    new ContainerModule(({ bind }) => {
      if (credentials !== undefined) bind(CredentialService).toConstantValue(credentials);
    }),
  ];
  return { ran, seen, model, runner: await createRunner(Clerk, { model, modules }) };
}

function say(runner: Runner, message: string): Promise<Event[]> {
  return eventsOf(runner.run({ ...address, message }));
}

async function only(runner: Runner): Promise<PendingRequest> {
  const [request, ...others] = await runner.pending(address);
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing is pending');
  return request;
}
