import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { RunInput, StateDelta } from '../backend.js';
import {
  agent,
  BaseAgent,
  ContainerModule,
  createRunner,
  defineAgent,
  Event,
  FunctionTool,
  instruct,
  type InvocationContext,
  Logger,
  type ModelRequest,
  StaticToolset,
  Toolset,
  type Tool,
} from '../index.js';
import { ListLogger } from '../gates/tool-call.fixture.js';
import { PROCESSORS } from './processors.js';

describe('the processors of a request', () => {
  it('stand in one order', () => {
    expect(PROCESSORS.map(({ name }) => name)).toEqual([
      'basicsProcessor',
      'instructionsProcessor',
      'identityProcessor',
      'outputSchemaProcessor',
      'historyProcessor',
      'toolChoiceProcessor',
      'toolsProcessor',
      'mediaProcessor',
      'transferProcessor',
    ]);
  });

  it('make a request of what the agent was told, of the talk, and of nothing else', async () => {
    const { config, contents } = await requestOf({
      instruction: 'Tell the time.',
      description: 'Knows the time.',
    });

    expect(config).toEqual({
      systemInstruction:
        'Tell the time.\n\nYour name is "clerk". Your task, as others know it: Knows the time.',
    });
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Go.' }] }]);
  });
});

describe('the system instruction', () => {
  it('is global first, then own, then who one is, with blank lines between them', async () => {
    expect(await systemOf({ globalInstruction: 'Be brief.', instruction: 'Tell the time.' })).toBe(
      'Be brief.\n\nTell the time.\n\nYour name is "clerk".',
    );
  });

  it('has what changes after what does not, so that a provider caches as much as possible', async () => {
    const options = {
      globalInstruction: 'Mood: {temp:mood?}.',
      instruction: 'Tell the time.',
      description: 'Knows the time.',
    };

    expect(await systemOf(options, { stateDelta: { 'temp:mood': 'calm' } })).toBe(
      'Tell the time.\n\nYour name is "clerk". Your task, as others know it: Knows the time.\n\nMood: calm.',
    );
  });

  it('leaves out what is empty', async () => {
    expect(await systemOf({ globalInstruction: () => '', instruction: '' })).toBe('Your name is "clerk".');
  });

  it('fills in state: plain, optional, of the user, of the application, of this run', async () => {
    const instruction = 'Hello {name}, {absent?}{user:tier} of {app:shop}: {temp:mood}, {cart}, {count}.';
    const state = { name: 'Ada', 'user:tier': 'gold', 'app:shop': 'Adorn' };
    const stateDelta = { 'temp:mood': 'calm', cart: ['tea'], count: 0 };

    expect(await systemOf({ instruction }, { stateDelta, state })).toContain(
      'Hello Ada, gold of Adorn: calm, ["tea"], 0.',
    );
  });

  it.each([
    '{}',
    '{ name }',
    '{"a": 1}',
    '{a-b}',
    '{1st}',
    '{x:y}',
    '{a.b}',
    '{{}}',
    '${a b}',
    '{constructor?}',
  ])('leaves %s as it is', async (text) => {
    const shown = text.replace('{constructor?}', '');

    const system = await systemOf({ instruction: `Text ${text}.` });
    expect((system as string).split('\n\n').sort()).toEqual([`Text ${shown}.`, 'Your name is "clerk".']);
  });

  it('fills in artifacts', async () => {
    const save = new FunctionTool({
      name: 'save',
      description: '',
      run: (_args, context) => context.saveArtifact('menu.txt', { text: 'Tea, cake' }),
    });
    const model = new ScriptedModel(callsTool('save'), says('Saved.'));
    const Clerk = defineAgent({ name: 'clerk', instruction: 'Offer: {artifact.menu.txt?}.', tools: [save] });
    await using runner = await createRunner(Clerk, { model });

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(
      model.requests.map(({ config }) => (config.systemInstruction as string).split('\n').at(-1)),
    ).toEqual(['Offer: .', 'Offer: Tea, cake.']);
  });

  it('fills in an artifact that is no text as JSON', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const save = new FunctionTool({
      name: 'save',
      description: '',
      run: (_args, context) => context.saveArtifact('menu.png', picture),
    });
    const model = new ScriptedModel(callsTool('save'), says('Saved.'));
    const Clerk = defineAgent({ name: 'clerk', instruction: 'Offer: {artifact.menu.png?}.', tools: [save] });
    await using runner = await createRunner(Clerk, { model });

    await eventsOf(runner.run({ message: 'Go.' }));

    const line = (model.requests[1]?.config.systemInstruction as string).split('\n').at(-1);
    expect(line).toBe(`Offer: ${JSON.stringify(picture)}.`);
  });

  it.each(['{name}', '{artifact.menu.txt}', '{user:tier}'])(
    'is an error that names the agent and %s where nothing fills it; no model is asked',
    async (place) => {
      const model = new ScriptedModel(says('never'));
      await using runner = await createRunner(defineAgent({ name: 'clerk', instruction: `Text ${place}.` }), {
        model,
      });

      await expect(eventsOf(runner.run({ message: 'Go.' }))).rejects.toMatchObject({
        code: 'INSTRUCTION_KEY_MISSING',
        message: expect.stringContaining(`The instruction of agent "clerk" has a placeholder ${place}, but `),
      });
      expect(model.requests).toEqual([]);
    },
  );

  it('takes the text of a function as it is', async () => {
    expect(
      await systemOf({
        instruction: ({ userId, agentName }) => Promise.resolve(`{name} ${userId} ${agentName}`),
      }),
    ).toContain('{name} ada clerk');
  });

  it('takes a tagged template as it is, but for its own places', async () => {
    const instruction = instruct`Help ${({ state }) => state.get('name', 'them')}, ${1}, ${false}, ${() => ({ a: 1 })}${() => undefined}. Answer {name}.`;

    expect(await systemOf({ instruction }, { stateDelta: { name: '{cart}' } })).toContain(
      'Help {cart}, 1, false, {"a":1}. Answer {name}.',
    );
  });

  it('starts with what is static, and the rest then follows the talk', async () => {
    const { config, contents } = await requestOf(
      {
        staticInstruction: { parts: [{ text: 'Rules {name}.' }] },
        globalInstruction: 'Be brief.',
        instruction: 'Help {name}.',
      },
      { stateDelta: { name: 'Ada' } },
    );

    expect(config.systemInstruction).toBe('Rules {name}.\n\nBe brief.\n\nYour name is "clerk".');
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'user', parts: [{ text: 'Help Ada.' }] },
    ]);
  });

  it.each(['Rules {name}.', { parts: [{ text: 'Rules {name}.' }] }])(
    'is followed by nothing behind the talk where only a static one is given: %j',
    async (staticInstruction) => {
      const { config, contents } = await requestOf({ staticInstruction });

      expect(config.systemInstruction).toBe('Rules {name}.\n\nYour name is "clerk".');
      expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Go.' }] }]);
    },
  );

  it('that is static is followed by the text of a function behind the talk', async () => {
    const { contents } = await requestOf({
      staticInstruction: 'Rules.',
      instruction: ({ userId }) => Promise.resolve(`Help ${userId}.`),
    });

    expect(contents.at(-1)).toEqual({ role: 'user', parts: [{ text: 'Help ada.' }] });
  });

  it('takes the global one from the root of the tree, also from a root without a model', async () => {
    const Scout = defineAgent({ name: 'scout', instruction: 'Scout.' });
    const model = new ScriptedModel(
      says('Hi.'),
      callsTool('transfer_to_agent', { agent_name: 'scout' }),
      says('Hi.'),
    );

    @agent({ globalInstruction: 'Be brief.', subAgents: [Scout] })
    class First extends BaseAgent {
      async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
        for (const child of context.agent.subAgents) yield* context.invoke(child);
      }
    }
    const Clerk = defineAgent({ name: 'clerk', globalInstruction: 'Be brief.', subAgents: [Scout] });
    for (const root of [First, Clerk]) {
      await using runner = await createRunner(root, { model });
      await eventsOf(runner.run({ message: 'Go.' }));
    }

    const [first, , third] = model.requests.map(({ config }) => config.systemInstruction);
    expect(first).toMatch(/^Be brief\.\n\nScout\.\n\nYour name is "scout"\./);
    expect(third).toMatch(/^Be brief\.\n\nScout\.\n\nYour name is "scout"\./);
  });

  it('names those it may hand over to', async () => {
    const subAgents = [
      defineAgent({ name: 'sales', description: 'Sells.' }),
      defineAgent({ name: 'support' }),
    ];

    expect(await systemOf({ subAgents })).toBe(
      'Your name is "clerk".\n\n' +
        'You can transfer the conversation to one of these agents:\n- sales: Sells.\n- support: no description\n' +
        'If one of them is better suited to answer, call transfer_to_agent with its name and say nothing else. ' +
        'Otherwise answer yourself.',
    );
  });
});

describe('the settings of a request', () => {
  it('are those of the agent, untouched', async () => {
    const generateContentConfig = Object.freeze({ temperature: 0.1, topK: 3 });

    expect((await requestOf({ generateContentConfig })).config).toEqual({
      temperature: 0.1,
      topK: 3,
      systemInstruction: 'Your name is "clerk".',
    });
  });

  it('ask for an answer in the form of the output schema', async () => {
    const outputSchema = { type: 'object', properties: { city: { type: 'string' } } };

    expect((await requestOf({ outputSchema })).config).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: outputSchema,
    });
  });
});

describe('the tools of a request', () => {
  it('are declared in one entry, those of toolsets behind the others, beside entries of another kind', async () => {
    const passive = passiveTool((request) => {
      request.config = { ...request.config, tools: [...(request.config.tools ?? []), { googleSearch: {} }] };
    });

    const { config } = await requestOf({
      tools: [
        passive,
        named('a'),
        new StaticToolset([named('c')]),
        named('b'),
        new StaticToolset([named('d')]),
      ],
    });

    expect(
      config.tools?.map((entry) =>
        'functionDeclarations' in entry ? entry.functionDeclarations?.map(({ name }) => name) : entry,
      ),
    ).toEqual([['a', 'b', 'c', 'd'], { googleSearch: {} }]);
  });

  it('of a toolset are listed anew for each request', async () => {
    const toolset = new StaticToolset([named('a')]);
    const grow = new FunctionTool({
      name: 'grow',
      description: '',
      run: () => {
        toolset.push(named('b'));
      },
    });
    const model = new ScriptedModel(callsTool('grow'), callsTool('b'), says('Done.'));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [grow, toolset] }), {
      model,
    });

    const events = await eventsOf(runner.run({ message: 'Go.' }));

    expect(model.requests.map(({ config }) => declaredIn(config))).toEqual([
      ['grow', 'a'],
      ['grow', 'a', 'b'],
      ['grow', 'a', 'b'],
    ]);
    expect(events[3]?.functionResponses[0]?.response).toEqual({ result: 'b' });
  });

  it('that the model runs itself stand in generateContentConfig, and are sent beside the functions', async () => {
    const generateContentConfig = { tools: [{ googleSearch: {} }, { urlContext: {} }] };

    expect((await requestOf({ generateContentConfig })).config.tools).toEqual(generateContentConfig.tools);
    const { config } = await requestOf({ generateContentConfig, tools: [named('a')] });
    expect(declaredIn(config)).toEqual(['a']);
    expect(config.tools?.slice(1)).toEqual(generateContentConfig.tools);
  });

  it('of a toolset are shown who asks', async () => {
    const toolset = new (class extends Toolset {
      seen: unknown;

      listTools(context: Parameters<Toolset['listTools']>[0]): Tool[] {
        const { userId, agentName, userContent } = context;
        this.seen = { userId, agentName, userContent, tier: context.state.get('tier') };
        return [];
      }
    })();

    await requestOf({ tools: [toolset] }, { stateDelta: { tier: 'gold' } });

    expect(toolset.seen).toEqual({
      userId: 'ada',
      agentName: 'clerk',
      userContent: { role: 'user', parts: [{ text: 'Go.' }] },
      tier: 'gold',
    });
  });

  it('that give their result later are declared with the advice not to call them again meanwhile', async () => {
    const described = new FunctionTool({
      name: 'print',
      description: 'Prints.',
      longRunning: true,
      run: () => 1,
    });
    const { config } = await requestOf({ tools: [booking(), named('a'), described] });
    const note =
      'NOTE: This is a long-running operation. Do not call this tool again if it has already returned some ' +
      'intermediate or pending status.';

    const [entry] = (config.tools ?? []) as { functionDeclarations: { description: string }[] }[];
    expect(entry?.functionDeclarations.map(({ description }) => description)).toEqual([
      note,
      '',
      `Prints.\n${note}`,
    ]);
  });

  it('may change a request themselves, and a passive one is not declared', async () => {
    const passive = passiveTool((request) => {
      request.config = { ...request.config, tools: [...(request.config.tools ?? []), { googleSearch: {} }] };
      request.contents = [...request.contents, { role: 'user', parts: [{ text: 'Search.' }] }];
    });

    const { config, contents } = await requestOf({ tools: [named('a'), passive] });

    expect(declaredIn(config)).toEqual(['a']);
    expect(config.tools?.[1]).toEqual({ googleSearch: {} });
    expect(contents.map(({ parts }) => parts?.[0]?.text)).toEqual(['Go.', 'Search.']);
  });

  it('are no part of the request where none of them is declared', async () => {
    const { config } = await requestOf({ tools: [passiveTool(() => undefined)] });

    expect(config).not.toHaveProperty('tools');
  });
});

describe('the logger of a request', () => {
  it("is the runner's, for the model and for the tools that change the request", async () => {
    class Complaining extends ScriptedModel {
      override generate(request: ModelRequest) {
        request.logger?.warn('the model is slow');
        return super.generate(request);
      }
    }
    const logger = new ListLogger();
    const passive = passiveTool(({ logger: given }) => given?.warn('the tool is old'));
    const services = new ContainerModule(({ bind }) => void bind(Logger).toConstantValue(logger));
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [passive] }), {
      model: new Complaining(says('Done.')),
      modules: [services],
    });

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(logger.lines.map(([message]) => message)).toEqual(['the tool is old', 'the model is slow']);
  });
});

describe('the contents of a request', () => {
  it('are those of the current turn where the agent is to see no more', async () => {
    const model = new ScriptedModel(says('Hi.'), callsTool('a', {}, 'c1'), says('Done.'));
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', includeContents: 'none', tools: [named('a')] }),
      { model },
    );

    await eventsOf(runner.run({ sessionId: 's1', message: 'Hello.' }));
    await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));

    expect(model.requests[2]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'a', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'a', response: { result: 'a' } } }] },
    ]);
  });

  it('keep the call that a later message answers', async () => {
    const model = new ScriptedModel(callsTool('book', {}, 'c1'), says('Booked.'));
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', includeContents: 'none', tools: [booking()] }),
      { model },
    );
    await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' }));
    const [request] = await runner.pending({ userId: 'ada', sessionId: 's1' });

    if (request !== undefined) await eventsOf(runner.supply(request, { seat: '1A' }));

    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'book', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'book', response: { seat: '1A' } } }] },
    ]);
  });

  it('keep it also where words came along with the answer', async () => {
    const model = new ScriptedModel(callsTool('book', {}, 'c1'), says('Booked.'));
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', includeContents: 'none', tools: [booking()] }),
      { model },
    );
    await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));
    const functionResponse = { id: 'c1', name: 'book', response: { seat: '1A' } };

    await eventsOf(
      runner.run({
        sessionId: 's1',
        message: { role: 'user', parts: [{ functionResponse }, { text: 'There.' }] },
      }),
    );

    expect(model.requests[1]?.contents).toContainEqual({ role: 'user', parts: [{ functionResponse }] });
  });

  it('hold the message of the user after a hand-over, also where the agent is to see no more than the turn', async () => {
    const model = new ScriptedModel(callsTool('transfer_to_agent', { agent_name: 'billing' }), says('Paid.'));
    const Billing = defineAgent({ name: 'billing', includeContents: 'none' });
    await using runner = await createRunner(defineAgent({ name: 'desk', subAgents: [Billing] }), { model });

    await eventsOf(runner.run({ message: 'Bill 4711 is wrong.' }));

    expect(model.requests[1]?.contents[0]).toEqual({
      role: 'user',
      parts: [{ text: 'Bill 4711 is wrong.' }],
    });
  });

  it('keep an approved call and its result after other talk, where the agent sees the turn alone', async () => {
    const model = new ScriptedModel(callsTool('wipe', {}, 'c1'), says('We wait.'), says('Wiped.'));
    const wipe = new FunctionTool({ name: 'wipe', description: '', confirm: true, run: () => 'wiped' });
    await using runner = await createRunner(
      defineAgent({ name: 'clerk', includeContents: 'none', tools: [wipe] }),
      { model },
    );
    const address = { userId: 'ada', sessionId: 's1' };
    await eventsOf(runner.run({ ...address, message: 'Wipe it.' }));
    await eventsOf(runner.run({ ...address, message: 'What now?' }));
    const [request] = await runner.pending(address);

    if (request !== undefined) await eventsOf(runner.approve(request));

    expect(model.requests[1]?.contents).toEqual([{ role: 'user', parts: [{ text: 'What now?' }] }]);
    expect(model.requests[2]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Wipe it.' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'wipe', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'wipe', response: { result: 'wiped' } } }],
      },
    ]);
  });

  it('end with words of a user also where the model had the last word: it speaks only to somebody', async () => {
    const hidden = { functionCall: { name: 'adk_request_confirmation', args: {} } };
    const model = new ScriptedModel(
      { content: { role: 'model', parts: [{ text: 'Hm.' }, hidden] } },
      says('Done.'),
    );
    await using runner = await createRunner(defineAgent({ name: 'clerk' }), { model });

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(model.requests[1]?.contents).toEqual([
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [{ text: 'Hm.' }] },
      {
        role: 'user',
        parts: [{ text: 'Continue with the previous request. If nothing is left to do, say what was done.' }],
      },
    ]);
  });
});

type Options = Omit<Parameters<typeof defineAgent>[0], 'name'>;

/** The input of a run, and the state of its session before it. */
type Input = Partial<RunInput> & { readonly state?: StateDelta };

/** The first request of an agent with these options. */
async function requestOf(options: Options, { state, ...input }: Input = {}) {
  const model = new ScriptedModel(says('Done.'));
  await using runner = await createRunner(defineAgent({ ...options, name: 'clerk' }), { model });
  const address = { userId: 'ada', sessionId: 's1' };
  if (state !== undefined) await runner.sessions.createSession({ appName: 'clerk', ...address }, state);
  await eventsOf(runner.run({ ...address, message: 'Go.', ...input }));
  const [request] = model.requests;
  if (request === undefined) throw new Error('The model was not asked.');
  return request;
}

async function systemOf(options: Options, input?: Input): Promise<unknown> {
  return (await requestOf(options, input)).config.systemInstruction;
}

function named(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name });
}

function passiveTool(processRequest: (request: ModelRequest) => void): Tool {
  const passive: Tool = new FunctionTool({ name: 'passive', description: '', run: () => undefined });
  return Object.assign(passive, { declaration: () => undefined, processRequest });
}

function declaredIn({ tools = [] }: { tools?: readonly object[] }): (string | undefined)[] {
  return tools
    .flatMap((entry) =>
      'functionDeclarations' in entry ? (entry.functionDeclarations as { name?: string }[]) : [],
    )
    .map(({ name }) => name);
}

/** The arrays that a model is handed in the two requests of a run with one call. */
function booking(): FunctionTool {
  return new FunctionTool({ name: 'book', description: '', longRunning: true, run: () => 'ticket 7' });
}
