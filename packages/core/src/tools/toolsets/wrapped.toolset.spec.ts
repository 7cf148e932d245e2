import { jest } from '@jest/globals';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import type { ToolFilter } from '../../backend.js';
import {
  ConsoleLogger,
  createRunner,
  defineAgent,
  FunctionTool,
  StaticToolset,
  type Tool,
  type Toolset,
  withFilter,
  withPrefix,
} from '../../index.js';

afterEach(() => jest.restoreAllMocks());

describe('withFilter', () => {
  it.each<[string, ToolFilter]>([
    ['names', ['read']],
    ['a function of the tool', ({ traits }) => traits.effect === 'read'],
    ['a function of the context', ({ name }, { userId }) => userId === 'ada' && name === 'read'],
  ])('offers the tools that %s choose; the others cannot be called', async (_what, filter) => {
    const { declared, responses } = await run(withFilter(files(), filter), 'read', 'remove');

    expect(declared).toEqual(['read']);
    expect(responses).toEqual([
      { result: 'read' },
      { error: expect.stringContaining('There is no tool called "remove"') as unknown },
    ]);
  });

  it('warns once of a name that the toolset does not list', async () => {
    const warn = jest.spyOn(ConsoleLogger.prototype, 'warn').mockReturnValue();

    await run(withFilter(files(), ['reed']), 'read');

    expect(warn.mock.calls).toEqual([
      ['withFilter names a tool that its toolset does not list', { toolset: 'StaticToolset', tool: 'reed' }],
    ]);
  });

  it('offers nothing where the function gives a promise instead of a decision', async () => {
    const error = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
    const asked = (() => Promise.resolve(false)) as unknown as ToolFilter;

    const { declared } = await run(withFilter(files(), asked), 'read');

    expect(declared).toEqual([]);
    expect(String(error.mock.calls[0]?.[1]?.['error'])).toContain(
      'The filter of StaticToolset returned a promise',
    );
  });

  it.each([[undefined], ['read'], [[1]], [{ only: ['read'] }]])('refuses the filter %j', (filter) => {
    expect(() => withFilter(files(), filter as unknown as ToolFilter)).toThrow('as its filter');
  });
});

describe('withPrefix', () => {
  it('names the tools, runs them, and keeps what else they say', async () => {
    const { declared, responses, model } = await run(withPrefix(files(), 'files'), 'files_read', 'read');

    expect(declared).toEqual(['files_read', 'files_remove']);
    expect(responses).toEqual([
      { result: 'read' },
      { error: expect.stringContaining('There is no tool called "read"') as unknown },
    ]);
    expect(model.requests[0]?.config.tools).toMatchObject([
      { functionDeclarations: [{ description: 'Reads.' }, { description: 'Removes.' }] },
    ]);
  });

  it('lets a call that needs an approval run no sooner than before', async () => {
    const model = new ScriptedModel(callsTool('files_remove'), says('Done.'));
    await using runner = await createRunner(clerkWith(withPrefix(files(), 'files')), { model });
    await eventsOf(runner.run({ sessionId: 's1', message: 'Go.' }));

    const [request] = await runner.pending({ sessionId: 's1' });
    const events = request === undefined ? [] : await eventsOf(runner.approve(request));

    expect([request?.tool, events[0]?.functionResponses[0]?.response]).toEqual([
      'files_remove',
      { result: 'removed' },
    ]);
  });

  it('lets two toolsets with the same names be listed by one agent', async () => {
    const model = new ScriptedModel(says('Done.'));
    const tools = [withPrefix(files(), 'work'), withPrefix(files(), 'home')];
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });

    await eventsOf(runner.run({ message: 'Go.' }));

    expect(namesIn(model)).toEqual(['work_read', 'work_remove', 'home_read', 'home_remove']);
  });

  it.each([[undefined], [''], ['7'], ['a b'], ['ä'], ['x'.repeat(65)]])('refuses the prefix %j', (prefix) => {
    expect(() => withPrefix(files(), prefix as string)).toThrow('as its prefix');
  });
});

describe('wrappers of a toolset', () => {
  it('can be combined: a filter outside a prefix sees the names with it', async () => {
    const { declared } = await run(withFilter(withPrefix(files(), 'files'), ['files_read']), 'files_read');

    expect(declared).toEqual(['files_read']);
  });

  it('close the toolset inside once, also where two of them wrap it', async () => {
    const inner = files();
    const close = jest.spyOn(inner, 'close');
    const tools = [withPrefix(inner, 'a'), withFilter(inner, ['read'])];
    const runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model: new ScriptedModel() });

    await runner.close();

    expect(close).toHaveBeenCalledTimes(1);
  });

  it('state the credential and the options of the toolset inside', () => {
    const inner = Object.assign(files(), {
      auth: { scheme: { type: 'http', scheme: 'bearer' } },
      listing: { required: true, timeout: 5, keepFor: 'app' },
    });

    expect(withPrefix(withFilter(inner, ['read']), 'files')).toMatchObject({
      auth: inner.auth,
      listing: { required: true, timeout: 5 },
    });
  });

  it.each([withFilter, withPrefix])('refuse what is no toolset: %p', (wrap) => {
    expect(() => wrap([] as unknown as Toolset, 'read' as never)).toThrow('a list, which is not a Toolset');
    expect(() => wrap(undefined as unknown as Toolset, 'read' as never)).toThrow('absent, which is not');
  });
});

function files(): StaticToolset {
  const tools: Tool[] = [
    new FunctionTool({ name: 'read', description: 'Reads.', effect: 'read', run: () => 'read' }),
    new FunctionTool({
      name: 'remove',
      description: 'Removes.',
      effect: 'destructive',
      run: () => 'removed',
    }),
  ];
  return new StaticToolset(tools);
}

function clerkWith(toolset: Toolset) {
  return defineAgent({ name: 'clerk', tools: [toolset] });
}

/** Lets the model call these tools one after the other. */
async function run(toolset: Toolset, ...calls: string[]) {
  const model = new ScriptedModel(...calls.map((name) => callsTool(name)), says('Done.'));
  await using runner = await createRunner(clerkWith(toolset), { model });
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go.' }));
  const responses = events.flatMap(({ functionResponses }) =>
    functionResponses.map(({ response }) => response),
  );
  return { declared: namesIn(model), responses, model };
}

function namesIn(model: ScriptedModel): (string | undefined)[] {
  return (model.requests[0]?.config.tools ?? []).flatMap((entry) =>
    'functionDeclarations' in entry ? (entry.functionDeclarations ?? []).map(({ name }) => name) : [],
  );
}
