import fc from 'fast-check';

import { RedactionPlugin } from '@adorn/plugins';
import {
  drops,
  endsTurn,
  goesAway,
  isInterrupted,
  ScriptedLive,
  type ScriptedLiveConnection,
  ScriptedModel,
  speaks,
  speech,
} from '@adorn/testing';

import {
  agent,
  agentTool,
  type CallbackContext,
  ContainerModule,
  type CreateRunnerOptions,
  defineAgent,
  Deny,
  type Event,
  type FunctionCall,
  FunctionTool,
  type Guardrail,
  InMemorySessionService,
  LlmAgent,
  Model,
  type ModelRequest,
  type ModelResponse,
  type PendingRequest,
  type Runner,
  SessionService,
  Tool,
  type ToolContext,
} from '@adorn/core';
import type { AgentContext, DefinedAgentOptions, LiveDirection, LiveEvent } from '@adorn/core/backend';
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from '../../../core/src/gates/property-runs.fixture.js';
import { createRunner, KEY, settled } from './live.fixture.js';

/** A conversation takes longer than the script of a turn. */
const RUNS = PROPERTY_RUNS / 4;

type Op =
  | { readonly do: 'text' | 'audio' | 'speak' | 'interrupt' | 'bargeIn' | 'handle' | 'goAway' | 'release' }
  | { readonly do: 'drop' | 'steer' | 'ask' | 'hear' | 'run' | 'mail' | 'swear' | 'swearAndCall' }
  | { readonly do: 'call'; readonly tool: string; readonly hasId: boolean; readonly twice: boolean }
  | { readonly do: 'cancel' | 'approve' | 'reject'; readonly nth: number }
  | { readonly do: 'pause'; readonly turns: number };

const ops: fc.Arbitrary<Op> = fc.oneof(
  fc.constantFrom<Op>(
    { do: 'text' },
    { do: 'audio' },
    { do: 'speak' },
    { do: 'interrupt' },
    { do: 'bargeIn' },
    { do: 'handle' },
    { do: 'goAway' },
    { do: 'release' },
    { do: 'drop' },
    { do: 'steer' },
    { do: 'ask' },
    { do: 'hear' },
    { do: 'run' },
    { do: 'mail' },
    { do: 'swear' },
    { do: 'swearAndCall' },
  ),
  fc.record({
    do: fc.constant('call' as const),
    tool: fc.constantFrom(
      ...['quick', 'slow', 'beside', 'broken', 'missing', 'asking', 'asker', 'counting', 'transfer_to_agent'],
      'listening',
    ),
    hasId: fc.boolean(),
    twice: fc.boolean(),
  }),
  fc.record({
    do: fc.constantFrom('cancel' as const, 'approve' as const, 'reject' as const),
    nth: fc.nat(5),
  }),
  fc.record({ do: fc.constant('pause' as const), turns: fc.nat(4) }),
);

describe('a live session in any order of what happens', () => {
  it(
    'answers each call once, none after its cancellation, as people decide, and has the model know what is stored',
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(ops, { maxLength: 25 }), play), {
        numRuns: RUNS,
        examples: [
          [
            [
              { do: 'call', tool: 'transfer_to_agent', hasId: false, twice: false },
              { do: 'speak' },
              { do: 'steer' },
            ],
          ],
          [[{ do: 'hear' }, { do: 'hear' }, { do: 'text' }]],
          [[{ do: 'swearAndCall' }, { do: 'text' }, { do: 'goAway' }]],
          [[{ do: 'goAway' }, { do: 'swearAndCall' }]],
          [
            [
              { do: 'call', tool: 'asking', hasId: true, twice: false },
              { do: 'pause', turns: 1 },
              { do: 'approve', nth: 0 },
              { do: 'cancel', nth: 0 },
            ],
          ],
          [[{ do: 'swearAndCall' }, { do: 'cancel', nth: 0 }, { do: 'interrupt' }]],
          [
            [
              { do: 'text' },
              { do: 'pause', turns: 1 },
              { do: 'call', tool: 'transfer_to_agent', hasId: false, twice: false },
              { do: 'swearAndCall' },
              { do: 'audio' },
              { do: 'swear' },
            ],
          ],
          [
            [
              { do: 'swearAndCall' },
              { do: 'call', tool: 'quick', hasId: true, twice: false },
              { do: 'interrupt' },
            ],
          ],
        ],
      });
    },
    PROPERTY_TIMEOUT,
  );
});

async function play(script: readonly Op[]): Promise<void> {
  const world = await World.open();
  for (const op of script) await world.take(op);
  await world.end();
  await world.check();
}

class World {
  private readonly texts: string[] = [];
  /** What the user has written in another process. */
  private readonly mails: string[] = [];
  private readonly calls: { readonly id: string; readonly key: string }[] = [];
  private readonly cancelled = new Map<string, number>();
  private readonly ran = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  /** By key: true for a call that was approved, false for one that was rejected. */
  private readonly decided = new Map<string, boolean>();
  /** What the model of a connection has said, and what it knew when it gave a handle. */
  private readonly said = new Map<ScriptedLiveConnection, string>();
  private readonly known = new Map<string, string>();
  private left: readonly PendingRequest[] = [];
  /** Steers behind which the model has not spoken, and what the user has spoken. */
  private steers: string[] = [];
  private readonly spoken: string[] = [];
  private next = 0;
  /** The keys of the state that callbacks have written. */
  private readonly written: string[] = [];
  /** Calls of answers that were refused. */
  private refused: string[] = [];
  /** The tokens that the model has reported. */
  private used = 0;

  private constructor(
    private readonly model: ScriptedLive,
    private readonly session: Awaited<ReturnType<typeof openSession>>,
  ) {}

  static async open(): Promise<World> {
    const model = new ScriptedLive();
    const made: { world?: World } = {};
    const session = await openSession(model, {
      run: (key) => made.world?.note(key),
      hold: () => new Promise<void>((resolve) => made.world?.waiting.push(resolve)),
      write: ({ state }) => {
        const key = `written ${String(made.world?.written.length ?? 0)}`;
        if (!made.world) return;
        made.world.written.push(key);
        state.set(key, true);
      },
    });
    const world = (made.world = new World(model, session));
    await settled(10);
    return world;
  }

  async take(op: Op): Promise<void> {
    const { live } = this.session;
    switch (op.do) {
      case 'text':
        live.sendText(this.secretive('text', this.texts));
        break;
      case 'run':
        await this.session.runner.run({ ...KEY, message: this.secretive('text', this.texts) });
        break;
      case 'mail':
        await this.session.elsewhere.send(KEY, this.secretive('mail', this.mails));
        break;
      case 'swear':
        this.steers = [];
        this.emit(...speaks(`darn ${String(this.next++)};`));
        break;
      case 'swearAndCall':
        this.swearAndCall(`c${String(this.next++)}`);
        break;
      case 'audio':
        await live.sendAudio(new Uint8Array(4));
        break;
      case 'steer':
        this.steers.push(`steer ${String(this.next++)};`);
        live.steer(this.steers.at(-1) ?? '');
        break;
      case 'ask':
        // The words of the question come later, if at all.
        await live.sendAudio(new Uint8Array(4));
        this.speak(`said${String(this.next++)};`);
        break;
      case 'hear':
        this.hear();
        break;
      case 'speak':
        this.speak(`said${String(this.next++)};`);
        break;
      case 'interrupt':
        live.interrupt();
        this.keepJudged();
        break;
      case 'bargeIn':
        this.emit(...isInterrupted());
        break;
      case 'handle':
        await this.giveHandle(`h${String(this.next++)}`);
        break;
      case 'goAway':
        this.emit(goesAway(10_000));
        break;
      case 'drop':
        this.emit(drops());
        break;
      case 'release':
        this.waiting.shift()?.();
        break;
      case 'call':
        this.call(op);
        break;
      case 'cancel':
        this.cancel(op.nth);
        break;
      case 'approve':
      case 'reject':
        await this.decide(op.nth, op.do);
        break;
      case 'pause':
        await settled(op.turns);
    }
  }

  async end(): Promise<void> {
    const { live, runner, elsewhere } = this.session;
    await settled(5);
    for (const release of this.waiting.splice(0)) release();
    await settled(20);
    await this.mailTaken();
    await this.checkKnown();
    this.left = await runner.pending(KEY);
    await live.close();
    await live.ended;
    await runner.close();
    await elsewhere.close();
  }

  /** Mail is looked for now and then. */
  private async mailTaken(): Promise<void> {
    const { runner, sessions } = this.session;
    const key = { appName: runner.appName, ...KEY };
    for (let wait = 0; wait < 1_000 && (await sessions.listMail(key)).length > 0; wait++)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await settled(20);
  }

  async check(): Promise<void> {
    const session = await this.stored();
    const events = (session?.events ?? []).filter((event) => !isRequest(event));
    const calls = events.flatMap(({ functionCalls }) => functionCalls.map(({ id }) => id));
    const finals = events.flatMap(({ functionResponses }) =>
      functionResponses.filter(({ willContinue }) => willContinue !== true).map(({ id }) => id),
    );
    expect([...finals, ...this.openIds(events)].toSorted()).toEqual(calls.toSorted());
    expect(new Set(calls).size).toBe(calls.length);
    for (const id of calls) {
      const called = events.findIndex(({ functionCalls }) => functionCalls.some((call) => call.id === id));
      const answered = events.findIndex(({ functionResponses }) =>
        functionResponses.some((one) => one.id === id),
      );
      expect(answered).toBeGreaterThan(called);
    }
    for (const times of this.ran.values()) expect(times).toBe(1);
    for (const [key, isApproved] of this.decided)
      // A call that is cancelled just after its approval may have begun.
      if (!isApproved || !this.isCancelled(key)) expect([key, this.ran.has(key)]).toEqual([key, isApproved]);
    const messages = events
      .filter(
        ({ author, text, isolationScope }) =>
          author === 'user' && text !== '' && isolationScope === undefined,
      )
      .map(({ text }) => text);
    expect(messages.filter((text) => text.startsWith('text'))).toEqual(this.texts);
    expect(messages.filter((text) => text.startsWith('mail'))).toEqual(this.mails);
    expect(messages.filter((text) => text.startsWith('spoken')).join('')).toBe(this.spoken.join(''));
    this.checkResponses();
    this.checkIntake(session?.events ?? [], session?.state ?? {});
    expect(this.model.connections.every(({ isClosed }) => isClosed)).toBe(true);
    expect(session?.lastRun?.status).toBe(this.left.length > 0 ? 'paused' : 'ended');
    expect(await this.session.runner.pending(KEY)).toEqual(this.left);
  }

  /** What callbacks have written is stored, what was refused or is secret is nowhere, and what was used is counted once. */
  private checkIntake(events: readonly Event[], state: Readonly<Record<string, unknown>>): void {
    expect(this.written.filter((key) => state[key] !== true)).toEqual([]);
    const told = this.model.connections.map(({ setup, sent }) => [setup.history, sent]);
    const everything = JSON.stringify([events, told]);
    expect(everything).not.toContain('sk-1');
    expect(JSON.stringify(events)).not.toContain('darn');
    expect(this.refused.filter((key) => this.ran.has(key))).toEqual([]);
    const used = events.reduce((sum, { usageMetadata }) => sum + (usageMetadata?.totalTokenCount ?? 0), 0);
    expect(used).toBeLessThanOrEqual(this.used);
  }

  private stored() {
    const { runner, sessions } = this.session;
    return sessions.getSession({ appName: runner.appName, ...KEY });
  }

  /** The ids of the calls that wait for a person, and of the calls that run their agents as tools. */
  private openIds(events: readonly Event[]): string[] {
    return this.left.flatMap(({ functionCallId, path, args }) => {
      if (!path?.endsWith('asker')) return [functionCallId];
      const caller = events
        .flatMap(({ functionCalls }) => functionCalls)
        .find((call) => call.name === 'asker' && call.args?.['request'] === args['key']);
      return [functionCallId, caller?.id ?? ''];
    });
  }

  /** The model of the open connection knows each stored text, and was asked to answer the last one of the user. */
  private async checkKnown(): Promise<void> {
    const { connection } = this.model;
    if (connection.isClosed) return;
    const known = this.knownOn(connection);
    const stored = (await this.stored())?.events ?? [];
    const events = stored.filter(({ text }) => text.endsWith(';'));
    expect(events.map(({ text }) => text).filter((text) => !known.includes(text))).toEqual([]);
    const asked = [...connection.texts, ...connection.responses];
    // An answer that was refused is no reason to ask again.
    if (this.isUnanswered(stored)) expect(asked).not.toEqual([]);
    expect(this.steers.filter((text) => !known.includes(text))).toEqual([]);
  }

  /** True if a message stands behind the last answer, also behind one that was refused. */
  private isUnanswered(events: readonly Event[]): boolean {
    const last = events.findLast(
      ({ text, errorCode }) => text.endsWith(';') || errorCode === 'GUARDRAIL_TRIPPED',
    );
    return /^(?:text|mail)/.test(last?.text ?? '');
  }

  /** Everything that the model of a connection knows, by its memory and by what was said since. */
  private knownOn(connection: ScriptedLiveConnection): string {
    const { resume, history } = connection.setup;
    const before = resume === undefined ? JSON.stringify(history) : (this.known.get(resume) ?? '');
    const heard = connection.sent.map((sent) => (sent.kind === 'text' ? sent.text : '')).join(' ');
    // Words that were heard one after another are stored as one text.
    return `${before} ${heard} ${this.said.get(connection) ?? ''}`.replaceAll(/;\s+/g, ';');
  }

  /** A handle holds what had been sent when it arrived: nobody can tell what was under way meanwhile. */
  private async giveHandle(handle: string): Promise<void> {
    const { connection } = this.model;
    this.emit({ kind: 'resumption', handle });
    for (let tick = 0; tick < 50 && this.session.live.resumptionHandle !== handle; tick++)
      await Promise.resolve();
    this.known.set(handle, this.knownOn(connection));
  }

  private hear(): void {
    const { connection } = this.model;
    if (connection.isClosed) return;
    const text = this.secretive('spoken', this.spoken);
    this.said.set(connection, `${this.said.get(connection) ?? ''} ${this.spoken.at(-1) ?? ''}`);
    this.emit({ kind: 'inputTranscript', text, finished: true });
  }

  /** The next words of the user, every third with a secret. They are noted as they are to be stored. */
  private secretive(words: string, noted: string[]): string {
    const number = this.next++;
    const secret = number % 3 === 0;
    noted.push(`${words} ${String(number)}${secret ? ' [redacted]' : ''};`);
    return `${words} ${String(number)}${secret ? ' sk-1' : ''};`;
  }

  /** An answer that is refused, with a call. */
  private swearAndCall(id: string): void {
    if (this.model.connection.isClosed) return;
    this.steers = [];
    this.refused.push(id);
    const call: LiveEvent = { kind: 'toolCall', calls: [{ id, name: 'quick', args: { key: id } }] };
    this.emit(...speech('darn it;'), call, endsTurn());
  }

  /** An answer that is stopped before it was judged is not refused: nothing of it was heard, and its call may run. */
  private keepJudged(): void {
    const { responses } = this.model.connection;
    this.refused = this.refused.filter((key) => responses.some(({ id }) => id === key));
  }

  private speak(text: string): void {
    const { connection } = this.model;
    this.steers = [];
    this.said.set(connection, `${this.said.get(connection) ?? ''} ${text}`);
    this.used += 1;
    this.emit(...speech(text), { kind: 'usage', usage: { totalTokenCount: 1 } }, endsTurn());
  }

  /** A person answers a request that is open. */
  private async decide(nth: number, way: 'approve' | 'reject'): Promise<void> {
    const { live, runner, elsewhere } = this.session;
    const requests = await runner.pending(KEY);
    const request = requests[nth % Math.max(1, requests.length)];
    if (!request) return;
    const doors = [live, runner, elsewhere] as const;
    await doors[(nth % 3) as 0 | 1 | 2][way](request).then(
      () => this.decided.set(String(request.args['key']), way === 'approve'),
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'REQUEST_NOT_PENDING' });
      },
    );
  }

  /** No connection gets two last responses of one call, and none after its cancellation. */
  private checkResponses(): void {
    for (const { id } of this.calls) {
      if (id === '') continue;
      for (const { responses } of this.model.connections) {
        const own = responses.filter((response) => response.id === id && response.willContinue !== true);
        expect(own.length).toBeLessThanOrEqual(1);
      }
      const before = this.cancelled.get(id);
      if (before !== undefined) expect(this.responsesTo(id)).toBe(before);
    }
  }

  private call({ tool, hasId, twice }: Extract<Op, { do: 'call' }>): void {
    const key = String(this.next++);
    const id = hasId ? `c${key}` : '';
    const args = argsOf(tool, key);
    const call: LiveEvent = { kind: 'toolCall', calls: [{ id: hasId ? id : undefined, name: tool, args }] };
    this.calls.push({ id, key });
    this.steers = [];
    this.emit(call);
    if (twice && hasId) this.emit(call);
  }

  /** Cancels a call that has not been answered yet, as providers do. */
  private cancel(nth: number): void {
    const { id = '' } = this.calls.at(-1 - nth) ?? {};
    if (id === '' || this.cancelled.has(id)) return;
    if (this.model.connection.isClosed) return;
    this.emit({ kind: 'toolCallCancellation', ids: [id] });
    // What was sent before the session has read the cancellation is sent.
    void settled(1).then(() => this.cancelled.set(id, this.responsesTo(id)));
  }

  private isCancelled(key: string): boolean {
    return this.calls.some((call) => call.key === key && this.cancelled.has(call.id));
  }

  private responsesTo(id: string): number {
    return this.model.connections.flatMap(({ responses }) => responses.filter((one) => one.id === id)).length;
  }

  private emit(...events: readonly LiveEvent[]): void {
    this.model.connection.emit(...events);
  }

  private note(key: string): void {
    this.ran.set(key, (this.ran.get(key) ?? 0) + 1);
  }
}

function argsOf(tool: string, key: string): Record<string, string> {
  if (tool === 'transfer_to_agent') return { agent_name: 'expert' };
  return tool === 'asker' ? { request: key } : { key };
}

/** True for a question to a person, and for its answer. */
function isRequest({ functionCalls, functionResponses }: Event): boolean {
  return [...functionCalls, ...functionResponses].some(
    ({ name }) => name?.startsWith('adk_request_') === true,
  );
}

/** Calls the tool that asks a person, with the key that it was asked for, and then answers. */
class Asking extends Model {
  readonly name = 'asking';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    await Promise.resolve();
    const parts = contents.flatMap((content) => content.parts ?? []);
    const isDone = parts.some(({ functionResponse }) => functionResponse);
    const call = { name: 'asking', args: { key: parts[0]?.text } };
    yield { content: { role: 'model', parts: [isDone ? { text: 'asked' } : { functionCall: call }] } };
  }
}

/** What tools and callbacks of the session do. */
interface Hooks {
  readonly run: (key: string) => void;
  readonly hold: () => Promise<void>;
  readonly write: (context: CallbackContext) => void;
}

/** Listens until it is stopped, and writes how much it has heard. */
class Listening extends Tool {
  readonly name = 'listening';
  readonly description = 'Listens.';

  constructor(private readonly ran: (key: string) => void) {
    super();
  }

  override get takesLiveInput(): boolean {
    return true;
  }

  declaration() {
    const parametersJsonSchema = { type: 'object', properties: { key: { type: 'string' } } };
    return { name: 'listening', description: 'Listens.', parametersJsonSchema };
  }

  async *run(
    { key }: { key?: string },
    { liveInput, state }: ToolContext,
  ): AsyncGenerator<number, void, undefined> {
    this.ran(String(key));
    let heard = 0;
    for await (const { byteLength } of liveInput.audio) {
      state.set(`heard ${String(key)}`, (heard += byteLength));
      yield heard;
    }
  }
}

const NO_DARN: Guardrail = {
  name: 'manners',
  check: (text) => (text.includes('darn') ? new Deny('swears') : undefined),
};

/** An agent whose callbacks write. */
function writing(options: DefinedAgentOptions, write: Hooks['write']): new () => LlmAgent {
  class Writing extends LlmAgent {
    override onToolCall(_calls: readonly FunctionCall[], context: CallbackContext): undefined {
      write(context);
    }
    override beforeToolResponse(_response: object, _call: object, context: CallbackContext): undefined {
      write(context);
    }
    override onLiveTurn(_live: LiveDirection, context: AgentContext): void {
      write(context);
    }
    override beforeModel(_request: ModelRequest, context: CallbackContext): undefined {
      write(context);
    }
    override afterModel({ content }: ModelResponse, context: CallbackContext): undefined {
      if (!JSON.stringify(content).includes('darn')) write(context);
    }
  }
  agent({ ...options, outputGuardrails: [NO_DARN] })(Writing);
  return Writing;
}

async function openSession(model: ScriptedLive, { run, hold, write }: Hooks) {
  const parameters = { type: 'object', properties: { key: { type: 'string' } } };
  const shape = { description: 'Does it.', parameters };
  const slow = async ({ key }: { key?: string }): Promise<string> => {
    run(String(key));
    await hold();
    return 'done';
  };
  const quick = ({ key }: { key?: string }): string => {
    run(String(key));
    return 'done';
  };
  const asking = new FunctionTool({ ...shape, name: 'asking', confirm: true, run: quick });
  const Asker = defineAgent({ name: 'asker', description: 'Asks.', model: new Asking(), tools: [asking] });
  const tools = [
    new FunctionTool({ ...shape, name: 'slow', run: slow }),
    new FunctionTool({ ...shape, name: 'beside', background: true, run: slow }),
    new FunctionTool({ ...shape, name: 'quick', run: quick }),
    new FunctionTool({
      ...shape,
      name: 'counting',
      background: true,
      tell: 'each',
      run: async function* ({ key }: { key?: string }, { state }: ToolContext) {
        run(String(key));
        for (const count of [1, 2]) {
          state.set(`count ${String(key)}`, count);
          yield count;
          await hold();
        }
        return 'done';
      },
    }),
    asking,
    agentTool(Asker),
    new Listening(run),
    new FunctionTool({
      ...shape,
      name: 'broken',
      run: () => {
        throw new Error('It is broken.');
      },
    }),
  ];
  const Expert = writing({ name: 'expert', description: 'Knows.', tools }, write);
  const Clerk = writing({ name: 'clerk', description: 'Asks.', tools, subAgents: [Expert] }, write);
  const store = new InMemorySessionService();
  const options: CreateRunnerOptions = {
    model: new ScriptedModel(),
    modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(store))],
    plugins: [new RedactionPlugin({ patterns: [/sk-\d+/] })],
    config: { maxTransfers: 1_000 },
  };
  const runner: Runner<unknown> = await createRunner(Clerk, options);
  // Two runners with one store stand for two processes.
  const elsewhere: Runner<unknown> = await createRunner(Clerk, options);
  const live = runner.live({ ...KEY, model, onTripwire: 'continue' });
  return { runner, elsewhere, live, sessions: runner.sessions };
}
