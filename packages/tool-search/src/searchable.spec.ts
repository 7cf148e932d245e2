import {
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  SessionService,
} from '@adorn/core';
import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { searchable, type SearchableOptions } from './index.js';
import { Changing, named, namesIn, Orders } from './searchable.fixture.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };

const search = (query: string, limit?: number): ScriptedStep =>
  callsTool('search_tools', { query, ...(limit !== undefined && { limit }) });

function clerk(options?: SearchableOptions): AgentClass {
  return defineAgent({ name: 'clerk', tools: [named('say_hello', 'Hello.'), searchable(Orders, options)] });
}

describe('tools in searchable', () => {
  it('are declared from the request on that follows the search, in the order of finding', async () => {
    const { model, responses } = await run(
      search('where is my parcel'),
      callsTool('track_parcel'),
      search('refund', 1),
      says('Done.'),
    );

    const first = ['say_hello', 'search_tools'];
    expect(namesIn(model)).toEqual([
      first,
      [...first, 'track_parcel'],
      [...first, 'track_parcel'],
      [...first, 'track_parcel', 'refund_order'],
    ]);
    expect(responses).toEqual([
      { tools: [{ name: 'track_parcel', description: 'Tell where a parcel is.' }] },
      { result: 'on its way' },
      { tools: [{ name: 'refund_order', description: 'Pay money back for an order.' }] },
    ]);
  });

  it('are named if they fit less, and found by their names', async () => {
    const many = new Changing(
      Array.from({ length: 30 }, (_, index) => named(`count_${String(index)}`, 'Count something.')),
    );
    const root = defineAgent({ name: 'clerk', tools: [searchable(many)] });
    const { runner, model } = await start(
      [search('count', 2), search('count_14', 1), callsTool('count_14'), says('Done.')],
      { root },
    );

    const responses = responsesIn(await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' })));

    const [{ tools, more }] = responses as [{ tools: object[]; more: string[] }];
    expect([tools.length, more.length]).toEqual([2, 15]);
    expect(more).toContain('count_14');
    expect(namesIn(model)[1]).toEqual(['search_tools', 'count_0', 'count_1']);
    expect(responses.at(-1)).toEqual({ result: 'count_14' });
  });

  it('have no labels in an explained request before they are found', async () => {
    const read = new FunctionTool({
      name: 'read_mail',
      description: 'Mail.',
      untrusted: true,
      run: () => '',
    });
    const root = defineAgent({ name: 'clerk', tools: [searchable(read)] });
    const { runner } = await start([search('mail'), says('Done.')], { root });

    expect((await runner.explain({ ...ADDRESS, message: 'Go.' })).labels).toBeUndefined();
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    expect((await runner.explain({ ...ADDRESS, message: 'Go.' })).labels).toEqual({
      read_mail: ['untrusted'],
    });
  });

  it('keep their places when they are found again', async () => {
    const { model } = await run(search('parcel'), search('refund', 1), search('parcel'), says('Done.'));

    expect(namesIn(model).at(-1)?.slice(2)).toEqual(['track_parcel', 'refund_order']);
  });

  it('are all found by searches of one answer', async () => {
    const { model } = await run(
      callsTools(
        { name: 'search_tools', args: { query: 'parcel' } },
        { name: 'search_tools', args: { query: 'refund', limit: 1 } },
      ),
      says('Done.'),
    );

    expect(namesIn(model)[1]?.slice(2)).toEqual(['refund_order', 'track_parcel']);
  });

  it('are declared with the same objects in each request', async () => {
    const { model } = await run(search('parcel'), callsTool('track_parcel'), says('Done.'));

    expect(model.sent[2]).toBe(model.sent[1]);
  });

  it.each([
    [
      'track_parcel',
      'The tool "track_parcel" has to be found before it is called, because its parameters are not declared yet. ' +
        'Call search_tools with the query "track_parcel" first, and then "track_parcel" again.',
    ],
    [
      'track_parcl',
      'There is no tool called "track_parcl". Did you mean track_parcel? Call search_tools to find tools that are not listed.',
    ],
    [
      'zzz',
      'There is no tool called "zzz". These are offered: say_hello, search_tools. Call search_tools to find tools that are not listed.',
    ],
  ])('answer a call of %s before they are found with what to do', async (name, error) => {
    const { responses, model } = await run(callsTool(name), says('Done.'));

    expect(responses).toEqual([{ error }]);
    expect(namesIn(model)[1]).toEqual(['say_hello', 'search_tools']);
  });

  it('do not run beside the search that finds them', async () => {
    const { responses } = await run(
      callsTools({ name: 'search_tools', args: { query: 'parcel' } }, { name: 'track_parcel' }),
      callsTool('track_parcel'),
      says('Done.'),
    );

    expect(responses.slice(1)).toEqual([
      { error: expect.stringContaining('has to be found before') as unknown },
      { result: 'on its way' },
    ]);
  });

  it('are told when nothing is found', async () => {
    const { responses } = await run(search('qwertz'), says('Done.'));

    expect(responses).toEqual([{ tools: [], note: expect.stringContaining('other words') as unknown }]);
  });

  it('ask before they run, like any tool', async () => {
    const { runner } = await start([search('refund'), callsTool('refund_order'), says('Done.')]);
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    const [request] = await runner.pending(ADDRESS);
    const events = request === undefined ? [] : await eventsOf(runner.approve(request));

    expect([request?.tool, responsesIn(events)]).toEqual(['refund_order', [{ result: 'refunded' }]]);
  });

  it('stay found in the conversation, also in another process, and in no other one', async () => {
    const sessions = new InMemorySessionService();
    const first = await start([search('parcel'), says('Found.')], { sessions });
    await eventsOf(first.runner.run({ ...ADDRESS, message: 'Go.' }));
    await first.runner.close();

    const second = await start([callsTool('track_parcel'), says('Done.'), says('Hi.')], { sessions });
    const events = await eventsOf(second.runner.run({ ...ADDRESS, message: 'Track.' }));
    await eventsOf(second.runner.run({ ...ADDRESS, sessionId: 's2', message: 'Go.' }));

    expect(responsesIn(events)).toEqual([{ result: 'on its way' }]);
    expect(namesIn(second.model).map((names) => names.includes('track_parcel'))).toEqual([true, true, false]);
  });

  it('are forgotten by a rewind to the time before they were found, and kept by a fork', async () => {
    const { runner, model } = await start([search('parcel'), says('Found.'), says('Hi.'), says('Hi.')]);
    await eventsOf(runner.run({ ...ADDRESS, invocationId: 'e-1', message: 'Go.' }));
    const { sessionId } = await runner.fork(ADDRESS);
    await runner.rewind({ ...ADDRESS, invocationId: 'e-1' });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    await eventsOf(runner.run({ ...ADDRESS, sessionId, message: 'Go.' }));

    expect(
      namesIn(model)
        .slice(2)
        .map((names) => names.includes('track_parcel')),
    ).toEqual([false, true]);
  });

  it('let those go that were found first, once a conversation has as many as it keeps', async () => {
    const { model, responses } = await runWith(
      { keep: 2 },
      search('find_order', 1),
      search('parcel', 1),
      search('refund_order', 3),
      callsTool('find_order'),
      says('Done.'),
    );

    expect(
      namesIn(model)
        .slice(1, 4)
        .map((names) => names.slice(2)),
    ).toEqual([['find_order'], ['find_order', 'track_parcel'], ['find_order', 'refund_order']]);
    expect(responses.at(-1)).toEqual({ result: 'found' });
  });

  it('run after a yes, also if others have been found since', async () => {
    const { runner } = await start(
      [search('refund', 1), callsTool('refund_order'), search('parcel', 1), says('Found.'), says('Done.')],
      { options: { keep: 1 } },
    );
    await eventsOf(runner.run({ ...ADDRESS, message: 'Refund.' }));
    const [request] = await runner.pending(ADDRESS);
    await eventsOf(runner.run({ ...ADDRESS, message: 'And my parcel?' }));

    const events = request === undefined ? [] : await eventsOf(runner.approve(request));

    expect(responsesIn(events)).toEqual([{ result: 'refunded' }]);
  });
});

describe('toolsets in searchable', () => {
  it('are listed as ever, and a tool that goes is told of', async () => {
    const toolset = new Changing([
      named('count_stock', 'Count what is in stock.'),
      named('order_stock', 'Order.'),
    ]);
    const root = defineAgent({ name: 'clerk', tools: [searchable([Orders, toolset])] });
    const sessions = new InMemorySessionService();
    const { runner, model } = await start([search('count stock', 1), says('Found.')], { root, sessions });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
    expect(namesIn(model)).toEqual([['search_tools'], ['search_tools', 'count_stock']]);

    toolset.tools = [named('new_stock', 'New.')];
    const second = await start([callsTool('count_stock'), search('new stock'), says('Done.')], {
      root,
      sessions,
    });
    const events = await eventsOf(second.runner.run({ ...ADDRESS, message: 'Count.' }));

    expect(responsesIn(events)).toEqual([
      {
        error: expect.stringContaining(
          'It was found before, and its source does not have it any more. Call search_tools to find another.',
        ) as unknown,
      },
      { tools: [{ name: 'new_stock', description: 'New.' }], gone: ['count_stock'] },
    ]);
    expect(namesIn(second.model)).toEqual([
      ['search_tools'],
      ['search_tools'],
      ['search_tools', 'new_stock'],
    ]);
  });
});

/** Keeps what each request declares as it was sent. */
class RecordingModel extends ScriptedModel {
  readonly sent: unknown[] = [];

  override generate(request: Parameters<ScriptedModel['generate']>[0]) {
    this.sent.push(request.config.tools);
    return super.generate(request);
  }
}

interface Setting {
  readonly root?: AgentClass;
  readonly options?: SearchableOptions;
  readonly sessions?: SessionService;
}

async function start(
  steps: readonly ScriptedStep[],
  { options, root = clerk(options), sessions = new InMemorySessionService() }: Setting = {},
) {
  const model = new RecordingModel(...steps);
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  return { runner: await createRunner(root, { model, modules, appName: 'shop' }), model };
}

async function run(...steps: ScriptedStep[]) {
  return runWith({}, ...steps);
}

async function runWith(options: SearchableOptions, ...steps: ScriptedStep[]) {
  const { runner, model } = await start(steps, { options });
  const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
  return { model, responses: responsesIn(events) };
}

function responsesIn(events: readonly Event[]): unknown[] {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}
