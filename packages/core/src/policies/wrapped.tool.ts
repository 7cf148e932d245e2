import type { FunctionDeclaration } from '../content/genai-types.js';
import type { ReadonlyContext } from '../invocation/callback-context.js';
import { copyJson } from '../json/json-value.js';
import { shareClass } from '../metadata/shared-class.js';
import type { ModelRequest } from '../models/model.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import type { Arguments } from '../schema/argument-check.js';
import { ProviderTool } from '../tools/builtin/provider.tools.js';
import { shown } from '../tools/check-tool-options.js';
import {
  type Asked,
  type Confirmation,
  type ConfirmationPredicate,
  toConfirmation,
} from '../tools/tool-requests.js';
import { ToolConfigInvalidError } from '../tools/errors.js';
import { isLangChainTool, type LangChainTool, langChainTool } from '../tools/third-party/langchain.tool.js';
import type { ToolContext } from '../tools/tool-context.js';
import {
  type BackgroundOptions,
  type CacheOptions,
  type RetryOptions,
  Tool,
  type ToolTraits,
} from '../tools/tool.js';
import { ToolExpectedError } from './errors.js';

/**
 * Wraps a tool with another time limit for its runs.
 *
 * @param milliseconds replaces the tool's own limit; `Infinity` for no limit
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if the limit is negative or not a number
 */
export function withTimeout(tool: Tool | LangChainTool, milliseconds: number): Tool {
  return new WrappedTool(requireTool('withTimeout', tool), { timeout: milliseconds });
}

/**
 * Wraps a tool with a result cache, like the option `cache`: equal calls are answered from it. Calls are still confirmed
 * and authorised first.
 *
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if an option is invalid, or the tool has the effect `write` or `destructive`
 */
export function withCache(tool: Tool | LangChainTool, options: CacheOptions = {}): Tool {
  return new WrappedTool(requireTool('withCache', tool), { cache: options });
}

/**
 * Wraps a tool so that failed runs are repeated, like the option `retry`. Confirmation is asked once, before the first
 * attempt.
 *
 * @param retry the number of attempts, the first included, or options
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if an option is invalid, or repeating the tool is not safe and `unsafe` is not set
 */
export function withRetry(tool: Tool | LangChainTool, retry: number | RetryOptions): Tool {
  return new WrappedTool(requireTool('withRetry', tool), { retry });
}

/**
 * Wraps a tool so that its runs do not hold up the turn, like the option `background`. Calls are still confirmed and
 * authorised before they are answered as running.
 *
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if an option is invalid, or the tool is `longRunning` or `sequential`
 */
export function withBackground(tool: Tool | LangChainTool, options: BackgroundOptions = {}): Tool {
  return new WrappedTool(requireTool('withBackground', tool), { background: options });
}

/**
 * Wraps a tool so that its result is a handle, like the option `longRunning`: the run pauses, and the result arrives in a
 * later message. The model is told not to call the tool again while it waits.
 *
 * @param longRunning `{ announce: true }` has the model speak before the pause. Default: true.
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if the option is invalid, or the tool has a `cache` or runs in the `background`
 */
export function withLongRunning(
  tool: Tool | LangChainTool,
  longRunning: NonNullable<ToolTraits['longRunning']> = true,
): Tool {
  return new WrappedTool(requireTool('withLongRunning', tool), { longRunning });
}

/**
 * Wraps a tool so that a person confirms its calls before they run, in addition to the tool's own confirmations.
 *
 * @param confirm `true`, the hint to show, or a function of the arguments that decides for each call. Default: true.
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if `confirm` is something else, such as false: a wrapper cannot remove a confirmation
 */
export function withConfirmation(
  tool: Tool | LangChainTool,
  confirm: true | string | ConfirmationPredicate<[args: Arguments, context: ToolContext]> = true,
): Tool {
  return new ConfirmedTool(requireTool('withConfirmation', tool), confirm);
}

function requireTool(wrapper: string, tool: unknown): Tool {
  if (tool instanceof ProviderTool) {
    throw new ToolConfigInvalidError(
      tool.name,
      `the model's provider runs it, so ${wrapper} has no effect on it`,
      'List the tool without the wrapper.',
    );
  }
  if (tool instanceof Tool) return tool;
  if (isLangChainTool(tool)) return langChainTool(tool);
  throw new ToolExpectedError(wrapper, tool);
}

/** A tool with some traits overridden. Everything else is the inner tool's, so wrapping removes no gate. */
export class WrappedTool extends Tool implements Required<Omit<Tool, 'reconcile' | 'runAgent'>> {
  static {
    shareClass(this, 'WrappedTool');
  }

  /** @param traits override those of the inner tool */
  constructor(
    readonly inner: Tool,
    traits: ToolTraits,
  ) {
    super({ ...inner.traits, ...traits, name: inner.name });
    // A tool with `runAgent` runs again after a crash, so a wrapper has `runAgent` only if the inner tool has it.
    const runAgent = inner.runAgent?.bind(inner);
    if (runAgent !== undefined) this.runAgent = runAgent;
    const reconcile = inner.reconcile?.bind(inner);
    if (reconcile !== undefined) this.reconcile = reconcile;
  }

  get name(): string {
    return this.inner.name;
  }

  get description(): string {
    return this.inner.description;
  }

  ready(): Awaitable<void> {
    return this.inner.ready?.();
  }

  declaration(): FunctionDeclaration | undefined {
    return this.inner.declaration();
  }

  run(args: Arguments, context: ToolContext): unknown {
    return this.inner.run(args, context);
  }

  override confirmation(args: Arguments, context: ToolContext): Awaitable<Confirmation | undefined> {
    return this.inner.confirmation(args, context);
  }

  override isIdempotent(args: Arguments, context: ToolContext): Awaitable<unknown> {
    return this.inner.isIdempotent(args, context);
  }

  validate(args: Arguments, context: ToolContext): Awaitable<void> {
    return this.inner.validate?.(args, context);
  }

  override get definition(): unknown {
    return this.inner.definition;
  }

  processRequest(request: ModelRequest, context: ReadonlyContext): Awaitable<void> {
    return this.inner.processRequest?.(request, context);
  }

  override get isDerived(): boolean {
    return this.inner.isDerived;
  }

  override get ownDefaults(): ReadonlySet<string> {
    return this.inner.ownDefaults;
  }

  override get origin(): string {
    return this.inner.origin;
  }
}

type Confirm = true | string | ConfirmationPredicate<[args: Arguments, context: ToolContext]>;

class ConfirmedTool extends WrappedTool {
  constructor(
    inner: Tool,
    private readonly confirm: Confirm,
  ) {
    super(inner, {});
    const given: unknown = confirm;
    if (given === true || typeof given === 'function' || (typeof given === 'string' && given !== '')) return;
    throw new ToolConfigInvalidError(
      inner.name,
      `withConfirmation was called with ${shown(given)}`,
      'Pass true, a hint, or a function; to run without confirmation, do not wrap the tool.',
    );
  }

  override confirmation(args: Arguments, context: ToolContext): Awaitable<Confirmation | undefined> {
    const { confirm, name } = this;
    const base = super.confirmation(args, context);
    if (typeof confirm === 'function') return this.ask(confirm, base, args, context);
    return isPromiseLike(base)
      ? base.then((asked) => stricter(asked, confirm, name))
      : stricter(base, confirm, name);
  }

  private async ask(
    confirm: Exclude<Confirm, true | string>,
    base: Awaitable<Confirmation | undefined>,
    args: Arguments,
    context: ToolContext,
  ): Promise<Confirmation | undefined> {
    const asked = await base;
    return stricter(asked, await confirm(copyJson(args), context), this.name);
  }

  /** Includes the wrapper's fixed hint, because an approval covers what the person has read. */
  override get definition(): unknown {
    const { definition } = this.inner;
    return typeof this.confirm === 'string' ? [definition, this.confirm] : definition;
  }
}

/** Asks if the tool or the wrapper asks, with the wrapper's hint if it has one. */
function stricter(base: Confirmation | undefined, asked: Asked, toolName: string): Confirmation | undefined {
  const own = toConfirmation(asked, toolName);
  return own === undefined || asked === true ? (base ?? own) : own;
}
