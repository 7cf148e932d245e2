import { agent, createRunner, defineAgent, googleSearch, LlmAgent, Toolset, toolbox } from '@adorn/core';
import type { ToolSource } from '@adorn/core/backend';
import { agentGraph } from '@adorn/core/compiler';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { searchable } from './index.js';
import { Changing, named, namesIn, Orders } from './searchable.fixture.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

async function play(tools: readonly ToolSource[], ...steps: ScriptedStep[]) {
  const model = new ScriptedModel(...steps);
  await using runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
  const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
  const responses = events.flatMap(({ functionResponses }) =>
    functionResponses.map(({ response }) => response),
  );
  return { model, events, responses, tools: await runner.tools(ADDRESS) };
}

const search = (query: string, name = 'search_tools'): ScriptedStep => callsTool(name, { query, limit: 1 });

describe('a source in searchable', () => {
  it('may be an agent, which is found by its description', async () => {
    const Baker = defineAgent({ name: 'baker', description: 'Bakes bread.' });
    const { responses } = await play(
      [searchable(Baker)],
      search('bread'),
      callsTool('baker', { request: 'One loaf.' }),
      says('Bread.'),
      says('Done.'),
    );

    expect(responses.at(-1)).toEqual({ text: 'Bread.' });
  });

  it('may be a class that unfolds, whose methods are found', async () => {
    @toolbox({ unfold: true, prefix: 'shop' })
    class Shop extends Orders {}
    const { model } = await play([searchable(Shop)], search('parcel'), says('Done.'));

    expect(namesIn(model)).toEqual([['search_tools'], ['search_tools', 'shop_track_parcel']]);
  });

  it('may be beside a toolbox: both are declared in the order of opening', async () => {
    @toolbox({ unfold: true, description: 'Shop.' })
    class Shop extends Orders {}
    const bread = named('bake_bread', 'Bakes bread.');
    const cake = named('bake_cake', 'Bakes cake.');
    const { model } = await play(
      [Shop, searchable([bread, cake])],
      search('bread'),
      callsTool('open_shop'),
      search('cake'),
      says('Done.'),
    );

    const shop = ['find_order', 'refund_order', 'track_parcel'];
    expect(namesIn(model).at(-1)?.slice(2)).toEqual(['bake_bread', ...shop, 'bake_cake']);
  });

  it('is declared if it is also listed itself', async () => {
    const bread = named('bake_bread', 'Bakes bread.');
    const { model } = await play([bread, searchable([bread, Orders])], says('Done.'));

    expect(namesIn(model)).toEqual([['bake_bread', 'search_tools']]);
  });

  it('is searched with the others of its searchable alone', async () => {
    const { model } = await play(
      [searchable(Orders), searchable(named('bake_bread', 'Bakes bread.'), { name: 'search_bakery' })],
      search('bread'),
      search('bread', 'search_bakery'),
      says('Done.'),
    );

    expect(namesIn(model).map((names) => names.slice(2))).toEqual([[], [], ['bake_bread']]);
  });

  it.each<[string, readonly ToolSource[], string]>([
    ['a second search of one name', [searchable(Orders), searchable(named('x', 'X.'))], 'TOOL_NAME_TAKEN'],
    ['two tools of one name', [searchable([Orders, named('find_order', 'X.')])], 'TOOL_NAME_TAKEN'],
    ['a tool of the provider', [searchable(googleSearch())], 'TOOLSET_INVALID'],
    ['a searchable within another', [searchable(searchable(Orders))], 'NOT_A_TOOL'],
    ['what is no tool', [searchable(7 as never)], 'NOT_A_TOOL'],
  ])('is refused when the runner is created: %s', async (_what, tools, code) => {
    const created = createRunner(defineAgent({ name: 'clerk', tools }), { model: new ScriptedModel() });
    await expect(created).rejects.toMatchObject({ code });
  });

  it('may be a toolset that fails: the search says so, and finds the others', async () => {
    class Broken extends Toolset {
      listTools(): never {
        throw new Error('the server is down');
      }
    }
    const { responses } = await play([searchable([Orders, new Broken()])], search('parcel'), says('Done.'));

    expect(responses).toEqual([
      {
        tools: [{ name: 'track_parcel', description: 'Tell where a parcel is.' }],
        unavailable: ['The toolset Broken failed: the server is down'],
      },
    ]);
  });

  it('may be a toolset that needs a credential of the user, who is asked as ever', async () => {
    class Private extends Changing {
      override readonly auth = { scheme: { type: 'apiKey', in: 'header', name: 'X' }, key: 'shop' } as const;
    }
    const { events, model } = await play([searchable(new Private([named('look', 'Looks.')]))]);

    expect(model.requests).toEqual([]);
    expect(events.flatMap(({ pending }) => pending.map(({ kind }) => kind))).toEqual(['credential']);
  });

  it('is listed for calls of people once it is found', async () => {
    const { tools } = await play([searchable(Orders)], search('parcel'), says('Done.'));

    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'track_parcel']);
  });

  it('is told of by explain, and drawn by the graph', async () => {
    const toolset = new Changing([named('look', 'Looks.')]);
    @agent({ name: 'clerk', model: new ScriptedModel(), tools: [searchable([Orders, toolset])] })
    class Clerk extends LlmAgent {}
    await using runner = await createRunner(Clerk);
    const { closed } = await runner.explain({ ...ADDRESS, message: 'Go.' });

    expect(closed).toEqual([{ opener: 'search_tools', tools: 4, open: 0 }]);
    expect(agentGraph(runner.root)).toMatchObject({
      tools: [{ name: 'search_tools' }, { name: 'find_order', box: 'search_tools' }, {}, {}],
      toolsets: ['Changing in search_tools'],
    });
  });
});
