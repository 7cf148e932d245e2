import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { Part } from '../events/genai-types.js';
import { UNTRUSTED } from '../log/labelled-results.js';
import type { DefinedAgentOptions, ProviderToolKind } from '../backend.js';
import {
  builtInCodeExecution,
  createRunner,
  defineAgent,
  fileSearch,
  FunctionTool,
  googleMaps,
  googleSearch,
  type ModelResponse,
  StaticToolset,
  urlContext,
  vertexAiSearch,
  withOptions,
} from '../index.js';

const DATASTORE = 'projects/p/locations/global/collections/default_collection/dataStores/handbook';

describe('tools that the provider runs', () => {
  it('are entries of the request, beside the declarations and never among them', async () => {
    const { model } = await run({ tools: [googleSearch(), refund, urlContext(), builtInCodeExecution()] });

    const [functions, ...others] = model.requests[0]?.config.tools ?? [];
    expect(functions).toMatchObject({ functionDeclarations: [{ name: 'refund' }] });
    expect(others).toEqual([{ googleSearch: {} }, { urlContext: {} }, { codeExecution: {} }]);
  });

  it.each([
    [googleMaps(), { googleMaps: {} }],
    [
      googleSearch({ excludeDomains: ['example.com'] }),
      { googleSearch: { excludeDomains: ['example.com'] } },
    ],
    [
      fileSearch({ fileSearchStoreNames: ['fileSearchStores/a'], topK: 3 }),
      { fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'], topK: 3 } },
    ],
    [vertexAiSearch({ datastore: DATASTORE }), { retrieval: { vertexAiSearch: { datastore: DATASTORE } } }],
  ])('have their options in the entry: %#', async (tool, entry) => {
    const { model } = await run({ tools: [tool] });

    expect(model.requests[0]?.config.tools).toEqual([entry]);
  });

  it('of the model itself mark the answer as untrusted, by the names that the model tells', async () => {
    const response = { ...says('Cold.'), untrustedTools: ['web_search', 7 as never] };
    await using runner = await createRunner(agentOf({}), { model: new ScriptedModel(response) });

    const [event] = await eventsOf(runner.run({ message: 'Oslo?' }));

    expect(event?.customMetadata).toEqual({ 'adorn:untrusted': ['web_search'] });
  });

  it('are planned once: every request of every run has the same config', async () => {
    const model = new ScriptedModel(callsTool('refund', {}), says('Done.'), says('Hello.'));
    await using runner = await createRunner(agentOf({ tools: [googleSearch(), refund] }), { model });

    await eventsOf(runner.run({ sessionId: 's1', message: 'Refund.' }));
    await eventsOf(runner.run({ sessionId: 's1', message: 'Hi.' }));

    const configs = model.requests.map(({ config }) => config);
    expect(configs[0]?.tools).toHaveLength(2);
    expect(new Set(configs).size).toBe(1);
  });

  it('stand once in a request, also where they are listed again or are in generateContentConfig', async () => {
    const options = { tools: [googleSearch(), googleSearch(), urlContext()] };
    const { model } = await run({
      ...options,
      generateContentConfig: { tools: [{ googleSearch: { excludeDomains: ['example.com'] } }] },
    });

    expect(model.requests[0]?.config.tools).toEqual([
      { googleSearch: { excludeDomains: ['example.com'] } },
      { urlContext: {} },
    ]);
  });

  it('may come from a toolset', async () => {
    const { model } = await run({ tools: [new StaticToolset([googleSearch()]), refund] });

    expect(model.requests[0]?.config.tools).toMatchObject([
      { functionDeclarations: [{ name: 'refund' }] },
      { googleSearch: {} },
    ]);
  });

  it('cannot be called as a function: the model is told so, and may go on', async () => {
    const model = new ScriptedModel(callsTool('google_search', { query: 'x' }, 'c1'), says('Well.'));

    const { events } = await run({ tools: [googleSearch(), refund] }, model);

    expect(events.flatMap(({ functionResponses }) => functionResponses)).toEqual([
      {
        id: 'c1',
        name: 'google_search',
        response: {
          error:
            '"google_search" is not a function and cannot be called: it takes effect by itself while you answer. ' +
            'These can be called: refund.',
        },
      },
    ]);
    expect(events.at(-1)?.text).toBe('Well.');
  });

  it('may not have the name of a function', async () => {
    const other = new FunctionTool({ name: 'google_search', description: '', run: () => 1 });

    await expect(run({ tools: [googleSearch(), other] })).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
      message: expect.stringContaining('a built-in tool and FunctionTool') as unknown,
    });
    await expect(run({ tools: [googleSearch(), googleSearch({})] })).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
    });
  });

  it.each([{ confirm: true as const }, { timeout: 5 }])(
    'have no policies: a wrapper would guard nothing',
    (options) => {
      expect(() => withOptions(googleSearch(), options)).toThrow(
        expect.objectContaining({
          code: 'TOOL_CONFIG_INVALID',
          message: expect.stringContaining("the model's provider runs it") as unknown,
        }) as Error,
      );
    },
  );

  it.each([
    ['no store', () => fileSearch({ fileSearchStoreNames: [] })],
    ['nothing', () => fileSearch(undefined as never)],
    ['no source', () => vertexAiSearch({})],
    ['nothing', () => vertexAiSearch(undefined as never)],
    ['two sources', () => vertexAiSearch({ datastore: DATASTORE, engine: 'e' })],
  ])('refuse options that name %s', (_what, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'TOOL_CONFIG_INVALID' }) as Error);
  });
});

describe('an agent whose model cannot serve a tool of its provider', () => {
  it('is refused when the runner is created, with the tool, the model and what it needs', async () => {
    await expect(run({ tools: [googleSearch()] }, new LimitedModel([]))).rejects.toMatchObject({
      code: 'PROVIDER_TOOL_UNSUPPORTED',
      message:
        'Agent "clerk" has the tool google_search, which needs a Gemini model, from Gemini 2 on; its model is "scripted". ' +
        'Give the agent such a model, or remove the tool.',
    });
  });

  it('is a tool of its name where the model takes either it or functions: an agent has it, and is asked', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const model = new LimitedModel(
      ['googleSearch'],
      callsTool('google_search', { request: 'When do they open?' }),
      { ...says('At seven, says example.com.'), groundingMetadata: { webSearchQueries: ['opening'] } },
      callsTool('send', {}),
    );
    const send = new FunctionTool({
      name: 'send',
      description: 'Sends.',
      sensitive: true,
      run: () => 'sent',
    });
    await using runner = await createRunner(agentOf({ tools: [googleSearch(), send] }), { model });

    const { events, pending } = await runner.run({ message: 'When?' });

    const [asked, inner, told] = model.requests;
    expect(asked?.config.tools).toMatchObject([
      { functionDeclarations: [{ name: 'send' }, { name: 'google_search' }] },
    ]);
    expect(inner?.config.tools).toEqual([{ googleSearch: {} }]);
    expect(inner?.contents).toEqual([{ role: 'user', parts: [{ text: 'When do they open?' }] }]);
    expect(told?.contents.at(-1)?.parts?.[0]?.functionResponse?.response).toEqual({
      text: 'At seven, says example.com.',
    });
    expect(events[1]?.functionResponses).toHaveLength(1);
    expect(pending.map(({ tool }) => tool)).toEqual(['send']);
    expect(warn).toHaveBeenCalledWith(
      expect.stringMatching(/each use is one more model call.*clerk.*google_search/s),
    );
    warn.mockRestore();
  });

  it.each<[string, Omit<DefinedAgentOptions, 'name'>]>([
    ['an agent with sub-agents', { subAgents: [defineAgent({ name: 'helper' })] }],
    ['an agent with an outputSchema', { outputSchema: { type: 'object', properties: {} } }],
    ['an agent with a toolset', { tools: [new StaticToolset()] }],
  ])('is asked as an agent by %s too', async (_what, options) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const tools = [...(options.tools ?? []), googleSearch(), urlContext()];

    const { model } = await run({ ...options, tools }, new LimitedModel(['googleSearch', 'urlContext']));

    expect(namesIn(model)).toEqual(expect.arrayContaining(['google_search', 'url_context']));
    const told = warn.mock.calls.filter(([text]) => String(text).includes('one more model call'));
    expect(told).toHaveLength(2);
    warn.mockRestore();
  });

  it('is refused where the model has it neither way', async () => {
    await expect(
      run({ tools: [googleMaps(), refund] }, new LimitedModel(['googleSearch'])),
    ).rejects.toMatchObject({
      code: 'PROVIDER_TOOL_UNSUPPORTED',
      message: expect.stringContaining('Agent "clerk" has the tool google_maps') as unknown,
    });
  });

  it('runs where it has only such tools', async () => {
    const model = new LimitedModel(['googleSearch', 'urlContext']);

    const { events } = await run({ tools: [googleSearch(), urlContext()] }, model);

    expect(events.at(-1)?.text).toBe('Hello.');
  });

  it('may be handed over to by one that has functions, where it does not hand back', async () => {
    const searcher = defineAgent({
      name: 'searcher',
      tools: [googleSearch()],
      disallowTransferToParent: true,
      disallowTransferToPeers: true,
    });
    const model = new LimitedModel(
      ['googleSearch'],
      callsTool('transfer_to_agent', { agent_name: 'searcher' }),
      says('Found.'),
    );

    const { events } = await run({ tools: [refund], subAgents: [searcher] }, model);

    expect(events.at(-1)).toMatchObject({ author: 'searcher', text: 'Found.' });
    expect(model.requests[1]?.config.tools).toEqual([{ googleSearch: {} }]);
  });

  it('goes on without a toolset that lists the tool', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const model = new LimitedModel(['googleSearch']);

    const { events } = await run({ tools: [refund, new StaticToolset([googleSearch()])] }, model);

    expect(events.at(-1)?.text).toBe('Hello.');
    expect(model.requests[0]?.config.tools).toMatchObject([{ functionDeclarations: [{ name: 'refund' }] }]);
    expect(error).toHaveBeenCalledWith(expect.stringContaining('PROVIDER_TOOL_NOT_COMBINABLE'));
    error.mockRestore();
  });

  it('is refused with all such tools named', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const tools = [refund, new StaticToolset([googleSearch(), urlContext()])];

    await run({ tools }, new LimitedModel(['googleSearch', 'urlContext']));

    expect(error).toHaveBeenCalledWith(
      expect.stringContaining('Agent "clerk" has google_search and url_context,'),
    );
    error.mockRestore();
  });

  it('is told what made each function that its author did not list', async () => {
    const error = jest.spyOn(console, 'error').mockReturnValue();
    const tools = [refund, new StaticToolset([googleSearch()])];
    const outputSchema = { type: 'object', properties: {} };
    const model = new LimitedModel(['googleSearch']);

    await run({ tools, outputSchema, subAgents: [defineAgent({ name: 'helper' })] }, model);

    expect(error).toHaveBeenCalledWith(
      expect.stringMatching(
        /Agent "clerk" has google_search, which its model "scripted" cannot combine with functions: refund[^(]*transfer_to_agent \(to transfer to other agents\).*set_model_response \(for its outputSchema\)/s,
      ),
    );
    error.mockRestore();
  });
});

describe('an answer for which the provider read the web', () => {
  const sensitive = new FunctionTool({
    name: 'send',
    description: 'Sends mail.',
    sensitive: true,
    run: () => 'sent',
  });

  it.each<[string, ModelResponse, boolean]>([
    ['was grounded', { groundingMetadata: { webSearchQueries: ['x'] } }, true],
    ['was not grounded', { groundingMetadata: {} }, false],
    ['read a page', { urlContextMetadata: { urlMetadata: [] } }, true],
    ['shows a search', { content: { parts: [{ toolResponse: { id: 't1' } }] } }, true],
  ])(
    'makes the conversation untrusted: sensitive tools ask from then on, if it %s',
    async (_what, response, asks) => {
      const found = {
        content: { role: 'model', parts: [{ text: 'Found.' }, ...(response.content?.parts ?? [])] },
      };
      const model = new ScriptedModel({ ...response, ...found }, callsTool('send', {}), says('Sent.'));
      await using runner = await createRunner(agentOf({ tools: [googleSearch(), urlContext(), sensitive] }), {
        model,
      });

      await eventsOf(runner.run({ userId: 'ada', sessionId: 's1', message: 'Search.' }));
      const { pending } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Send it.' });

      expect(pending.map(({ kind }) => kind)).toEqual(asks ? ['confirmation'] : []);
    },
  );
});

it('an answer that shows code which the provider ran is trusted', async () => {
  const parts = [{ toolResponse: { id: 't1' } }, { text: 'Four.' }];
  const model = new ScriptedModel({ content: { role: 'model', parts } });
  await using runner = await createRunner(agentOf({ tools: [builtInCodeExecution()] }), { model });

  const [event] = await eventsOf(runner.run({ message: 'Two and two?' }));

  expect(event?.customMetadata).toBeUndefined();
});

const refund = new FunctionTool({ name: 'refund', description: 'Refunds.', run: () => 'done' });

/** A model of a provider that runs only some tools, and none beside functions. */
class LimitedModel extends ScriptedModel {
  constructor(
    private readonly kinds: readonly ProviderToolKind[],
    ...steps: readonly ModelResponse[]
  ) {
    super(...(steps.length > 0 ? steps : [says('Hello.')]));
  }

  override supportsProviderTool(kind?: ProviderToolKind): boolean {
    return kind !== undefined && this.kinds.includes(kind);
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return false;
  }

  override get supportsSchemaBesideTools(): boolean {
    return false;
  }
}

function namesIn({ requests }: ScriptedModel): (string | undefined)[] {
  return (requests[0]?.config.tools ?? []).flatMap((tool) =>
    ((tool as { functionDeclarations?: { name?: string }[] }).functionDeclarations ?? []).map(
      ({ name }) => name,
    ),
  );
}

function agentOf(options: Omit<DefinedAgentOptions, 'name'>) {
  return defineAgent({ ...options, name: 'clerk' });
}

async function run(options: Omit<DefinedAgentOptions, 'name'>, model = new ScriptedModel(says('Hello.'))) {
  await using runner = await createRunner(agentOf(options), { model });
  return { model, events: await eventsOf(runner.run({ message: 'Go.' })) };
}

describe('a call that the provider has answered in the same answer', () => {
  const call = (id?: string) => ({ functionCall: { id, name: 'refund', args: { cents: 5 } } });
  const response = (id?: string) => ({ functionResponse: { id, name: 'refund', response: { ok: true } } });
  const mcp = { generateContentConfig: { tools: [{ mcpServers: [{ name: 'shop' }] }] } };

  it.each([[undefined], ['c1']])('is not run here: it was run by the provider (id %s)', async (id) => {
    const { events, ran, model } = await refundWith(mcp, [call(id), response(id), { text: 'Refunded.' }]);

    expect(ran).toBe(0);
    expect(model.requests).toHaveLength(1);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ text: 'Refunded.', turnComplete: true, functionCalls: [] });
    expect(events[0]?.content?.parts?.slice(0, 2)).toMatchObject([
      { toolCall: { toolType: 'refund', args: { cents: 5 } } },
      { toolResponse: { toolType: 'refund', response: { ok: true } } },
    ]);
    expect(events[0]?.customMetadata?.[UNTRUSTED]).toEqual(['refund']);
  });

  it('is told from another call of the same tool by its id', async () => {
    const { ran, events } = await refundWith(mcp, [call('c1'), call('c2'), response('c2')]);

    expect(ran).toBe(1);
    expect(events[0]?.functionCalls).toMatchObject([{ id: 'c1' }]);
  });

  it('is run here where another call of the tool was answered', async () => {
    const { ran } = await refundWith(mcp, [call('c1'), response('c1'), call('c2')]);

    expect(ran).toBe(1);
  });

  it('is run here where the request had no tools of the provider: models answer no calls', async () => {
    const { ran } = await refundWith({}, [call('c1'), response('c1')]);

    expect(ran).toBe(1);
  });
});

/** Has a model answer with these parts. */
async function refundWith(settings: object, parts: Part[]) {
  let ran = 0;
  const refund = new FunctionTool({
    name: 'refund',
    description: '',
    parameters: { type: 'object' },
    run: () => ++ran,
  });
  const model = new ScriptedModel({ content: { role: 'model', parts } }, says('Done.'));
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [refund], ...settings }), {
    model,
  });
  const events = await eventsOf(runner.run({ message: 'Refund.' }));
  return { events, ran, model };
}
