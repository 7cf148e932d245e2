import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { AgentContext } from '../../../run/agent-context.js';
import {
  CallbackContext,
  createRunner,
  defineAgent,
  defineTool,
  InvocationContext,
  Plugin,
} from '../../../index.js';
import { ReadonlyContext, type Runner, ToolContext } from '../../../index.js';
import { type ReadonlyState, State } from '../../../events/state.js';

const ADDRESS = { userId: 'ada', sessionId: 's1' };
const KEY = { appName: 'clerk', ...ADDRESS };

/** What the members of each class that is handed out give: a value to be read, a way to write, or neither. */
const MEMBERS = {
  ReadonlyContext: {
    reads: [
      'events',
      'userContent',
      'laterMessages',
      'state',
      'loadArtifact',
      'listArtifacts',
      'listArtifactVersions',
      'searchMemory',
    ],
    writes: [],
    neither: ['appName', 'userId', 'sessionId', 'invocationId', 'agentName', 'logger', 'signal', 'requester'],
  },
  CallbackContext: {
    reads: [],
    writes: ['saveArtifact', 'state', 'actions'],
    neither: ['close', 'drainActions', 'drainWrites', 'ending', 'requireOpen', 'requireOpenToSave', 'saved'],
  },
  AgentContext: { reads: ['events'], writes: ['askModel', 'compact'], neither: [] },
  ToolContext: {
    reads: ['getAuthResponse', 'question'],
    writes: [
      'actions',
      'longRunning',
      'askModel',
      'requestConfirmation',
      'requestInput',
      'requestCredential',
    ],
    neither: [
      ...[
        'withoutCredential',
        'close',
        'ending',
        'requireOpenToSave',
        'idempotencyKey',
        'liveInput',
        'askInput',
      ],
      ...['transferRequested', 'cancelTransfer', 'isSteering', 'drainActions', 'compositesAbove', 'isOfTool'],
      ...[
        'signal',
        'hearing',
        'findOrRequest',
        'owned',
        'useCredential',
        'withoutSecrets',
        'withoutOwnSecrets',
        'withoutSentSecrets',
        'conceal',
      ],
      ...['hasSecrets', 'forgetCredentials', 'get', 'waitForAgent', 'isContinued', 'give', 'hasRequests'],
      ...['responsesInRun', 'pastResults', 'ownRequests', 'abort', 'restart'],
      ...['askAs', 'callKey', 'questioner', 'hasLoopAbove', 'isEscalating', 'requester'],
    ],
  },
  InvocationContext: {
    reads: ['session', 'sessionKey', 'stored', 'temporary', 'findStored', 'event'],
    writes: ['append', 'store', 'appendAhead', 'once'],
    neither: [
      ...[
        'isLive',
        'isOver',
        'observedRun',
        'appName',
        'userId',
        'signal',
        'invoke',
        'invokeAll',
        'conclude',
      ],
      ...[
        'noteOwn',
        'contextOf',
        'requestInput',
        'isRepeated',
        'compact',
        'claimAnswers',
        'progress',
        'spent',
      ],
      ...['endIfTripped', 'noteSpent', 'lastStep', 'isWaiting', 'openRequests', 'isOwnRequest', 'keep'],
      ...['labelOfGroup', 'requester', 'signed', 'keeper', 'alone'],
      ...['appendShortening', 'askForSummary', 'takeMail', 'storeOnce'],
    ],
  },
  State: {
    reads: ['written', 'entries', 'lookUp'],
    writes: ['set', 'delete', 'write'],
    neither: ['takeWritten'],
  },
};

const CLASSES = { ReadonlyContext, CallbackContext, AgentContext, ToolContext, InvocationContext, State };

describe('what is handed out', () => {
  it.each(Object.entries(CLASSES))('%s has no member whose promise is not tested here', (name, target) => {
    const { reads, writes, neither } = MEMBERS[name as keyof typeof MEMBERS];
    const members = Object.getOwnPropertyNames(target.prototype).filter((one) => one !== 'constructor');

    expect(members.sort()).toEqual(
      [...new Set<string>([...reads, ...writes, ...neither])].sort().filter(isOf(target)),
    );
  });

  it('cannot be changed in place: the log, the state and later requests are those of a run in which nobody tries', async () => {
    const quiet = await converse(() => undefined);
    const loud = await converse(vandalise);

    expect(loud).toEqual(quiet);
  });

  it('is frozen deeply where it is stored, and not where it was passed in', async () => {
    const message = { role: 'user', parts: [{ text: 'Hello' }] };
    const stateDelta = { list: [{ a: 1 }] };
    const initial = { basket: ['tea'] };
    const part = { inlineData: { mimeType: 'text/plain', data: 'YQ==' } };
    const entry = { content: { role: 'user', parts: [{ text: 'The harbour.' }] } };
    const own = { rows: [{ id: 1 }] };
    const runner = await start(
      defineTool({ name: 'look', description: '', parameters: { type: 'object' }, run: () => own }),
    );
    await runner.sessions.createSession(KEY, initial);
    await runner.run({ ...ADDRESS, message, stateDelta });
    await runner.artifacts.save(KEY, 'a.txt', part);
    await runner.memory.addMemory(KEY, [entry]);

    const session = await runner.sessions.getSession(KEY);
    const stored = {
      events: session?.events,
      state: session?.state,
      part: await runner.artifacts.load(KEY, 'a.txt'),
      found: (await runner.memory.searchMemory(KEY, 'harbour'))[0],
      updates: (await runner.sessions.stateUpdates(KEY))[0],
      runs: (await runner.sessions.listRuns({ status: 'ended' }))[0]?.run,
      excerpt: (await runner.sessions.getSession(KEY, { afterSeq: 0 }))?.events,
    };

    for (const [name, value] of Object.entries(stored)) expect([name, unfrozenIn(value)]).toEqual([name, []]);
    for (const given of [message, stateDelta, initial, part, entry, own]) {
      expect(unfrozenIn(given).length).toBeGreaterThan(0);
      expect(Object.isFrozen(given)).toBe(false);
    }
    await runner.close();
  });

  it('refuses writes by a context whose call, callback or run is over, and stores nothing of them', async () => {
    const { contexts, runner } = await keptContexts();
    const before = await recordOf(runner);

    for (const [name, context] of contexts) {
      for (const [what, write] of writesOf(context))
        expect([name, what, await codeOf(write)]).toEqual([name, what, 'CONTEXT_CLOSED']);
      expect(context.state.get('city')).toBe('Oslo');
    }

    await runner.run({ ...ADDRESS, message: 'More' });
    expect((await recordOf(runner)).state).toEqual(before.state);
    expect(await runner.artifacts.list(KEY)).toEqual([]);
    await runner.close();
  });

  it('refuses the writes of a tool that was abandoned, while its run goes on', async () => {
    const late: unknown[] = [];
    let end: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const slow = defineTool({
      name: 'look',
      description: '',
      parameters: { type: 'object' },
      timeout: 20,
      run: async (_args: object, context: ToolContext) => {
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        await new Promise(setImmediate);
        for (const [, write] of writesOf(context)) late.push(await codeOf(write));
        end();
        return 'late';
      },
    });
    const model = new ScriptedModel(callsTool('look'), async () => {
      await isOver;
      return says('Done.');
    });
    const runner = await createRunner(defineAgent({ name: 'clerk', tools: [slow] }), { model });

    await runner.run({ ...ADDRESS, message: 'Go' });

    expect(new Set(late)).toEqual(new Set(['CONTEXT_CLOSED']));
    await runner.close();
  });

  it('lets a long-running tool save files after its handle, and write no state that no event could carry', async () => {
    let kept: ToolContext | undefined;
    const work = defineTool({
      name: 'look',
      description: '',
      parameters: { type: 'object' },
      longRunning: true,
      run: (_args: object, context: ToolContext) => {
        kept = context;
        return { job: 1 };
      },
    });
    const runner = await start(work);
    await runner.run({ ...ADDRESS, message: 'Go' });

    expect(await codeOf(() => kept?.state.set('a', 1))).toBe('CONTEXT_CLOSED');
    expect(await kept?.saveArtifact('report.txt', { text: 'done' })).toBe(0);
    expect(await runner.artifacts.list(KEY)).toEqual(['report.txt']);
    await runner.close();
  });
});

function isOf(target: { readonly prototype: object }): (name: string) => boolean {
  return (name) => Object.hasOwn(target.prototype, name);
}

type Touch = (value: unknown) => void;

/** Plays a conversation in which every value that is handed out is touched, and returns what was stored and asked. */
async function converse(touch: Touch): Promise<unknown> {
  const model = new ScriptedModel(
    callsTool('look', { order: { id: 7 } }),
    says('One.'),
    callsTool('look', { order: { id: 8 } }),
    says('Two.'),
  );
  const look = defineTool({
    name: 'look',
    description: '',
    parameters: { type: 'object', properties: { order: { type: 'object' } } },
    run: (args: Record<string, unknown>, context: ToolContext) => {
      touchContext(context, touch);
      touch(context.events);
      touch(args);
      context.state.set('seen', [...context.state.get<object[]>('seen', []), { order: 1 }]);
      touch(context.state.get('seen'));
      return RESULT;
    },
  });
  const agent = defineAgent({ name: 'clerk', model, tools: [look], instruction: 'Serve {city}.' });
  const runner = await createRunner(agent, { plugins: [new Toucher(touch)] });
  await runner.sessions.createSession(KEY, { city: 'Oslo', 'user:list': [{ a: 1 }], 'app:list': [{ b: 1 }] });
  for (const message of ['First', 'Second']) {
    const result = await runner.run({ ...ADDRESS, message, config: { streaming: 'sse' } });
    touch(result.events);
    touch(await runner.sessions.getSession(KEY));
    touch(await runner.sessions.listSessions(KEY));
    touch(await runner.sessions.stateUpdates(KEY));
    touch(await runner.sessions.listRuns({ status: 'ended' }));
    touch(await runner.pending(ADDRESS));
  }
  const { events, state } = await recordOf(runner);
  const asked = model.requests.map(({ contents, config }) => ({ contents, config: { ...config } }));
  await runner.close();
  return { events, state, asked: plain(asked) };
}

const RESULT = { rows: [{ id: 1, tags: ['a'] }] };

class Toucher extends Plugin {
  readonly name = 'toucher';

  constructor(private readonly touch: Touch) {
    super();
  }

  private all(context: ReadonlyContext, ...values: unknown[]): undefined {
    touchContext(context, this.touch);
    for (const value of values) this.touch(value);
  }

  override onUserMessage = (message: unknown, context: CallbackContext) => this.all(context, message);
  override beforeRun = (context: CallbackContext) => this.all(context);
  override onEvent = (event: object, context: ReadonlyContext) => this.all(context, { ...event });
  override afterRun = (end: { last?: object | undefined }, context: ReadonlyContext) =>
    this.all(context, end.last);
  override beforeAgent = (context: AgentContext) => this.all(context, context.events);
  override afterAgent = (context: AgentContext) => this.all(context, context.events);
  override beforeModel = (
    request: { contents: readonly unknown[]; config: object },
    context: CallbackContext,
  ) => this.all(context, ...request.contents, ...(Object.values(request.config) as unknown[]));
  override afterModel = (_response: unknown, context: CallbackContext) => this.all(context);
  override checkTool = (_tool: unknown, args: unknown, context: ToolContext) => this.all(context, args);
  override afterTool = (_tool: unknown, _args: unknown, result: unknown, context: ToolContext) =>
    this.all(context, result);
  override observe = (operation: object) => {
    for (const [name, value] of Object.entries(operation))
      if (name !== 'request' && name !== 'model') this.touch(value);
    return undefined;
  };
}

function touchContext(context: ReadonlyContext, touch: Touch): void {
  touch(context.userContent);
  const state: ReadonlyState = context.state;
  touch(state.entries());
  for (const key of ['city', 'user:list', 'app:list', 'seen']) touch(state.get(key));
}

/** Tries every change in place that JavaScript has, at every depth. */
function vandalise(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 12 || value instanceof AbortSignal) return;
  for (const name of Object.keys(value)) vandalise((value as Record<string, unknown>)[name], depth + 1);
  const attempts = [
    () => Array.isArray(value) && value.push('vandal'),
    () => Array.isArray(value) && value.sort().reverse(),
    () => Object.keys(value).forEach((name) => ((value as Record<string, unknown>)[name] = 'vandal')),
    () => Object.keys(value).forEach((name) => Reflect.deleteProperty(value, name)),
    () => ((value as Record<string, unknown>)['vandal'] = true),
    () => Reflect.setPrototypeOf(value, { vandal: true }),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch {
      // Refused, as it should be.
    }
  }
}

/** The paths to objects within a value that are not frozen. */
function unfrozenIn(value: unknown, path = '$'): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, field]) => unfrozenIn(field, `${path}.${name}`));
  return Object.isFrozen(value) ? below : [path, ...below];
}

async function start(tool: ReturnType<typeof defineTool>): Promise<Runner<unknown>> {
  const model = new ScriptedModel(callsTool('look'), says('Done.'), says('Again.'), says('And again.'));
  return createRunner(defineAgent({ name: 'clerk', tools: [tool] }), { model });
}

/** One context of every kind, kept beyond its end. */
async function keptContexts(): Promise<{ contexts: Map<string, CallbackContext>; runner: Runner<unknown> }> {
  const contexts = new Map<string, CallbackContext>();
  const keep = (name: string) => (context: CallbackContext) => void contexts.set(name, context);
  class Keeper extends Plugin {
    readonly name = 'keeper';
    override onUserMessage = (_message: unknown, context: CallbackContext) => keep('onUserMessage')(context);
    override beforeRun = keep('beforeRun');
    override beforeAgent = keep('beforeAgent');
    override afterAgent = keep('afterAgent');
    override beforeModel = (_request: unknown, context: CallbackContext) => keep('beforeModel')(context);
    override afterModel = (_response: unknown, context: CallbackContext) => keep('afterModel')(context);
    override beforeTool = (_tool: unknown, _args: unknown, context: ToolContext) =>
      keep('beforeTool')(context);
  }
  const look = defineTool({
    name: 'look',
    description: '',
    parameters: { type: 'object' },
    run: (_args: object, context: ToolContext) => {
      contexts.set('tool', context);
      return 'ok';
    },
  });
  const model = new ScriptedModel(callsTool('look'), says('Done.'), says('Again.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', tools: [look] }), {
    model,
    plugins: [new Keeper()],
  });
  await runner.sessions.createSession(KEY, { city: 'Oslo' });
  await runner.run({ ...ADDRESS, message: 'Go' });
  return { contexts, runner };
}

function writesOf(context: CallbackContext): [string, () => unknown][] {
  const writes: [string, () => unknown][] = [
    ['state.set', () => context.state.set('late', 1)],
    ['state.delete', () => context.state.delete('city')],
    ['saveArtifact', () => context.saveArtifact('late.txt', { text: 'late' })],
  ];
  if (context instanceof AgentContext)
    writes.push(
      ['askModel', () => context.askModel({ contents: [], config: {} })],
      ['compact', () => context.compact()],
    );
  if (!(context instanceof ToolContext)) return writes;
  return [
    ...writes,
    ['actions', () => (context.actions.escalate = true)],
    ['longRunning', () => (context.longRunning = true)],
    ['requestConfirmation', () => context.requestConfirmation('Sure?')],
    ['requestInput', () => context.requestInput({ message: 'Which?', schema: {} })],
    [
      'requestCredential',
      () => context.requestCredential({ scheme: { type: 'apiKey', in: 'header', name: 'k' }, key: 'k' }),
    ],
  ];
}

async function codeOf(write: () => unknown): Promise<unknown> {
  try {
    await write();
    return 'accepted';
  } catch (error) {
    return (error as { readonly code?: unknown }).code ?? error;
  }
}

async function recordOf(runner: Runner<unknown>): Promise<{ events: unknown; state: unknown }> {
  const session = await runner.sessions.getSession(KEY);
  return { events: plain(session?.events), state: plain(session?.state) };
}

/** JSON without ids and times, which differ between runs. */
function plain(value: unknown): unknown {
  const VARYING = new Set(['id', 'invocationId', 'timestamp']);
  return JSON.parse(
    JSON.stringify(value, (name, field: unknown) => {
      const isShown = typeof field === 'string' || typeof field === 'number';
      return VARYING.has(name) && isShown && String(field).length > 5 ? '*' : field;
    }),
  );
}
