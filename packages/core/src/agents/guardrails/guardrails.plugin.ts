import { ANY, BOOLEAN, oneOf, type OptionRules } from '@adorn/schema';
import type { Content } from '../../events/genai-types.js';
import type { Deny, Reply } from '../../gates/callbacks/agent-callbacks.js';
import { checkPluginOptions } from '../../gates/callbacks/plugin-options.js';
import { Plugin, type RunEnd } from '../../gates/callbacks/plugin.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { ModelRequest } from '../../models/model.js';
import type { CallbackContext, ReadonlyContext } from '../../run/callback-context.js';
import type { Tripwire } from '../../run/tripwire.js';
import type { ToolContext } from '../../tools/tool-context.js';
import type { Tool } from '../../tools/tool.js';
import { checkedContent } from './checked-content.js';
import { GuardrailCallbacks } from './guardrail-callbacks.js';
import { type Guardrail, type GuardrailOptions, GuardrailTrippedError } from './guardrail.js';

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

function withoutTexts(message: Content, { guardrail }: Tripwire): Content {
  const answers = (message.parts ?? []).filter(({ functionResponse }) => functionResponse !== undefined);
  return { ...message, parts: [{ text: `[refused by the guardrail "${guardrail}"]` }, ...answers] };
}
