import { callsTool, callsTools, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { ToolboxOptions } from '../../backend.js';
import {
  agent,
  type AgentClass,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  InMemorySessionService,
  ContainerModule,
  LlmAgent,
  SessionService,
  StaticToolset,
  Toolset,
  tool,
  toolbox,
} from '../../index.js';

const PARAMETERS = { type: 'object', properties: {}, additionalProperties: false } as const;
const ADDRESS = { userId: 'ada', sessionId: 's1' };

@toolbox({ unfold: true, description: 'Orders of the shop.' })
class Orders {
  @tool({ parameters: PARAMETERS, description: 'Finds.' })
  findOrder(): string {
    return 'found';
  }

  @tool({ parameters: PARAMETERS, effect: 'destructive' })
  refundOrder(): string {
    return 'refunded';
  }
}

@toolbox({ unfold: true })
class Stock {
  @tool({ parameters: PARAMETERS })
  countStock(): number {
    return 7;
  }
}

@toolbox({ description: 'Never unfolded.' })
class Plain {
  @tool({ parameters: PARAMETERS })
  sayHello(): string {
    return 'Hello.';
  }
}

const later = new FunctionTool({ name: 'later', description: '', run: () => 'later' });

@agent({ name: 'clerk', description: '', tools: [Orders, Plain, new StaticToolset([later]), Stock] })
class Clerk extends LlmAgent {}

const CLOSED = ['say_hello', 'open_orders', 'open_stock', 'later'];

describe('a class with @toolbox({ unfold: true })', () => {
  it('is offered as one function that tells what it holds', async () => {
    const { model } = await run(says('Hi.'));

    expect(namesIn(model)).toEqual([CLOSED]);
    const [entry] = (model.requests[0]?.config.tools ?? []) as { functionDeclarations: object[] }[];
    expect(entry?.functionDeclarations.slice(1, 3)).toMatchObject([
      { description: 'Orders of the shop.\nCall it to get these tools: find_order, refund_order.' },
      { description: 'Call it to get these tools: count_stock.' },
    ]);
  });

  it('offers its tools behind all others once it is opened, in the order of opening', async () => {
    const { model, responses } = await run(
      callsTool('open_stock'),
      callsTool('open_orders'),
      callsTool('find_order'),
      says('Done.'),
    );

    expect(namesIn(model)).toEqual([
      CLOSED,
      [...CLOSED, 'count_stock'],
      [...CLOSED, 'count_stock', 'find_order', 'refund_order'],
      [...CLOSED, 'count_stock', 'find_order', 'refund_order'],
    ]);
    expect(responses).toEqual([
      { opened: 'stock', tools: ['count_stock'] },
      { opened: 'orders', tools: ['find_order', 'refund_order'] },
      { result: 'found' },
    ]);
  });

  it('keeps its place when it is opened again, or beside another', async () => {
    const { model } = await run(
      callsTools({ name: 'open_stock' }, { name: 'open_orders' }),
      callsTool('open_orders'),
      says('Done.'),
    );

    const opened = [...CLOSED, 'find_order', 'refund_order', 'count_stock'];
    expect(namesIn(model).slice(1)).toEqual([opened, opened]);
  });

  it.each([
    [
      'find_order',
      'The tool "find_order" is in the toolbox "orders", which is closed. Call open_orders first,',
    ],
    ['find_ordr', 'There is no tool called "find_ordr". Did you mean find_order'],
  ])('answers a call of %s before it is opened with what to do', async (name, message) => {
    const { responses, model } = await run(callsTool(name), says('Done.'));

    expect(responses).toEqual([{ error: expect.stringContaining(message) as unknown }]);
    expect(namesIn(model)[1]).toEqual(CLOSED);
  });

  it('does not run a tool that is called beside the function that opens it', async () => {
    const { responses } = await run(
      callsTools({ name: 'open_orders' }, { name: 'find_order' }),
      callsTool('find_order'),
      says('Done.'),
    );

    expect(responses.slice(1)).toEqual([
      { error: expect.stringContaining('Call open_orders first') as unknown },
      { result: 'found' },
    ]);
  });

  it('stays open for the conversation, also in another process, and for no other', async () => {
    const sessions = new InMemorySessionService();
    const first = await start([callsTool('open_orders'), says('Open.')], sessions);
    await eventsOf(first.runner.run({ ...ADDRESS, message: 'Go.' }));
    await first.runner.close();

    const second = await start([callsTool('find_order'), says('Done.'), says('Hi.')], sessions);
    const events = await eventsOf(second.runner.run({ ...ADDRESS, message: 'Find it.' }));
    await eventsOf(second.runner.run({ ...ADDRESS, sessionId: 's2', message: 'Go.' }));

    expect(responsesIn(events)).toEqual([{ result: 'found' }]);
    expect(namesIn(second.model).map((names) => names.includes('find_order'))).toEqual([true, true, false]);
  });

  it('is closed again by a rewind to the time before it was opened', async () => {
    const { runner, model } = await start([callsTool('open_orders'), says('Open.'), says('Hi.')]);
    await eventsOf(runner.run({ ...ADDRESS, invocationId: 'e-1', message: 'Go.' }));

    await runner.rewind({ ...ADDRESS, invocationId: 'e-1' });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(namesIn(model).at(-1)).toEqual(CLOSED);
  });

  it('asks before its destructive tools, like any class', async () => {
    const { runner } = await start([callsTool('open_orders'), callsTool('refund_order'), says('Done.')]);
    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    const [request] = await runner.pending(ADDRESS);
    const events = request === undefined ? [] : await eventsOf(runner.approve(request));

    expect([request?.tool, responsesIn(events)]).toEqual(['refund_order', [{ result: 'refunded' }]]);
  });

  it('belongs to its agent: another one that lists it opens it for itself', async () => {
    @agent({ name: 'other', description: '', tools: [Orders], instruction: 'Help.' })
    class Other extends LlmAgent {}
    @agent({ name: 'desk', description: '', tools: [Orders], subAgents: [Other] })
    class Desk extends LlmAgent {}
    const steps = [
      callsTool('open_orders'),
      callsTool('transfer_to_agent', { agentName: 'other' }),
      says('Hi.'),
    ];
    const { runner, model } = await start(steps, undefined, Desk);

    await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));

    expect(namesIn(model).map((names) => names.includes('find_order'))).toEqual([false, true, false]);
  });

  it('declares the tools of an open box with the same objects in each request', async () => {
    const { model } = await run(callsTool('open_orders'), callsTool('find_order'), says('Done.'));

    expect(model.sent[2]).toBe(model.sent[1]);
  });

  it('offers its tools behind those that a toolset lists now', async () => {
    const listed = [later];
    class Changing extends Toolset {
      listTools(): FunctionTool[] {
        return [...listed];
      }
    }
    const model = new ScriptedModel(callsTool('open_stock'), says('Open.'), says('Hello.'));
    const root = defineAgent({ name: 'clerk', tools: [Stock, new Changing()] });
    await using runner = await createRunner(root, { model });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Open.' }));

    listed[0] = new FunctionTool({ name: 'sooner', description: '', run: () => 'sooner' });
    await eventsOf(runner.run({ ...ADDRESS, message: 'Hi.' }));

    expect(namesIn(model)).toEqual([
      ['open_stock', 'later'],
      ['open_stock', 'later', 'count_stock'],
      ['open_stock', 'sooner', 'count_stock'],
    ]);
  });
});

describe('@toolbox', () => {
  it.each<[unknown, string]>([
    [null, 'its options are null. Pass an object with options. Valid: unfold, prefix, description.'],
    [{ unfolded: true }, 'Did you mean unfold'],
    [{ unfold: 'yes' }, 'unfold is "yes". Pass true or false.'],
    [{ description: 7 }, 'description is 7. Pass a text.'],
    [{ prefix: 7 }, 'prefix is 7. Pass a text that starts with'],
    [{ prefix: 'a b' }, 'prefix is "a b". Pass a text that starts with'],
    [{ prefix: '' }, 'prefix is "". Pass a text that starts with'],
  ])('refuses the options %j', (options, message) => {
    class Service {
      @tool({ parameters: PARAMETERS })
      work(): void {}
    }

    expect(() => {
      toolbox(options as ToolboxOptions)(Service);
    }).toThrow(message);
  });

  it('sets a prefix before the names of the tools, which keep their gates, also in a box and in a subclass', async () => {
    @toolbox({ prefix: 'old', unfold: false })
    class Archive extends Orders {}
    @toolbox({ unfold: true })
    class Vault extends Archive {
      @tool({ parameters: PARAMETERS })
      openVault(): string {
        return 'open';
      }
    }
    @agent({
      name: 'clerk',
      description: '',
      tools: [Archive, new FunctionTool({ name: 'find_order', description: '', run: () => 1 })],
    })
    class Searcher extends LlmAgent {}
    @agent({ name: 'guard', description: '', tools: [Vault] })
    class Guard extends LlmAgent {}
    const calls = callsTools(
      { name: 'old_find_order' },
      { name: 'old_refund_order' },
      { name: 'find_order' },
    );
    const { runner, model } = await start([calls], undefined, Searcher);

    const { events, pending } = await runner.run({ ...ADDRESS, message: 'Go.' });

    expect(namesIn(model)[0]).toEqual(['old_find_order', 'old_refund_order', 'find_order']);
    expect(responsesIn(events)).toEqual(expect.arrayContaining([{ result: 'found' }, { result: 1 }]));
    expect(pending.map(({ tool }) => tool)).toEqual(['old_refund_order']);
    const guard = await start([callsTool('open_vault'), says('Done.')], undefined, Guard);
    await eventsOf(guard.runner.run({ ...ADDRESS, message: 'Go.' }));
    expect(namesIn(guard.model)[1]).toEqual([
      'open_vault',
      'old_find_order',
      'old_refund_order',
      'old_open_vault',
    ]);
  });

  it('refuses a class without tools, and an agent class', async () => {
    expect(() => {
      toolbox()(Object);
    }).toThrow('@toolbox decorates Object, which has no @tool methods');
    @toolbox({ unfold: true })
    @agent({ name: 'worker', description: '' })
    class Worker extends LlmAgent {
      @tool({ parameters: PARAMETERS })
      work(): void {}
    }

    await expect(start([], undefined, Worker)).rejects.toMatchObject({
      code: 'TOOLSET_INVALID',
      message: expect.stringContaining('no effect on the agent class Worker') as unknown,
    });
  });

  it('finds two tools of one name when the runner is created, also where a box is closed', async () => {
    const taken = new FunctionTool({ name: 'find_order', description: '', run: () => 1 });
    @agent({ name: 'twice', description: '', tools: [taken, Orders] })
    class Twice extends LlmAgent {}

    await expect(start([], undefined, Twice)).rejects.toMatchObject({
      code: 'TOOL_NAME_TAKEN',
      message: expect.stringContaining('FunctionTool and Orders.findOrder') as unknown,
    });
  });
});

async function start(
  steps: ScriptedStep[],
  sessions = new InMemorySessionService(),
  root: AgentClass = Clerk,
) {
  const model = new Recorded(...steps);
  const modules = [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))];
  return { runner: await createRunner(root, { model, modules, appName: 'shop' }), model };
}

async function run(...steps: ScriptedStep[]) {
  const { runner, model } = await start(steps);
  const events = await eventsOf(runner.run({ ...ADDRESS, message: 'Go.' }));
  return { model, responses: responsesIn(events) };
}

class Recorded extends ScriptedModel {
  readonly sent: unknown[] = [];

  override generate(request: Parameters<ScriptedModel['generate']>[0]) {
    this.sent.push(request.config.tools);
    return super.generate(request);
  }
}

function responsesIn(events: readonly Event[]): unknown[] {
  return events.flatMap(({ functionResponses }) => functionResponses.map(({ response }) => response));
}

function namesIn(model: ScriptedModel): string[][] {
  return model.requests.map(({ config }) =>
    (config.tools ?? []).flatMap((entry) =>
      'functionDeclarations' in entry
        ? (entry.functionDeclarations ?? []).map(({ name }) => String(name))
        : [],
    ),
  );
}
