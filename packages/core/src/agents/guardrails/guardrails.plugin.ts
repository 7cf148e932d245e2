/* eslint-disable max-lines -- the plugin, the option of an agent, and the callbacks that both use */
import { type AgentCallbacks, Deny, type Reply } from '../../gates/callbacks/agent-callbacks.js';
import { CallbackFailedError } from '../../gates/callbacks/errors.js';
import { Plugin } from '../../gates/callbacks/plugin.js';
import type { Content, FunctionCall, Part } from '../../events/genai-types.js';
import { kindOf, isSameJson, ANY, BOOLEAN, oneOf, type OptionRules, redactJson } from '@adorn/schema';
import type { AgentNode } from '../../run/agent-node.js';
import { type CallbackContext, ReadonlyContext } from '../../run/callback-context.js';
import { outputTextIn, withOutputText } from '../../turn/structured-output.js';
import type { Tripwire } from '../../run/tripwire.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { ModelRequest } from '../../models/model.js';
import type { RunEnd } from '../../gates/callbacks/plugin.js';
import type { ToolContext } from '../../tools/tool-context.js';
import type { Tool } from '../../tools/tool.js';
import {
  type Guardrail,
  type GuardrailOptions,
  GuardrailTrippedError,
  type ToolGuardrail,
} from './guardrail.js';
import {
  checkPluginOptions,
  namePattern,
  PluginOptionInvalidError,
} from '../../gates/callbacks/plugin-options.js';

/** The options of a `GuardrailsPlugin`. */
export interface GuardrailsPluginOptions extends GuardrailOptions {
  /**
   * The pieces of a streamed answer where there are output guardrails: `hold` shows none, only the checked answer; `check`
   * checks the text so far before each piece is shown; `show` shows pieces unchecked. Default: `hold`.
   */
  readonly pieces?: 'hold' | 'check' | 'show';
  /** Whether a message that was refused stays in the log. Default: false, its texts are replaced. */
  readonly storeRefused?: boolean;
}

const OPTIONS: OptionRules<GuardrailsPluginOptions> = {
  // Read by `requireGuardrails`, as those of an agent.
  inputGuardrails: ANY,
  outputGuardrails: ANY,
  toolGuardrails: ANY,
  pieces: oneOf('hold', 'check', 'show'),
  storeRefused: BOOLEAN,
};

type Where = Tripwire['where'];

/** The callbacks that check what models are told and say, and what tools are given and return. */
class GuardrailCallbacks implements AgentCallbacks {
  protected readonly inputs: readonly Guardrail[];
  private readonly outputs: readonly Guardrail[];
  private readonly results: readonly Guardrail[];
  private readonly calls: readonly WatchedTools[];
  /** The checks of each message. */
  private readonly checked = new WeakMap<object, Promise<Content>>();
  /** The checks of each message beside its model calls. */
  private readonly besides = new WeakMap<object, Promise<void>>();
  /** The same, by model call. */
  private readonly parallel = new WeakMap<CallbackContext, Promise<unknown>>();
  private readonly texts = new WeakMap<CallbackContext, string>();

  constructor(
    owner: string,
    { inputGuardrails = [], outputGuardrails = [], toolGuardrails = [] }: GuardrailOptions,
    private readonly pieces: 'hold' | 'check' | 'show',
    /** False where the messages of a runner are checked before they are stored. */
    private readonly checksMessages: boolean,
  ) {
    requireGuardrails(owner, { inputGuardrails, outputGuardrails, toolGuardrails });
    this.inputs = inputGuardrails;
    this.outputs = outputGuardrails;
    this.results = toolGuardrails.filter(checksTexts);
    this.calls = toolGuardrails
      .filter(checksCalls)
      .map((guardrail) => ({ guardrail, isWatched: namePattern(owner, guardrail.tools ?? '*') }));
  }

  async beforeModel(request: ModelRequest, context: CallbackContext): Promise<undefined> {
    const { userContent, laterMessages } = context;
    if (userContent === undefined || this.inputs.length === 0) return;
    const messages = [userContent, ...laterMessages];
    if (this.checksMessages)
      for (const message of messages) await this.checkBefore(message, request, context);
    const beside = this.inputs.filter(({ runInParallel }) => runInParallel === true);
    if (beside.length > 0) this.runBeside(messages, beside, request, context);
  }

  async onModelPiece(
    piece: ModelResponse,
    context: CallbackContext,
  ): Promise<ModelResponse | false | undefined> {
    await this.parallel.get(context);
    if (this.outputs.length === 0 || this.pieces === 'show') return undefined;
    if (this.pieces === 'hold' || callsIn(piece.content).length > 0) return false;
    const text = (this.texts.get(context) ?? '') + textOf(piece.content);
    this.texts.set(context, text);
    for (const guardrail of this.outputs)
      if ((await judge(guardrail, text, 'output', context)) !== text) return false;
    return undefined;
  }

  async afterModel(response: ModelResponse, context: CallbackContext): Promise<ModelResponse | undefined> {
    await this.parallel.get(context);
    const { content } = response;
    if (content === undefined) return undefined;
    const safe = await checkedContent(content, this.outputs, 'output', context);
    const whole = await checkedOutputs(safe, this.outputs, context);
    return whole === content ? undefined : { ...response, content: whole };
  }

  /** A call that was cancelled because its message was refused fails with the refusal. */
  async onModelError(_error: unknown, _request: ModelRequest, context: CallbackContext): Promise<undefined> {
    await this.parallel.get(context);
  }

  async checkTool(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<Deny | undefined> {
    return this.judgeCall(tool, 'tool call', context, (guardrail) =>
      guardrail.checkCall?.(tool, args, context),
    );
  }

  async afterTool(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: ToolContext,
  ): Promise<unknown> {
    const refused = await this.judgeCall(tool, 'tool result', context, (guardrail) =>
      guardrail.checkResult?.(tool, result, context),
    );
    if (refused !== undefined) return refused;
    if (this.results.length === 0) return undefined;
    const texts = new Map<string, string>();
    for (const text of textsIn(result))
      texts.set(text, await judgeAll(this.results, text, 'tool result', context));
    const safe = redactJson(result, (text) => texts.get(text) ?? text);
    return safe === result ? undefined : safe;
  }

  /** The first refusal of a tool's guardrails. @throws {GuardrailTrippedError} if it ends the run */
  private async judgeCall(
    tool: Tool,
    where: Where,
    context: ToolContext,
    check: (guardrail: ToolGuardrail) => Reply<Deny>,
  ): Promise<Deny | undefined> {
    for (const { guardrail, isWatched } of this.calls) {
      if (!isWatched(tool.name)) continue;
      const verdict = await decided(guardrail, () => check(guardrail));
      const refused = refusal(guardrail, verdict, where, context);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  private async checkBefore(
    message: Content,
    request: ModelRequest,
    context: CallbackContext,
  ): Promise<void> {
    const first = this.inputs.filter(({ runInParallel }) => runInParallel !== true);
    const safe = await this.once(message, () => checkedContent(message, first, 'input', context));
    if (safe !== message)
      request.contents = request.contents.map((one) => (isSame(one, message) ? safe : one));
  }

  /** A run that calls a model several times checks its message once. */
  private once(message: Content, check: () => Promise<Content>): Promise<Content> {
    let checked = this.checked.get(message);
    if (checked === undefined) this.checked.set(message, (checked = check()));
    return checked;
  }

  private runBeside(
    messages: readonly Content[],
    guardrails: readonly Guardrail[],
    request: ModelRequest,
    context: CallbackContext,
  ): void {
    const done = Promise.all(messages.map((one) => this.checkBeside(one, guardrails, context)));
    this.parallel.set(context, done);
    const abandoned = new AbortController();
    request.signal = AbortSignal.any([request.signal, abandoned.signal]);
    done.catch((error: unknown) => {
      abandoned.abort(error);
    });
  }

  private checkBeside(
    message: Content,
    guardrails: readonly Guardrail[],
    context: CallbackContext,
  ): Promise<void> {
    let done = this.besides.get(message);
    if (done === undefined) {
      done = checkedContent(message, guardrails, 'input', context).then((safe) => {
        if (safe !== message) throw replacesTooLate(guardrails);
      });
      this.besides.set(message, done);
    }
    return done;
  }
}

/**
 * Guardrails for all agents of a runner. A message is checked before it is stored. A refusal ends the run with an event
 * `GUARDRAIL_TRIPPED`; the refused answer or result is not stored. Register it before other plugins: what a callback behind
 * it puts in the place of an answer is not checked.
 */
export class GuardrailsPlugin extends Plugin {
  readonly name: string = 'guardrails';
  private readonly callbacks: GuardrailCallbacks;
  private readonly storesRefused: boolean;
  private readonly inputs: readonly Guardrail[];
  /** The refusals of messages, by run. */
  private readonly refused = new Map<string, GuardrailTrippedError>();

  /** @throws {PluginOptionInvalidError} */
  constructor(options: GuardrailsPluginOptions) {
    super();
    const owner = 'GuardrailsPlugin';
    checkPluginOptions(owner, options, OPTIONS);
    const { inputGuardrails = [], pieces = 'hold', storeRefused = false } = options;
    this.callbacks = new GuardrailCallbacks(owner, options, pieces, false);
    this.inputs = inputGuardrails.filter(({ runInParallel }) => runInParallel !== true);
    this.storesRefused = storeRefused;
  }

  override async onUserMessage(message: Content, context: CallbackContext): Promise<Content | undefined> {
    try {
      const safe = await checkedContent(message, this.inputs, 'input', context);
      return safe === message ? undefined : safe;
    } catch (error) {
      if (!(error instanceof GuardrailTrippedError)) throw error;
      this.refused.set(context.invocationId, error);
      return this.storesRefused ? undefined : withoutTexts(message, error.tripwire);
    }
  }

  override beforeRun({ invocationId }: CallbackContext): undefined {
    this.endIfRefused(invocationId);
  }

  /** A message of a live session comes while its run goes on, so it ends here. */
  private endIfRefused(invocationId: string): void {
    const refused = this.refused.get(invocationId);
    if (refused !== undefined) throw refused;
  }

  override afterRun(_end: RunEnd, { invocationId }: ReadonlyContext): void {
    this.refused.delete(invocationId);
  }

  override beforeModel(request: ModelRequest, context: CallbackContext): Reply<ModelResponse> {
    this.endIfRefused(context.invocationId);
    return this.callbacks.beforeModel(request, context);
  }

  override onModelPiece(piece: ModelResponse, context: CallbackContext): Reply<ModelResponse | false> {
    return this.callbacks.onModelPiece(piece, context);
  }

  override afterModel(response: ModelResponse, context: CallbackContext): Reply<ModelResponse> {
    return this.callbacks.afterModel(response, context);
  }

  override onModelError(
    error: unknown,
    request: ModelRequest,
    context: CallbackContext,
  ): Reply<ModelResponse> {
    return this.callbacks.onModelError(error, request, context);
  }

  override checkTool(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<Deny | undefined> {
    return this.callbacks.checkTool(tool, args, context);
  }

  override afterTool(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    result: unknown,
    context: ToolContext,
  ): Promise<unknown> {
    return this.callbacks.afterTool(tool, args, result, context);
  }
}

/**
 * The callbacks of an agent's own guardrails; none if it has none.
 *
 * @throws {PluginOptionInvalidError}
 */
export function guardrailsOf(agentName: string, options: GuardrailOptions): AgentCallbacks[] {
  const { inputGuardrails, outputGuardrails, toolGuardrails } = options;
  const isGuarded = (inputGuardrails ?? outputGuardrails ?? toolGuardrails) !== undefined;
  return isGuarded ? [new GuardrailCallbacks(`The agent "${agentName}"`, options, 'hold', true)] : [];
}

interface WatchedTools {
  readonly guardrail: ToolGuardrail;
  readonly isWatched: (tool: string) => boolean;
}

/** True for a guardrail that checks each text in a result; one with `checkResult` checks the result as a whole. */
function checksTexts(guardrail: ToolGuardrail | Guardrail): guardrail is Guardrail {
  return 'check' in guardrail && !('checkResult' in guardrail);
}

function checksCalls(guardrail: ToolGuardrail | Guardrail): guardrail is ToolGuardrail {
  return 'checkCall' in guardrail || 'checkResult' in guardrail;
}

function requireGuardrails(owner: string, options: Required<GuardrailOptions>): void {
  for (const [option, list] of Object.entries(options)) {
    const guardrails: unknown = list;
    const isList = Array.isArray(guardrails) && guardrails.every((one) => isGuardrail(one, option));
    if (isList) continue;
    const wanted = option === 'toolGuardrails' ? '{ name, checkCall }' : '{ name, check }';
    throw new PluginOptionInvalidError(
      owner,
      `its ${option} is not a list of guardrails. Pass a list of ${wanted}; onTripwire is 'end' or 'deny'.`,
    );
  }
}

function isGuardrail(value: unknown, option: string): boolean {
  const guardrail = Object(value) as Partial<Guardrail & ToolGuardrail>;
  const { name, onTripwire, check, checkCall, checkResult } = guardrail;
  if (typeof name !== 'string' || name === '' || ![undefined, 'end', 'deny'].includes(onTripwire))
    return false;
  const checks: unknown[] = option === 'toolGuardrails' ? [check, checkCall, checkResult] : [check];
  return checks.some((one) => typeof one === 'function');
}

/** The content with checked texts, the same object if nothing changed. Answers and thoughts are checked apart. */
async function checkedContent(
  content: Content,
  guardrails: readonly Guardrail[],
  where: Where,
  context: CallbackContext,
): Promise<Content> {
  const { parts = [] } = content;
  if (guardrails.length === 0) return content;
  const groups = [
    parts.filter((part) => part.thought !== true),
    parts.filter((part) => part.thought === true),
  ];
  const replaced = new Map<Part, string>();
  for (const group of groups) {
    const texts = group.filter(({ text }) => text !== undefined && text !== '');
    const text = texts.map((part) => part.text).join('');
    const safe = text === '' ? '' : await judgeAll(guardrails, text, where, context);
    if (safe !== text)
      for (const [index, part] of texts.entries()) replaced.set(part, index === 0 ? safe : '');
  }
  if (replaced.size === 0) return content;
  return { ...content, parts: parts.map((part) => ({ ...part, ...textIn(replaced, part) })) };
}

/** The content with checked outputs of calls, which a model gives by a tool that cannot answer with a schema beside tools. */
async function checkedOutputs(
  content: Content,
  guardrails: readonly Guardrail[],
  context: CallbackContext,
): Promise<Content> {
  if (guardrails.length === 0) return content;
  const { parts = [] } = content;
  const agent = ReadonlyContext.agentOf(context);
  const replaced = new Map<Part, FunctionCall>();
  for (const part of callsIn(content)) {
    const text = outputTextIn(agent, part.functionCall);
    if (text === undefined) continue;
    const safe = await judgeAll(guardrails, text, 'output', context);
    if (safe !== text) replaced.set(part, withOutput(agent, part.functionCall, safe));
  }
  if (replaced.size === 0) return content;
  const checked = parts.map((part) => {
    const functionCall = replaced.get(part);
    return functionCall === undefined ? part : { ...part, functionCall };
  });
  return { ...content, parts: checked };
}

function callsIn(content: Content | undefined): (Part & { readonly functionCall: FunctionCall })[] {
  return (content?.parts ?? []).filter(
    (part): part is Part & { functionCall: FunctionCall } => part.functionCall !== undefined,
  );
}

/** @throws {CallbackFailedError} if what the guardrails made of the output is no JSON */
function withOutput(agent: AgentNode, call: FunctionCall, text: string): FunctionCall {
  try {
    return withOutputText(agent, call, text);
  } catch (error) {
    throw CallbackFailedError.from(
      'check of the output guardrails, whose text is not the JSON of an answer',
      error,
    );
  }
}

function textIn(replaced: ReadonlyMap<Part, string>, part: Part): Pick<Part, 'text'> {
  const text = replaced.get(part);
  return text === undefined ? {} : { text };
}

/** The text as the last guardrail leaves it. @throws {GuardrailTrippedError} */
async function judgeAll(
  guardrails: readonly Guardrail[],
  text: string,
  where: Where,
  context: CallbackContext,
): Promise<string> {
  let safe = text;
  for (const guardrail of guardrails) safe = await judge(guardrail, safe, where, context);
  return safe;
}

async function judge(
  guardrail: Guardrail,
  text: string,
  where: Where,
  context: CallbackContext,
): Promise<string> {
  const verdict: unknown = await decided(guardrail, () => guardrail.check(text, context));
  if (verdict === undefined || verdict === null) return text;
  if (typeof verdict === 'string') return verdict;
  if (Deny.is(verdict)) throw tripped(guardrail, verdict, where, context);
  throw wrongVerdict(guardrail, verdict, 'another text, ');
}

/** @throws {CallbackFailedError} for a check that throws, whose guardrail then fails closed */
async function decided(guardrail: { readonly name: string }, check: () => unknown): Promise<unknown> {
  try {
    return await check();
  } catch (error) {
    throw CallbackFailedError.from(labelOf(guardrail), error);
  }
}

/** What a `Deny` of a tool's guardrail leads to. @throws {GuardrailTrippedError} if it ends the run */
function refusal(
  guardrail: ToolGuardrail,
  verdict: unknown,
  where: Where,
  context: ToolContext,
): Deny | undefined {
  if (verdict === undefined || verdict === null) return undefined;
  if (!Deny.is(verdict)) throw wrongVerdict(guardrail, verdict, '');
  const error = tripped(guardrail, verdict, where, context);
  if (guardrail.onTripwire === 'deny') return verdict;
  throw error;
}

function tripped(
  { name: guardrail, onTripwire }: Pick<Guardrail, 'name' | 'onTripwire'>,
  { reason }: Deny,
  where: Where,
  { logger, agentName: agent, invocationId }: CallbackContext,
): GuardrailTrippedError {
  logger.info('a guardrail was tripped', { guardrail, where, reason, agent, invocationId });
  const mayAnswerAgain = where === 'output' && onTripwire === 'deny';
  return new GuardrailTrippedError({ guardrail, where, reason }, mayAnswerAgain);
}

function wrongVerdict(
  guardrail: { readonly name: string },
  verdict: unknown,
  text: string,
): CallbackFailedError {
  const wanted = `Return new Deny(reason), ${text}or nothing.`;
  return new CallbackFailedError(labelOf(guardrail), `it returned ${kindOf(verdict)}. ${wanted}`);
}

function replacesTooLate(guardrails: readonly Guardrail[]): CallbackFailedError {
  const [first = { name: '' }] = guardrails;
  const fault = 'it returned another text, but runs beside the model call. Remove runInParallel.';
  return new CallbackFailedError(labelOf(first), fault);
}

function labelOf({ name }: { readonly name: string }): string {
  return `check of the guardrail "${name}"`;
}

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}

function isSame(content: Content, message: Content): boolean {
  return (
    content === message || (content.role === 'user' && isSameJson(content.parts ?? [], message.parts ?? []))
  );
}

function withoutTexts(message: Content, { guardrail }: Tripwire): Content {
  const answers = (message.parts ?? []).filter(({ functionResponse }) => functionResponse !== undefined);
  return { ...message, parts: [{ text: `[refused by the guardrail "${guardrail}"]` }, ...answers] };
}

function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsIn(one);
}
