import { toolPolicies } from '@adorn/policies';
import fc from 'fast-check';

import type { FunctionResponse } from '../backend.js';
import {
  AdornError,
  RequireConfirmation,
  Clock,
  ContainerModule,
  createRunner,
  CredentialService,
  defineAgent,
  Deny,
  type Content,
  type Event,
  type FunctionCall,
  Logger,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Part,
  type PendingRequest,
  Plugin,
  type InvocationContext,
  type Runner,
  type Session,
  type Tool,
  type ToolContext,
} from '../index.js';
import { withReadingHints } from '../log/long-result.js';
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from './property-runs.fixture.js';
import type { ModelRequestPlan } from '../turn/model-request.js';
import { AuthGate } from './auth.gate.js';
import { ConfirmationGate } from './confirmation.gate.js';
import { RunGate } from './run.gate.js';
import { ShapeGate } from './shape.gate.js';
import { ToolDispatcher } from './tool-dispatcher.js';
import type { GateVerdict, ToolGate } from './tool-call.js';
import { HurriedClock, QuietLogger } from './quiet-services.fixture.js';
import { scene, UnreliableCredentialService, UNRULY_TOOLS, waitForTheEnd } from './unruly-tools.fixture.js';

const SEED = 20_240_117;

describe('every call gets exactly one response', () => {
  beforeAll(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate'] });
  });

  afterAll(() => {
    jest.useRealTimers();
  });

  it(
    `whatever a model calls, and whatever becomes of it (${String(PROPERTY_RUNS)} scripts)`,
    async () => {
      await fc.assert(holdsFor(await openStages()), { numRuns: PROPERTY_RUNS, seed: SEED });
    },
    PROPERTY_TIMEOUT,
  );

  it.each<[string, Sabotage]>([
    ['a gate that is left out', { gates: () => [new ShapeGate(), new AuthGate(), new RunGate()] }],
    [
      'a gate that fails open',
      { gates: () => [new ShapeGate(), new OpenWhenItThrows(), new AuthGate(), new RunGate()] },
    ],
    [
      'a gate that remembers an approval for other calls',
      { gates: () => [new ShapeGate(), new ApprovesOnce(), new AuthGate(), new RunGate()] },
    ],
    [
      'a tool that is run a second time',
      { gates: () => [new ShapeGate(), new ConfirmationGate(), new AuthGate(), new RunsTwice()] },
    ],
    [
      'a credential that is not waited for',
      { gates: () => [new ShapeGate(), new ConfirmationGate(), new RunGate()] },
    ],
    ['outcomes in the order in which they came', { dispatcher: (dispatcher) => new Unordered(dispatcher) }],
    [
      'a history that keeps what was replaced',
      { history: ({ events }) => events.flatMap(({ content }) => content ?? []) },
    ],
  ])(
    'is a promise that notices %s',
    async (_what, sabotage) => {
      const details = await fc.check(holdsFor(await openStages(sabotage)), {
        numRuns: 300,
        seed: SEED,
        endOnFailure: true,
      });

      expect(details.failed).toBe(true);
      expect(details.errorInstance).toBeInstanceOf(Broken);
    },
    PROPERTY_TIMEOUT,
  );
});

/** A promise that was not kept: nothing else that may go wrong in a test counts as noticed. */
class Broken extends Error {}

function promise(holds: boolean, what: string, facts?: unknown): asserts holds {
  if (!holds) throw new Broken(`${what}: ${JSON.stringify(facts)}`);
}

// What the model says.

const names = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...UNRULY_TOOLS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'answer',
      'retruns',
      'ALWAYS_ASKS',
      'alwaysasks',
      'delete_everything',
      '',
      undefined,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'transfer_to_agent', 'set_model_response'),
  },
);

const wrongArgs = fc.constantFrom<unknown>(
  undefined,
  null,
  {},
  [],
  'text',
  42,
  { how: null },
  { how: 7 },
  { how: ['a'] },
  { how: 'a', extra: 1 },
  { how: 'a', times: 'many' },
  { how: 'a', times: null },
  { how: 'a', times: '2' },
  JSON.parse('{"how":"a","__proto__":{"times":1}}'),
  JSON.parse('{"__proto__":{"how":"a"}}'),
);

const ids = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom('c1', 'c2', 'c3', '', '__proto__', 'adk-of-the-model') },
);

const calls: fc.Arbitrary<Part> = fc.tuple(names, ids).chain(([named, id]) => {
  const name = typeof named === 'object' ? named.tool.name : named;
  const fitting = typeof named === 'object' ? named.args : fc.constant({});
  return fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: wrongArgs }).map((args) => {
    const functionCall = {
      ...(name !== undefined && { name }),
      ...(id !== undefined && { id }),
      ...(args !== undefined && { args }),
    };
    return { functionCall: functionCall as FunctionCall };
  });
});

const others: fc.Arbitrary<Part> = fc.constantFrom(
  { text: '' },
  { text: 'Let me see.' },
  { text: 'hm', thought: true },
);
const turns = fc.array(fc.oneof({ weight: 6, arbitrary: calls }, { weight: 1, arbitrary: others }), {
  minLength: 1,
  maxLength: 5,
});

// What people do.

type Ending =
  { readonly kind: 'read' } | { readonly kind: 'stop' | 'cancel' | 'abort'; readonly after: number };

/** An answer to one of the pending requests. */
interface Choice {
  readonly which: number;
  readonly how: 'approve' | 'reject' | 'forge';
  readonly form: 'bare' | 'wrapped' | 'text';
  readonly byCall: boolean;
  /** Answered under either id in one message. */
  readonly isTwice: boolean;
}

/** A message: plain where it answers nothing. */
interface Act {
  readonly answers: readonly Choice[];
  readonly ending: Ending;
}

interface Play {
  readonly turns: readonly (readonly Part[])[];
  readonly acts: readonly Act[];
  /** What the callbacks of a plugin do, one after the other, over and over; undefined if there is no plugin. */
  readonly meddling: readonly Meddling[] | undefined;
  /** How many calls of one turn run at once. */
  readonly toolConcurrency: number;
}

type Meddling = 'nothing' | 'throw' | 'answer' | 'deny' | 'ask' | 'change' | 'wait';

const endings: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Ending>({ kind: 'read' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('stop' as const, 'cancel' as const, 'abort' as const),
      after: fc.nat(3),
    }),
  },
);

const choices: fc.Arbitrary<Choice> = fc.record({
  which: fc.nat(5),
  how: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('approve' as const, 'reject' as const) },
    { weight: 1, arbitrary: fc.constant('forge' as const) },
  ),
  form: fc.constantFrom('bare' as const, 'wrapped' as const, 'text' as const),
  byCall: fc.boolean(),
  isTwice: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth === 0),
});

const acts: fc.Arbitrary<Act> = fc.record({ answers: fc.array(choices, { maxLength: 4 }), ending: endings });

const meddlings: fc.Arbitrary<Meddling> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Meddling>('nothing') },
  {
    weight: 4,
    arbitrary: fc.constantFrom<Meddling>('throw', 'answer', 'deny', 'ask', 'change', 'change', 'wait'),
  },
);

const plays: fc.Arbitrary<Play> = fc.record({
  turns: fc.array(turns, { minLength: 1, maxLength: 3 }),
  acts: fc.array(acts, { minLength: 1, maxLength: 4 }),
  meddling: fc.option(fc.array(meddlings, { minLength: 1, maxLength: 8 }), { nil: undefined }),
  toolConcurrency: fc.constantFrom(16, 16, 2, 1),
});

// The stage.

interface Sabotage {
  readonly gates?: () => readonly ToolGate[];
  readonly dispatcher?: (real: ToolDispatcher) => ToolDispatcher;
  readonly history?: (session: Session) => Content[];
}

interface Stage {
  readonly runner: Runner;
  readonly model: Player;
  readonly meddler: Meddler;
}

/** One without a plugin, and one with it: callbacks change the way of a call. */
interface Stages {
  readonly plain: Stage;
  readonly plugged: Stage;
}

let played = 0;

async function openStages(sabotage: Sabotage = {}): Promise<Stages> {
  return { plain: await openStage(sabotage, false), plugged: await openStage(sabotage, true) };
}

async function openStage({ gates, dispatcher, history }: Sabotage, isPlugged: boolean): Promise<Stage> {
  const model = new Player();
  const meddler = new Meddler();
  const Actor = defineAgent({ name: 'actor', tools: UNRULY_TOOLS.map(({ tool }) => tool) });
  const modules = [
    toolPolicies,
    new ContainerModule(({ bind }) => {
      bind(Logger).toConstantValue(new QuietLogger());
      bind(Clock).toConstantValue(new HurriedClock());
      bind(CredentialService).toConstantValue(new UnreliableCredentialService());
    }),
  ];
  const plugins = isPlugged ? [meddler] : [];
  const runner = await createRunner(Actor, { model, modules, plugins, config: { maxInvalidCalls: 1_000 } });
  const actor = runner.root as unknown as {
    dispatcher: ToolDispatcher;
    requests: Pick<ModelRequestPlan, 'build'>;
  };
  if (gates !== undefined) actor.dispatcher = new ToolDispatcher(gates());
  if (dispatcher !== undefined) actor.dispatcher = dispatcher(actor.dispatcher);
  const { requests } = actor;
  if (history !== undefined) actor.requests = { build: (context) => rewritten(requests, context, history) };
  return { runner, model, meddler };
}

async function rewritten(
  requests: Pick<ModelRequestPlan, 'build'>,
  context: InvocationContext,
  history: (session: Session) => Content[],
) {
  const request = await requests.build(context);
  request.contents = history(context.session);
  return request;
}

/** Gets in the way of calls, before and after their tools. */
class Meddler extends Plugin {
  readonly name = 'meddler';
  private script: readonly Meddling[] = [];
  private asked = 0;

  follow(script: readonly Meddling[]): void {
    this.script = script;
    this.asked = 0;
  }

  override checkTool(_tool: Tool, _args: unknown, context: ToolContext) {
    const next = this.next();
    if (next === 'ask') return new RequireConfirmation('Shall it?');
    return next === 'answer' ? undefined : this.meddle(next, {}, context);
  }

  override beforeTool(_tool: Tool, args: Record<string, unknown>, context: ToolContext): unknown {
    return this.meddle(this.next(), args, context);
  }

  override afterTool(_tool: Tool, args: Record<string, unknown>, _result: unknown, context: ToolContext) {
    return this.meddle(this.next(), args, context);
  }

  override onToolError(_tool: Tool, args: Record<string, unknown>, _error: unknown, context: ToolContext) {
    return this.meddle(this.next(), args, context);
  }

  private next(): Meddling {
    return this.script[this.asked++ % this.script.length] ?? 'nothing';
  }

  private meddle(how: Meddling, args: Record<string, unknown>, context: ToolContext) {
    switch (how) {
      case 'throw':
        throw new Error('secret');
      case 'deny':
        return new Deny('not now');
      case 'answer':
        return { instead: true } as never;
      case 'ask':
        return new RequireConfirmation('too late') as never;
      case 'wait':
        return waitForTheEnd(context);
      case 'change':
        args['how'] = args['how'] === 'a' ? 7n : 'a';
        return undefined;
      case 'nothing':
        return undefined;
    }
  }
}

/** Says what the play lets it say, and looks at what it is asked. */
class Player extends Model {
  readonly name = 'player';
  lines: (readonly Part[])[] = [];
  log: () => readonly Event[] = () => [];
  asked = 0;
  fault: unknown;

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.asked++;
    try {
      checkRequest(contents, this.log());
      checkNobodyWaits(this.log());
    } catch (error) {
      this.fault ??= error;
    }
    const parts = this.lines.shift() ?? [{ text: 'done' }];
    yield await Promise.resolve({ content: { role: 'model', parts: [...parts] } });
  }
}

function holdsFor(stages: Stages): fc.IAsyncProperty<[Play]> {
  return fc.asyncProperty(plays, (play) =>
    perform(play.meddling === undefined ? stages.plain : stages.plugged, play),
  );
}

/** What a message that answers wrongly is told. */
const REFUSED: readonly string[] = ['ANSWER_INVALID', 'MESSAGE_INVALID', 'REQUEST_NOT_PENDING'];

/** One conversation from the first message to the last, checked after each. */
async function perform(
  stage: Stage,
  { turns: lines, acts: messages, meddling = [], toolConcurrency }: Play,
): Promise<void> {
  const { runner, model, meddler } = stage;
  scene.cancel = (invocationId) => void runner.cancel(invocationId);
  meddler.follow(meddling);
  const sessionId = `s${String(++played)}`;
  const address = { userId: sessionId, sessionId };
  const session = await runner.sessions.createSession({ appName: runner.appName, ...address });
  scene.deeds = [];
  model.lines = [...lines];
  model.log = () => session.events;
  model.fault = undefined;
  const yes: string[] = [];
  const stopped = new Set<string>();
  const last: Act = { answers: [], ending: { kind: 'read' } };
  for (const { answers, ending } of [
    { ...last, ending: messages[0]?.ending ?? last.ending },
    ...messages,
    last,
  ]) {
    const { message, approved } = messageOf(await runner.pending(address), answers);
    const from = session.events.length;
    const error = await read(runner, { ...address, message, config: { toolConcurrency } }, ending);
    if (error !== undefined) {
      promise(AdornError.is(error) && REFUSED.includes(error.code), 'a run does not throw', error);
      promise(session.events.length === from, 'a message that is refused leaves nothing behind');
      continue;
    }
    yes.push(...approved);
    if (ending.kind === 'stop') stopped.add(session.events[from]?.invocationId ?? '');
    if (model.fault !== undefined) throw model.fault as Error;
    checkLog(session.events, stopped);
    checkDeeds(session.events, yes);
    if (ending.kind === 'read')
      checkEnd(session.events.slice(from), (await runner.pending(address)).length + stopped.size);
  }
}

/** Reads a run as far as the ending says; gives what it threw. */
async function read(runner: Runner, input: Parameters<Runner['run']>[0], ending: Ending): Promise<unknown> {
  let seen = 0;
  const abort = new AbortController();
  try {
    for await (const { invocationId } of runner.run({ ...input, signal: abort.signal })) {
      if (ending.kind === 'read' || seen++ < ending.after) continue;
      if (ending.kind === 'stop') return undefined;
      if (ending.kind === 'cancel') runner.cancel(invocationId);
      else abort.abort();
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The answers as one message, in the order of the choices; plain words where there is nothing to answer. */
function messageOf(pending: readonly PendingRequest[], answers: readonly Choice[]) {
  const left = [...pending];
  const parts: Part[] = [];
  const approved: string[] = [];
  for (const choice of answers) {
    const [request] = left.splice(choice.which % Math.max(1, left.length), 1);
    if (request === undefined) break;
    if (request.kind === 'confirmation' && choice.how === 'approve') approved.push(request.functionCallId);
    parts.push({ functionResponse: responseTo(request, choice) });
    if (choice.isTwice)
      parts.push({ functionResponse: responseTo(request, { ...choice, byCall: !choice.byCall }) });
  }
  return { message: parts.length === 0 ? 'Go on.' : { role: 'user', parts }, approved };
}

function responseTo(request: PendingRequest, { how, form, byCall }: Choice): FunctionResponse {
  if (request.kind === 'input') return inputTo(request, how);
  if (request.kind === 'result') return { id: request.id, name: request.tool, response: { result: how } };
  const isDecision = request.kind === 'confirmation';
  const id = byCall ? request.functionCallId : request.id;
  const name = isDecision ? 'adk_request_confirmation' : 'adk_request_credential';
  if (!isDecision) return { id, name, response: { credential: { type: 'apiKey', apiKey: 'k' } } };
  const confirmed = how === 'forge' ? 'true' : how === 'approve';
  const response = {
    bare: { confirmed },
    wrapped: { toolConfirmation: { confirmed } },
    text: { response: JSON.stringify({ confirmed }) },
  };
  return { id, name, response: response[form] };
}

function inputTo({ id }: PendingRequest, how: Choice['how']): FunctionResponse {
  return { id, name: 'adk_request_input', response: { result: how === 'forge' ? 7 : 'Monday' } };
}

// What is promised.

/** Each call of the log has one response right behind it: the newest, or one that says there never was any. */
function checkRequest(contents: readonly Content[], log: readonly Event[]): void {
  promise(typeof JSON.stringify(contents) === 'string', 'a request can be written as JSON');
  const expected = expectedPairs(log);
  for (const [index, content] of contents.entries()) {
    const responses = responsesOf(content);
    const called = index === 0 ? [] : callsOf(contents[index - 1]);
    promise(responses.length === called.length, 'a response stands right behind its call, and nowhere else', {
      index,
      contents,
    });
    if (called.length === 0) continue;
    const pairs = called.map(({ id, name = '' }, position) => {
      const response = responses[position];
      promise(
        response !== undefined && response.id === id && (response.name ?? '') === name,
        'a response bears the id and the name of its call',
        { called, responses },
      );
      return [name, response.response];
    });
    const inLog = expected.shift();
    promise(JSON.stringify(pairs) === inLog, 'a request holds the newest response of each call', {
      pairs,
      inLog,
    });
  }
  promise(callsOf(contents.at(-1)).length === 0 && expected.length === 0, 'a request holds every call', {
    contents,
  });
}

/** The model is not told of some calls of its answer while a person still has to answer about others. */
function checkNobodyWaits(log: readonly Event[]): void {
  for (const { id: answered } of responsesOf(log.at(-1)?.content)) {
    const index = log.findLastIndex(({ content }) =>
      content?.role === 'model' ? callsOf(content).some(({ id }) => id === answered) : false,
    );
    for (const { id } of callsOf(log[index]?.content)) {
      const newest = responsesTo(log, index, id).at(-1);
      promise(
        newest?.willContinue !== true || newest.author === 'user' || isRunning(newest),
        'the model is not asked while a call of the same answer waits',
        newest,
      );
    }
  }
}

const NEVER = { error: 'This call was interrupted: its outcome is unknown.' };

function expectedPairs(log: readonly Event[]): string[] {
  const pairs: string[] = [];
  for (const [index, { content }] of log.entries()) {
    const called = content?.role === 'model' ? callsOf(content).filter(({ name }) => !isTalk(name)) : [];
    if (called.length === 0) continue;
    pairs.push(
      JSON.stringify(
        called.map(({ id, name = '' }) => [name, shownResponse(responsesTo(log, index, id).at(-1))]),
      ),
    );
  }
  return pairs;
}

/** The beginning of a long result says in a request how to read the rest. */
function shownResponse(functionResponse: FunctionResponse | undefined): unknown {
  if (!functionResponse) return NEVER;
  const content = { role: 'user', parts: [{ functionResponse }] };
  return withReadingHints(content, content).parts?.[0]?.functionResponse?.response;
}

/** The responses to a call, up to where its id is given to another. */
function responsesTo(
  log: readonly Event[],
  from: number,
  id: string | undefined,
): (FunctionResponse & { readonly author: string })[] {
  const found: (FunctionResponse & { readonly author: string })[] = [];
  for (const { author, content } of log.slice(from + 1)) {
    if (content?.role === 'model' && callsOf(content).some((call) => call.id === id)) break;
    for (const response of responsesOf(content)) {
      if (response.id === id && !(author === 'user' && isTalk(response.name)))
        found.push({ ...response, author });
    }
  }
  return found;
}

/** The calls of an answer have ids of their own, and one event answers them all in their order. */
function checkLog(log: readonly Event[], stopped: ReadonlySet<string>): void {
  promise(typeof JSON.stringify(log) === 'string', 'the log can be written as JSON');
  for (const [index, { content, invocationId }] of log.entries()) {
    const called = content?.role === 'model' ? callsOf(content) : [];
    if (called.length === 0) continue;
    promise(
      new Set(called.map(({ id }) => id)).size === called.length,
      'each call has an id of its own',
      called,
    );
    promise(
      called.every(({ id }) => typeof id === 'string' && id !== ''),
      'each call has an id',
      called,
    );
    const answer = log
      .slice(index + 1)
      .find((event) => event.author !== 'user' && responsesOf(event.content).length > 0);
    const isAnswered = answer?.invocationId === invocationId;
    promise(isAnswered || stopped.has(invocationId), 'the calls are answered', called);
    if (isAnswered) checkAnswer(log, index, called, answer);
  }
}

function checkAnswer(
  log: readonly Event[],
  index: number,
  called: readonly FunctionCall[],
  answer: Event,
): void {
  const own = new Set(called.map(({ id }) => id));
  const responses = responsesOf(answer.content).filter(({ id }) => own.has(id));
  const addresses = (list: readonly FunctionCall[]): string =>
    JSON.stringify(list.map(({ id, name = '' }) => [id, name]));
  promise(addresses(called) === addresses(responses), 'one event answers the calls in their order', {
    called,
    responses,
  });
  for (const { id } of called) {
    const final = responsesTo(log, index, id).filter(
      ({ author, willContinue }) => author !== 'user' && willContinue !== true,
    );
    promise(final.length <= 1, 'a call is answered for good only once', final);
    const told: unknown = final[0]?.response?.['call'];
    promise(told === undefined || told === id, 'a call gets its own response', final);
  }
  const isPaused = responses.some((one) => one.willContinue === true && !isRunning(one));
  const next = log
    .slice(log.indexOf(answer) + 1)
    .find(({ invocationId }) => invocationId === answer.invocationId);
  promise(
    !isPaused || next === undefined || next.errorCode === 'CANCELLED',
    'a run that waits for somebody does not go on',
    { responses, next },
  );
}

/** No body ran twice for a call, nor without the yes or the credential it needs. */
function checkDeeds(log: readonly Event[], yes: readonly string[]): void {
  const made = log.flatMap(({ content }) =>
    content?.role === 'model' ? callsOf(content).map(({ id }) => id) : [],
  );
  const { deeds } = scene;
  promise(
    !deeds.some(({ lacksCredential }) => lacksCredential),
    'no call runs without its credential',
    deeds,
  );
  for (const call of new Set(deeds.map((deed) => deed.call))) {
    const own = deeds.filter((deed) => deed.call === call);
    const most = Math.max(...own.map((deed) => deed.most));
    promise(own.length <= most * countOf(call, made), 'no call runs twice', own);
    const asked = own.filter(({ wasToAsk }) => wasToAsk);
    promise(asked.length <= most * countOf(call, yes), 'no call runs without its yes', { own, yes });
  }
}

function countOf(id: string, among: readonly unknown[]): number {
  return among.filter((one) => one === id).length;
}

/**
 * A run that was read to its end went on to an answer, or was cancelled, or waits for somebody; or for a call that
 * nobody will answer, because its own run was left in the middle.
 */
function checkEnd(events: readonly Event[], pending: number): void {
  const last = events.at(-1);
  if (
    last?.errorCode === 'CANCELLED' ||
    // A model that has said nothing twice has not answered.
    (last?.errorCode === 'EMPTY_RESPONSE' && last.text === '') ||
    (last?.author === 'actor' && last.turnComplete && last.errorCode === undefined)
  )
    return;
  promise(pending > 0 && last?.errorCode === undefined, 'a run ends with an answer or waits for one', {
    last,
    pending,
  });
}

function callsOf(content: Content | undefined): FunctionCall[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
}

function responsesOf(content: Content | undefined): FunctionResponse[] {
  return (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);
}

/** The interim response to a call that runs in the background. */
function isRunning({ response }: FunctionResponse): boolean {
  return response?.['status'] === 'running';
}

/** The talk with a person, which no model sees. */
function isTalk(name: string | undefined): boolean {
  return name?.startsWith('adk_request_') === true;
}

// What breaks it.

class OpenWhenItThrows extends ConfirmationGate {
  override async enter(call: Parameters<ToolGate['enter']>[0]): Promise<GateVerdict> {
    try {
      return await super.enter(call);
    } catch {
      return 'open';
    }
  }
}

class ApprovesOnce extends ConfirmationGate {
  private readonly approved = new Set<string>();

  override async enter(call: Parameters<ToolGate['enter']>[0]): Promise<GateVerdict> {
    const { name } = call.entry.tool;
    if (call.answer?.confirmation?.confirmed === true) this.approved.add(name);
    return this.approved.has(name) ? 'open' : super.enter(call);
  }
}

class RunsTwice extends RunGate {
  override async enter(...[call, sink]: Parameters<ToolGate['enter']>): Promise<GateVerdict> {
    await super.enter(call, sink);
    return super.enter(call, sink);
  }
}

class Unordered extends ToolDispatcher {
  constructor(private readonly real: ToolDispatcher) {
    super([]);
  }

  override async dispatchAll(
    ...given: Parameters<ToolDispatcher['dispatchAll']>
  ): ReturnType<ToolDispatcher['dispatchAll']> {
    return (await this.real.dispatchAll(...given)).reverse();
  }
}
