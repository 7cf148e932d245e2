import { setImmediate as nextTurn } from 'node:timers/promises';

import { jest } from '@jest/globals';
import { callsTool, eventsOf, ManualClock, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { ListingOptions } from '../backend.js';
import {
  type AuthConfig,
  Clock,
  ConsoleLogger,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  type Runner,
  StaticToolset,
  type Tool,
  Toolset,
  type ToolsetContext,
  withPrefix,
} from '../index.js';

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('a toolset that fails', () => {
  it.each<[string, () => unknown, string]>([
    ['throws', () => fail(new Error('The server is gone.')), 'The server is gone.'],
    ['throws a text', () => fail('gone'), 'gone'],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
    ['rejects with nothing', () => Promise.reject(undefined), 'undefined'],
    ['lists null', () => null, 'listTools of Remote returned null. Return an array'],
    ['lists a text', () => 'look', 'listTools of Remote returned a text.'],
    ['lists undefined', () => [look(), undefined], 'entry 1 of the list of Remote is absent and not a Tool.'],
    ['lists a plain object', () => [{ name: 'look' }], 'entry 0 of the list of Remote is an object'],
    [
      'lists a name that models cannot call',
      () => [named('no name')],
      'The tool name "no name" of FunctionTool',
    ],
    ['lists a huge name', () => [named('n'.repeat(10_000))], 'is not valid'],
    [
      'lists the tool of the agent',
      () => [named('own')],
      'two tools named "own": FunctionTool and FunctionTool of the toolset Remote',
    ],
    [
      'lists a name twice',
      () => [look(), look()],
      'FunctionTool of the toolset Remote and FunctionTool of the toolset Remote',
    ],
  ])('and %s leaves the run without its tools, and an event says so once', async (_what, list, message) => {
    const error = silence();
    const { events, model } = await run(new Remote(list), callsTool('own'), says('Done.'));

    expect(toldIn(events)).toEqual([
      { toolset: 'Remote', code: 'TOOLSET_FAILED', message: expect.stringContaining(message) as unknown },
    ]);
    expect([declaredIn(model), events.at(-1)?.text]).toEqual([[['own'], ['own']], 'Done.']);
    expect(events.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
    expect(error).toHaveBeenCalledWith(
      'a toolset could not be listed',
      expect.objectContaining({ agent: 'clerk' }),
    );
  });

  it('does not keep the tools of the others from the model', async () => {
    silence();
    const broken = new Remote(() => fail(new Error('gone')));

    const { model } = await run([broken, new StaticToolset([look()])], says('Done.'));

    expect(declaredIn(model)).toEqual([['own', 'look']]);
  });

  it('is asked again for the next model call', async () => {
    silence();
    const lists = [() => fail(new Error('gone')), () => [look()]];
    const { events, model } = await run(new Remote(() => lists.shift()?.()), callsTool('own'), says('Done.'));

    expect([declaredIn(model), toldIn(events).length]).toEqual([[['own'], ['own', 'look']], 1]);
  });

  it('counts as an answered run, and its event is in the log', async () => {
    silence();
    const { runner } = await start(new Remote(() => fail(new Error('gone'))), says('Done.'));

    const { status, text } = await runner.run({ userId: 'ada', sessionId: 's1', message: 'Go.' });

    const session = await runner.sessions.getSession({ appName: 'clerk', userId: 'ada', sessionId: 's1' });
    expect([status, text]).toEqual(['answered', 'Done.']);
    expect(toldIn(session?.events ?? [])).toHaveLength(1);
  });

  it('and lists a name of another toolset leaves out its own tools, and the event names both', async () => {
    const error = silence();
    const toolsets = [new StaticToolset([look()]), new Remote(() => [look()])];

    const { events, model } = await run(toolsets, callsTool('look'), says('Done.'));

    expect(declaredIn(model)[0]).toEqual(['own', 'look']);
    expect(toldIn(events)).toEqual([
      {
        toolset: 'Remote',
        code: 'TOOLSET_FAILED',
        message: expect.stringMatching(/two tools named "look".*StaticToolset.*Remote/) as unknown,
      },
    ]);
    error.mockRestore();
  });

  it('and is required ends the run with an event, before the model is asked', async () => {
    silence();
    const broken = new Remote(() => fail(new Error('The server is gone.')), { required: true });
    const { runner, model } = await start(broken, says('never'));

    const { status, events } = await runner.run({ message: 'Go.' });

    expect([status, model.requests]).toEqual(['failed', []]);
    expect(events.at(-1)).toMatchObject({
      author: 'clerk',
      errorCode: 'TOOLSET_FAILED',
      errorMessage: 'The toolset Remote failed: The server is gone.',
      turnComplete: true,
    });
  });

  it('tells nobody the secret of its credential', async () => {
    silence();
    const auth: AuthConfig = {
      scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
      key: 'shop',
      credential: { type: 'apiKey', apiKey: 'sk-never-to-be-seen' },
    };
    const leaky = new Remote(() => fail(new Error('401 for sk-never-to-be-seen')), undefined, auth);

    const { events } = await run(leaky, says('Done.'));

    expect(toldIn(events)).toMatchObject([{ message: 'The toolset Remote failed: 401 for [redacted]' }]);
    expect(JSON.stringify(events)).not.toContain('sk-never');
  });
});

describe('a toolset that does not answer', () => {
  it('is left behind at its time limit, told to stop, and not asked again in the run', async () => {
    jest.useFakeTimers();
    silence();
    const hung = new Hung({ timeout: 500 });
    const { runner, model } = await start(hung, callsTool('own'), says('Done.'));

    const running = eventsOf(runner.run({ message: 'Go.' }));
    await hung.reached;
    await jest.advanceTimersByTimeAsync(500);

    expect(toldIn(await running)).toMatchObject([
      { message: expect.stringContaining('did not list its tools within 500 ms') as unknown },
    ]);
    expect([hung.listed, hung.reason, declaredIn(model)]).toEqual([
      1,
      expect.objectContaining({ code: 'TOOLSET_FAILED' }),
      [['own'], ['own']],
    ]);
  });

  it('ends with the cancelled run, and is told to stop', async () => {
    const hung = new Hung({ timeout: Infinity });
    const { runner } = await start(hung, says('never'));

    const running = eventsOf(runner.run({ message: 'Go.', invocationId: 'e-1' }));
    await hung.reached;
    runner.cancel('e-1');

    expect((await running).map(({ errorCode }) => errorCode)).toEqual(['CANCELLED']);
    expect(hung.reason).toMatchObject({ code: 'CANCELLED' });
  });

  it('does not hold up the close of the runner', async () => {
    const error = silence();
    const closed: string[] = [];
    const clock = new ManualClock();
    const modules = [new ContainerModule(({ bind }) => void bind(Clock).toConstantValue(clock))];
    const tools = [new Closing('first', closed), new Closing('hung', closed)];
    const model = new ScriptedModel();
    const runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model, modules });

    const closing = runner.close();
    while (closed.length === 0 || clock.waiting === 0) await nextTurn();
    await clock.advance(10_000);
    await closing;

    expect(closed).toEqual(['hung', 'first']);
    expect(error).toHaveBeenCalledWith('a toolset failed while the runner was closed', {
      toolset: 'Closing',
      error: new Error('It did not close within 10000 ms.'),
    });
  });
});

describe('the list of a toolset', () => {
  it('is asked for before each model call by default, and new tools are offered at once', async () => {
    let count = 0;
    const growing = new Remote(() => [look(), named(`look_${String(++count)}`)]);

    const { model } = await run(growing, callsTool('look_1'), says('Done.'));

    expect(declaredIn(model)).toEqual([
      ['own', 'look', 'look_1'],
      ['own', 'look', 'look_2'],
    ]);
  });

  it('is a new one also where one tool of one of two toolsets is another', async () => {
    const first = look();
    let count = 0;
    const growing = new Remote(() => [first, named(`look_${String(++count)}`)]);
    const steady = new StaticToolset([named('steady')]);

    const { model } = await run([steady, growing], callsTool('look_1'), says('Done.'));

    expect(declaredIn(model)).toEqual([
      ['own', 'steady', 'look', 'look_1'],
      ['own', 'steady', 'look', 'look_2'],
    ]);
  });

  it('may vary with the user', async () => {
    const own = new Remote(({ userId }) => [named(`look_of_${userId}`)]);
    const { runner, model } = await start(own, says('One.'), says('Two.'), says('Three.'));

    for (const userId of ['ada', 'grace', 'ada']) await eventsOf(runner.run({ userId, message: 'Go.' }));

    expect(declaredIn(model)).toEqual([
      ['own', 'look_of_ada'],
      ['own', 'look_of_grace'],
      ['own', 'look_of_ada'],
    ]);
  });

  it('of the same tools is declared with the same objects, and not derived again', async () => {
    const tool = look();
    const declaration = jest.spyOn(tool, 'declaration');
    const { runner, model } = await start(
      new Remote(() => [tool]),
      callsTool('look'),
      says('Done.'),
      says('Again.'),
    );

    await eventsOf(runner.run({ message: 'Go.' }));
    const calls = declaration.mock.calls.length;
    await eventsOf(runner.run({ message: 'Go on.' }));

    const [first, ...others] = model.sent;
    expect(others.map((tools) => tools === first)).toEqual([true, true]);
    expect(declaration.mock.calls).toHaveLength(calls);
  });

  it.each<[NonNullable<ListingOptions['keepFor']>, string[]]>([
    ['app', ['ada s1']],
    ['user', ['ada s1', 'grace s3']],
    ['session', ['ada s1', 'ada s2', 'grace s3']],
    ['invocation', ['ada s1', 'ada s1', 'ada s2', 'grace s3']],
  ])('is kept for one %s, where the toolset says so', async (keepFor, expected) => {
    const kept = new Kept({ keepFor });
    const { runner } = await start(kept, ...Array.from({ length: 4 }, () => says('Hi.')));

    for (const [userId, sessionId] of [
      ['ada', 's1'],
      ['ada', 's1'],
      ['ada', 's2'],
      ['grace', 's3'],
    ])
      await eventsOf(runner.run({ userId: userId ?? '', sessionId: sessionId ?? '', message: 'Go.' }));

    expect(kept.listed).toEqual(expected);
  });

  it('that is kept is listed again once the toolset says that it changed, also inside a wrapper', async () => {
    const kept = new Kept({ keepFor: 'app' });
    const { runner, model } = await start(
      withPrefix(kept, 'shop'),
      callsTool('shop_look'),
      says('Hi.'),
      says('Hi.'),
    );
    await eventsOf(runner.run({ message: 'Go.' }));

    kept.grow();
    await eventsOf(runner.run({ message: 'Go.' }));

    expect([kept.listed.length, declaredIn(model)]).toEqual([
      2,
      [
        ['own', 'shop_look'],
        ['own', 'shop_look'],
        ['own', 'shop_look', 'shop_more'],
      ],
    ]);
  });

  it('that changed while it was listed is not kept', async () => {
    const kept = new Kept({ keepFor: 'app' });
    const { runner, model } = await start(kept, says('Hi.'), says('Hi.'));
    kept.whileListing = () => {
      kept.whileListing = undefined;
      kept.grow();
    };

    for (let turn = 0; turn < 2; turn++) await eventsOf(runner.run({ message: 'Go.' }));

    expect([kept.listed.length, declaredIn(model).at(-1)]).toEqual([2, ['own', 'look', 'more']]);
  });

  it('that is kept and was listed with a credential is not shared between users', async () => {
    const auth: AuthConfig = {
      scheme: { type: 'apiKey', in: 'header', name: 'X-Key' },
      key: 'shop',
      credential: { type: 'apiKey', apiKey: 'sk-1' },
    };
    const kept = new Kept({ keepFor: 'app' }, auth);
    const { runner } = await start(kept, says('One.'), says('Two.'));

    for (const userId of ['ada', 'grace'])
      await eventsOf(runner.run({ userId, sessionId: 's', message: 'Go.' }));

    expect(kept.listed).toEqual(['ada s', 'grace s']);
  });

  it.each<[unknown, string]>([
    [null, 'listing of the toolset Remote is null. Set an object'],
    [{ requird: true }, 'Did you mean required'],
    [{ required: 'yes' }, 'required is a text. Set true or false.'],
    [{ timeout: NaN }, 'timeout is NaN. Set a number'],
    [{ timeout: 0 }, 'timeout is 0. Set a number'],
    [{ timeout: '5s' }, 'timeout is a text.'],
    [{ keepFor: 'ever' }, 'keepFor is "ever". Set one of app, user, session, invocation.'],
  ])('has options that are checked when the runner is created: %j', async (listing, message) => {
    const toolset = new Remote(() => [], listing as ListingOptions);

    await expect(start(toolset)).rejects.toMatchObject({
      code: 'TOOLSET_INVALID',
      message: expect.stringContaining(message) as unknown,
    });
  });
});

describe('a change of a toolset', () => {
  it('is told to its listeners until they are removed, whatever one of them throws', () => {
    const toolset = new StaticToolset();
    const heard: string[] = [];
    const remove = toolset.onChange(() => fail(new Error('broken')));
    toolset.onChange(() => heard.push('second'));

    expect(() => {
      toolset.push(look());
    }).toThrow('broken');
    remove();
    toolset.push(named('more'));

    expect(heard).toEqual(['second', 'second']);
  });
});

class Remote extends Toolset {
  constructor(
    private readonly list: (context: ToolsetContext) => unknown,
    override readonly listing?: ListingOptions,
    override readonly auth?: AuthConfig,
  ) {
    super();
  }

  listTools(context: ToolsetContext): Tool[] {
    return this.list(context) as Tool[];
  }
}

class Kept extends Toolset {
  readonly listed: string[] = [];
  whileListing: (() => void) | undefined;
  private readonly tools = [look()];

  constructor(
    override readonly listing: ListingOptions,
    override readonly auth?: AuthConfig,
  ) {
    super();
  }

  async listTools({ userId, sessionId }: ToolsetContext): Promise<Tool[]> {
    this.listed.push(`${userId} ${sessionId}`);
    const tools = [...this.tools];
    this.whileListing?.();
    return tools;
  }

  grow(): void {
    this.tools.push(named('more'));
    this.changed();
  }
}

class Hung extends Toolset {
  listed = 0;
  reason: unknown;
  private begin: () => void = () => undefined;
  readonly reached = new Promise<void>((resolve) => (this.begin = resolve));

  constructor(override readonly listing: ListingOptions) {
    super();
  }

  listTools({ signal }: ToolsetContext): Promise<Tool[]> {
    this.listed++;
    signal.addEventListener('abort', () => {
      this.reason = signal.reason;
    });
    this.begin();
    return new Promise(() => undefined);
  }
}

class Closing extends StaticToolset {
  constructor(
    private readonly title: string,
    private readonly closed: string[],
  ) {
    super();
  }

  override close(): Promise<void> {
    this.closed.push(this.title);
    return this.title === 'hung' ? new Promise(() => undefined) : Promise.resolve();
  }
}

/** A runner of an agent that has a tool of its own and the toolsets. */
async function start(toolsets: Toolset | Toolset[], ...steps: ScriptedStep[]) {
  const model = new Recorded(...steps);
  const tools = [named('own'), ...[toolsets].flat()];
  const runner: Runner = await createRunner(defineAgent({ name: 'clerk', tools }), { model });
  return { runner, model };
}

async function run(toolsets: Toolset | Toolset[], ...steps: ScriptedStep[]) {
  const { runner, model } = await start(toolsets, ...steps);
  const events = await eventsOf(runner.run({ message: 'Go.' }));
  await runner.close();
  return { events, model };
}

/** A scripted model that keeps the very tools it was sent. */
class Recorded extends ScriptedModel {
  readonly sent: unknown[] = [];

  override generate(request: Parameters<ScriptedModel['generate']>[0]) {
    this.sent.push(request.config.tools);
    return super.generate(request);
  }
}

function declaredIn(model: ScriptedModel): (string | undefined)[][] {
  return model.requests.map(({ config }) =>
    (config.tools ?? []).flatMap((entry) =>
      'functionDeclarations' in entry ? (entry.functionDeclarations ?? []).map(({ name }) => name) : [],
    ),
  );
}

function toldIn(events: readonly Event[]): unknown[] {
  return events
    .map(({ customMetadata }) => customMetadata?.['adorn:toolsetFailed'])
    .filter((told) => told !== undefined);
}

function look(): FunctionTool {
  return named('look');
}

function named(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', run: () => name });
}

function silence() {
  return jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
}

function fail(thrown: unknown): never {
  throw thrown;
}
