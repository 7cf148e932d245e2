import { sessionCompaction } from '@adorn/compaction';
import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import type { ServiceIdentifier } from 'inversify';

import type { ProviderToolKind, RunInput } from '../backend.js';
import {
  agent,
  type AgentClass,
  ArtifactService,
  type AuthConfig,
  BaseAgent,
  ContainerModule,
  createRunner,
  CredentialService,
  defineAgent,
  Event,
  FunctionTool,
  googleSearch,
  InMemoryArtifactService,
  InMemorySessionService,
  type InvocationContext,
  LlmAgent,
  Logger,
  type Part,
  Plugin,
  type Runner,
  type SessionKey,
  SessionService,
  StaticToolset,
  urlContext,
} from '../index.js';
import { DelayedSummarizer } from '../compaction/delayed-summarizer.fixture.js';
import { ListLogger } from '../gates/tool-call.fixture.js';
import type { EventBody } from '../events/event.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

describe('runner.explain', () => {
  it('gives the very request that the run of the message sends', async () => {
    const { runner, model } = await start(clerk(), says('Hi.'), says('Hello.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.', stateDelta: { city: 'Oslo' } }));

    const {
      agent: path,
      model: name,
      config,
      contents,
    } = await runner.explain({ ...ADDRESS, message: 'Go.' });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect([path, name]).toEqual(['clerk', model.name]);
    expect({ config, contents }).toEqual({
      config: model.requests[1]?.config,
      contents: model.requests[1]?.contents,
    });
    expect(config.systemInstruction).toContain('You are in Oslo.');
  });

  it('says what the rules of data know of the declared tools, and nothing of others', async () => {
    const named = (name: string, traits: object): FunctionTool =>
      new FunctionTool({ name, description: name, ...traits, run: () => 'done' });
    const labelled = defineAgent({
      name: 'desk',
      tools: [
        named('find_page', { untrusted: true }),
        named('send_mail', { sensitive: true, outside: true }),
        new StaticToolset([named('read_salary', { confidential: true })]),
        named('add', { outside: false }),
      ],
    });
    const plain = defineAgent({ name: 'desk', tools: [named('add', {})] });

    expect((await (await start(labelled)).runner.explain({ ...ADDRESS, message: 'Go.' })).labels).toEqual({
      find_page: ['untrusted'],
      send_mail: ['outside', 'sensitive'],
      read_salary: ['confidential'],
    });
    expect(
      (await (await start(plain)).runner.explain({ ...ADDRESS, message: 'Go.' })).labels,
    ).toBeUndefined();
  });

  it('asks no model, runs no tool and writes nothing', async () => {
    const { runner, model } = await start(clerk(), says('Hi.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.', stateDelta: { city: 'Oslo' } }));
    const before = await logOf(runner);

    await runner.explain({ ...ADDRESS, message: 'Go.', stateDelta: { city: 'Rome' } });
    await runner.explain({ userId: 'ada', message: 'Go.', stateDelta: { city: 'Rome' } });

    expect([model.requests.length, await logOf(runner)]).toEqual([1, before]);
    expect(await runner.sessions.listSessions({ appName: 'clerk', userId: 'ada' })).toHaveLength(1);
  });

  it('shows the changes of plugins and callbacks, and drops what they write', async () => {
    class Noting extends Plugin {
      override readonly name = 'noting';

      override async beforeModel(...[request, context]: Parameters<NonNullable<Plugin['beforeModel']>>) {
        await context.saveArtifact('note', { text: 'seen' });
        context.state.set('seen', true);
        request.config = { ...request.config, temperature: 0 };
        return undefined;
      }
    }
    const { runner } = await start(defineAgent({ name: 'clerk' }), new Noting());

    const { config } = await runner.explain({ ...ADDRESS, message: 'Go.' });

    expect(config.temperature).toBe(0);
    expect(await runner.artifacts.list({ appName: 'clerk', ...ADDRESS })).toEqual([]);
  });

  it('lists toolsets with the state, and shows what is left where one fails', async () => {
    const toolset = new StaticToolset([named('late')]);
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [toolset] }));

    const { config } = await runner.explain({ ...ADDRESS, message: 'Go.' });

    expect(config.tools).toMatchObject([{ functionDeclarations: [{ name: 'late' }] }]);
  });

  it('is of the agent that would answer: the holder, or the first that a composite runs', async () => {
    const Billing = defineAgent({ name: 'billing', description: 'Bills.' });
    const Desk = defineAgent({ name: 'desk', subAgents: [Billing] });
    const { runner } = await start(
      Desk,
      callsTool('transfer_to_agent', { agentName: 'billing' }),
      says('Hi.'),
    );
    await eventsOf(runner.run({ ...ADDRESS, message: 'My bill.' }));
    @agent({ name: 'line', description: '', subAgents: [Billing] })
    class Line extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of context.agent.subAgents) yield* context.invoke(child);
      }
    }
    const { runner: line } = await start(Line);

    expect((await runner.explain({ ...ADDRESS, message: 'Go.' })).agent).toBe('desk/billing');
    expect((await line.explain({ ...ADDRESS, message: 'Go.' })).agent).toBe('line/billing');
  });

  it('does not wait for a run that is active in another process', async () => {
    const { runner } = await start(clerk());
    const key = { appName: runner.appName, ...ADDRESS };
    const session = await runner.sessions.createSession(key);
    const content = { role: 'user', parts: [{ text: 'Wait.' }] };
    await runner.sessions.appendEvent(session, new Event({ author: 'user', invocationId: 'other', content }));

    const input = { ...ADDRESS, message: 'Go.', stateDelta: { city: 'Oslo' } };
    const { contents } = await runner.explain({ ...input, config: { whileActive: 'refuse' } });

    expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'Go.' }] });
  });

  it('can be asked while a call waits for a person, and leaves it waiting', async () => {
    const { runner } = await start(asking(), callsTool('pay'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Pay.' }));

    const { contents } = await runner.explain({ ...ADDRESS, message: 'Wait.' });

    expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'Wait.' }] });
    expect(await runner.pending(ADDRESS)).toHaveLength(1);
  });

  it('says why there is nothing to explain', async () => {
    @agent({ name: 'mute', description: '' })
    class Mute extends LlmAgent {
      override beforeModel() {
        return says('No.');
      }
    }
    const { runner } = await start(Mute);

    await expect(runner.explain({ message: 'Go.' })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPLAIN',
      message: expect.stringContaining('the run ends with the answer of mute') as unknown,
    });
    await expect(runner.explain({ mesage: 'Go.' } as unknown as RunInput)).rejects.toThrow('mesage');
    await runner.close();
    await expect(runner.explain({ message: 'Go.' })).rejects.toMatchObject({ code: 'RUNNER_CLOSED' });
  });

  it('shows a new conversation the state of its user, and not that of another conversation', async () => {
    const Guide = defineAgent({ name: 'clerk', instruction: 'City: {city?}. Tongue: {user:tongue?}.' });
    const { runner } = await start(Guide, says('Hi.'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));
    const key = { appName: 'clerk', ...ADDRESS };
    await runner.sessions.updateSession(key, { city: 'Oslo', 'user:tongue': 'Norse' });

    const { config } = await runner.explain({ userId: 'ada', sessionId: 's2', message: 'Go.' });

    expect(config.systemInstruction).toContain('City: . Tongue: Norse.');
  });

  it('stores no credential of an answer, and leaves its request open', async () => {
    const look = new FunctionTool({
      name: 'look',
      description: '',
      auth: { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'shop' },
      run: () => 'found',
    });
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [look] }), callsTool('look'));
    const { pending } = await runner.run({ ...ADDRESS, message: 'Look.' });
    const answer = { id: pending[0]?.id, name: 'adk_request_credential', response: { credential: 'my-key' } };

    await expect(runner.explain({ ...ADDRESS, message: { functionResponse: answer } })).rejects.toMatchObject(
      { code: 'NOTHING_TO_EXPLAIN' },
    );

    expect(await runner.pending(ADDRESS)).toHaveLength(1);
    const stored = runner.get(CredentialService);
    expect(await stored.load({ appName: 'clerk', userId: 'ada' }, 'shop')).toBeUndefined();
  });

  it('says for what a run would pause before a model is asked', async () => {
    class Shop extends StaticToolset {
      override readonly auth: AuthConfig = {
        scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
        key: 'shop',
      };
    }
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [new Shop()] }));

    await expect(runner.explain({ message: 'Go.' })).rejects.toThrow(
      'The message reaches no model: the run ends with a request for credential. Explain a message that a model ' +
        'would answer.',
    );
  });

  it.each<[string, Partial<EventBody>[], string]>([
    ['nothing', [], 'without an event'],
    ['an error without a message', [{ errorCode: 'SAFETY' }], 'with SAFETY'],
    ['an error', [{ errorCode: 'SAFETY', errorMessage: 'No.' }], 'with SAFETY (No.)'],
    ['an answer', [{ errorCode: 'SAFETY' }, { turnComplete: true }], 'with the answer of clerk'],
    [
      'two handles',
      [
        {
          longRunningToolIds: ['c1', 'c2'],
          content: { parts: ['c1', 'c2'].map((id) => ({ functionResponse: { id, name: 'ship' } })) },
        },
      ],
      'with a request for result and result',
    ],
  ])('says how a run ends that makes %s and asks no model', async (_what, made, end) => {
    const { runner } = await start(running(undefined, ...made));

    await expect(runner.explain({ message: 'Go.' })).rejects.toThrow(
      `The message reaches no model: the run ends ${end}. Explain a message that a model would answer.`,
    );
  });

  it('goes on to the model where the tool of an approved call is gone', async () => {
    const store = new InMemorySessionService();
    const { runner } = await start(asking(), binding(SessionService, store), callsTool('pay', {}, 'c1'));
    const { pending } = await runner.run({ ...ADDRESS, message: 'Pay.' });
    const { runner: later, model } = await start(
      defineAgent({ name: 'clerk' }),
      binding(SessionService, store),
      says('Well.'),
    );
    const message = { functionResponse: { id: pending[0]?.id ?? '', response: { confirmed: true } } };

    const { contents } = await later.explain({ ...ADDRESS, message });
    await later.run({ ...ADDRESS, message });

    expect(contents).toEqual(model.requests[0]?.contents);
    expect(contents.at(-1)?.parts).toMatchObject([{ functionResponse: { id: 'c1', name: 'pay' } }]);
  });

  it('asks no model where a call that waited had transferred to the parent', async () => {
    const ship = new FunctionTool({ name: 'ship', description: '', longRunning: true, run: () => 'sent' });
    const Billing = defineAgent({ name: 'billing', description: 'Bills.', tools: [ship] });
    const Desk = defineAgent({ name: 'desk', subAgents: [Billing] });
    const { runner, model } = await start(
      Desk,
      callsTool('transfer_to_agent', { agent_name: 'billing' }),
      callsTools({ name: 'ship', id: 'c1' }, { name: 'transfer_to_agent', args: { agent_name: 'desk' } }),
    );
    await eventsOf(runner.run({ ...ADDRESS, message: 'Ship it.' }));
    const message = { functionResponse: { id: 'c1', name: 'ship', response: { result: 'here' } } };

    const { agent: path } = await runner.explain({ ...ADDRESS, message });

    expect([path, model.requests.length]).toEqual(['desk', 2]);
  });

  it('shows the title of the conversation', async () => {
    const titles: unknown[] = [];
    const root = running(({ session }) => Promise.resolve(titles.push(session.title)));
    const { runner } = await start(root);
    const key = { appName: 'clerk', ...ADDRESS };
    await runner.sessions.createSession(key);
    await runner.sessions.renameSession(key, 'Bills');

    await runner.explain({ ...ADDRESS, message: 'Go.' }).catch(() => undefined);

    expect(titles).toEqual(['Bills']);
  });

  it.each([true, false])(
    'asks a model for what it can do, as the run does: schemas beside tools, and functions beside tools of the provider: %s',
    async (isAble) => {
      class Able extends ScriptedModel {
        override get supportsSchemaBesideTools(): boolean {
          return isAble;
        }

        override get supportsFunctionsBesideProviderTools(): boolean {
          return isAble;
        }

        override supportsProviderTool(kind?: ProviderToolKind): boolean {
          return kind === 'googleSearch' || isAble;
        }
      }
      const lists = [[named('late')], [googleSearch()], [urlContext()]];
      const tools = lists.map((list) => new StaticToolset(list));
      const Clerk = defineAgent({ name: 'clerk', outputSchema: { type: 'object' }, tools });
      const { runner, model } = await start(Clerk, new Able(says('{}')), binding(Logger, new ListLogger()));

      const { config } = await runner.explain({ message: 'Go.' });
      await eventsOf(runner.run({ message: 'Go.' }));

      expect(config).toEqual(model.requests[0]?.config);
    },
  );

  it('reads the files and memories of the runner, and writes none', async () => {
    const key = { appName: 'clerk', ...ADDRESS };
    const files = new PrivateFiles();
    const tea = { content: { role: 'user', parts: [{ text: 'Ada drinks tea.' }] } };
    const seen: unknown[] = [];
    const root = running(async ({ services: { artifacts, memory }, session }) => {
      seen.push(
        await artifacts.load(key, 'a.txt'),
        await artifacts.save(key, 'a.txt', { text: 'two' }),
        await artifacts.saveStream(key, 'b.txt', { mimeType: 'text/plain', content: pieces('three') }),
      );
      await artifacts.delete(key, 'a.txt').then(() => seen.push('done'));
      await memory.addSessionToMemory(session);
      await memory.addEvents(key, session.events);
      await memory.addMemory(key, [tea]);
      seen.push(await memory.searchMemory(key, 'tea'));
    });
    const { runner } = await start(root, binding(ArtifactService, files));
    await files.save(key, 'a.txt', { text: 'one' });
    await runner.memory.addMemory(key, [tea]);

    await runner.explain({ ...ADDRESS, message: 'More tea?' }).catch(() => undefined);

    expect(seen).toEqual([{ text: 'one' }, 1, 0, 'done', [expect.objectContaining(tea)]]);
    expect([await files.list(key), await files.versions(key, 'a.txt')]).toEqual([['a.txt'], [0]]);
    expect(await runner.memory.searchMemory(key, 'tea')).toHaveLength(1);
  });

  it('has no summary made', async () => {
    const summarizer = new DelayedSummarizer();
    const compaction = { compactionInterval: 1, overlapSize: 0, summarizer };
    const runner = await createRunner(clerk(), {
      model: new ScriptedModel(),
      modules: [sessionCompaction],
      compaction,
    });

    await runner.explain({ ...ADDRESS, message: 'Go.', stateDelta: { city: 'Oslo' } });
    await runner.close();

    expect(summarizer.asked).toEqual([]);
  });

  it('names the tool that would run before a model is asked', async () => {
    const { runner } = await start(asking(), callsTool('pay'));
    await eventsOf(runner.run({ ...ADDRESS, message: 'Pay.' }));
    const [request] = await runner.pending(ADDRESS);
    const message = { functionResponse: { id: request?.id ?? '', response: { confirmed: true } } };

    await expect(runner.explain({ ...ADDRESS, message })).rejects.toMatchObject({
      code: 'NOTHING_TO_EXPLAIN',
      message:
        'The tool "pay" would run before a model is called. Finish the conversation\'s open calls first, or ' +
        'explain in another session.',
    });
  });

  it('does not close what the runner still uses', async () => {
    let closed = 0;
    class Closing extends StaticToolset {
      override close(): void {
        closed++;
      }
    }
    const toolset = new Closing([named('late')]);
    const { runner } = await start(defineAgent({ name: 'clerk', tools: [toolset] }), says('Hi.'));

    await runner.explain({ message: 'Go.' });

    expect([closed, (await runner.run({ message: 'Go.' })).text]).toEqual([0, 'Hi.']);
  });
});

function clerk(): AgentClass {
  return defineAgent({ name: 'clerk', instruction: 'You are in {city}.', tools: [named('look')] });
}

/** An agent whose tool `pay` has to be approved. */
function asking(): AgentClass {
  const pay = new FunctionTool({ name: 'pay', description: '', confirm: true, run: () => 'paid' });
  return defineAgent({ name: 'clerk', tools: [pay] });
}

function named(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name });
}

/** A composite that does this, and makes these events. */
function running(
  work: (context: InvocationContext) => Promise<unknown> = () => Promise.resolve(),
  ...made: readonly Partial<EventBody>[]
): AgentClass {
  @agent({ name: 'clerk', description: '' })
  class Running extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      await work(context);
      for (const fields of made) yield context.event({ author: 'clerk', ...fields });
    }
  }
  return Running;
}

/** Files in a private field, with a way of its own to store streams. */
class PrivateFiles extends ArtifactService {
  readonly #files = new InMemoryArtifactService();

  save(...file: Parameters<ArtifactService['save']>): Promise<number> {
    return this.#files.save(...file);
  }

  override saveStream(...file: Parameters<ArtifactService['saveStream']>): Promise<number> {
    return this.#files.saveStream(...file);
  }

  load(...file: Parameters<ArtifactService['load']>): Promise<Part | undefined> {
    return this.#files.load(...file);
  }

  list(scope: SessionKey): Promise<string[]> {
    return this.#files.list(scope);
  }

  versions(scope: SessionKey, name: string): Promise<number[]> {
    return this.#files.versions(scope, name);
  }

  delete(scope: SessionKey, name: string): Promise<void> {
    return this.#files.delete(scope, name);
  }
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

function binding<Service>(token: ServiceIdentifier<Service>, service: Service): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(token).toConstantValue(service);
  });
}

/** What a runner is made of. */
type Made = ScriptedStep | Plugin | ContainerModule | ScriptedModel;

async function start(root: AgentClass<unknown>, ...parts: Made[]) {
  const plugins = parts.filter((part) => part instanceof Plugin);
  const modules = parts.filter((part) => part instanceof ContainerModule);
  const [given] = parts.filter((part) => part instanceof ScriptedModel);
  const model = given ?? new ScriptedModel(...parts.filter(isStep));
  return { runner: await createRunner(root, { model, plugins, modules }), model };
}

function isStep(part: Made): part is ScriptedStep {
  return !(part instanceof Plugin || part instanceof ContainerModule || part instanceof ScriptedModel);
}

async function logOf({ sessions }: Pick<Runner, 'sessions'>): Promise<unknown> {
  const session = await sessions.getSession({ appName: 'clerk', ...ADDRESS });
  return JSON.stringify([session?.events, session?.state, session?.nextSeq]);
}
