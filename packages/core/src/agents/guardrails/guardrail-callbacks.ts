import { isSameJson, redactJson } from '@adorn/schema';
import type { Content } from '../../events/genai-types.js';
import { type AgentCallbacks, type Deny, type Reply } from '../../gates/callbacks/agent-callbacks.js';
import { namePattern, PluginOptionInvalidError } from '../../gates/callbacks/plugin-options.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { ModelRequest } from '../../models/model.js';
import type { CallbackContext } from '../../run/callback-context.js';
import type { ToolContext } from '../../tools/tool-context.js';
import type { Tool } from '../../tools/tool.js';
import { callsIn, checkedContent, checkedOutputs } from './checked-content.js';
import type { Guardrail, GuardrailOptions, ToolGuardrail } from './guardrail.js';
import { decided, judge, judgeAll, refusal, replacesTooLate, type Where } from './verdict.js';

/** The callbacks that check what models are told and say, and what tools are given and return. */
export class GuardrailCallbacks implements AgentCallbacks {
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

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}

function isSame(content: Content, message: Content): boolean {
  return (
    content === message || (content.role === 'user' && isSameJson(content.parts ?? [], message.parts ?? []))
  );
}

function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* textsIn(one);
}
