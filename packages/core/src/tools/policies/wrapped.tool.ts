import {
  type ApproverFacts,
  type ApproverRule,
  type ApproverRules,
  checkedRule,
} from '../../approvals/approver-rule.js';
import type { FunctionDeclaration } from '../../events/genai-types.js';
import type { ReadonlyContext } from '../../run/callback-context.js';
import {
  type Arguments,
  copyJson,
  type OptionFault,
  optionNames,
  present,
  shown,
  unknownOption,
} from '@adorn/schema';
import { shareClass } from '../../metadata/shared-class.js';
import type { ModelRequest } from '../../models/model.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { ProviderTool } from '../builtin/provider.tools.js';
import {
  type Asked,
  type Confirmation,
  type ConfirmationPredicate,
  toConfirmation,
} from '../tool-requests.js';
import { checkTraits, toolOptionsFault } from '../check-tool-options.js';
import { ToolConfigInvalidError, type ToolError } from '../errors.js';
import { isLangChainTool, type LangChainTool, langChainTool } from '../third-party/langchain.tool.js';
import type { ToolContext } from '../tool-context.js';
import { type RunsCode, Tool } from '../tool.js';
import { TOOL_OPTION_NAMES } from '../tool-options.js';
import { namesOthers, type ToolTraits } from '../tool-traits.js';
import type { ToolUi } from '../tool-ui.js';
import { ToolExpectedError } from './errors.js';

/** The options of {@link withOptions}. All are optional. */
export interface WrapperOptions extends Pick<
  ToolTraits,
  'background' | 'cache' | 'longRunning' | 'once' | 'retry' | 'timeout'
> {
  /**
   * Asks a person in addition to the tool's own questions: `true`, the hint to show, or a function of the arguments that
   * decides for each call. A wrapper cannot remove a confirmation.
   */
  readonly confirm?: true | string | ConfirmationPredicate<[args: Arguments, context: ToolContext]>;
  /**
   * Who may answer the confirmations of its calls, in addition to what the tool says: an approver fulfils both. A function gets
   * the arguments, the context and `{ requester }`. If others are named, each call asks.
   */
  readonly approvers?:
    ApproverRule | ((args: Arguments, context: ToolContext, facts: ApproverFacts) => Awaitable<ApproverRule>);
}

type Confirm = NonNullable<WrapperOptions['confirm']>;

/** The options of `withOptions`. */
export const WRAPPER_OPTION_NAMES = optionNames<WrapperOptions>({
  approvers: true,
  background: true,
  cache: true,
  confirm: true,
  longRunning: true,
  once: true,
  retry: true,
  timeout: true,
});

/**
 * A tool whose options are replaced by these, for tools that another package made. Options that are left out stay as they
 * are; `confirm` is added to the tool's own. Calls are still validated, confirmed and authorised first.
 *
 * @example
 * withOptions(search, { timeout: 120_000, cache: { scope: 'user' }, confirm: 'Search the web?' })
 * @throws {ToolExpectedError} if it is neither a `Tool` nor a tool of LangChain
 * @throws {ToolConfigInvalidError} if an option is invalid or contradicts the tool, such as a `cache` of a destructive one
 */
export function withOptions(tool: Tool | LangChainTool, options: WrapperOptions): Tool {
  const inner = requireTool(tool);
  requireObject(options, inner.name);
  const unknown = unknownOption(options, WRAPPER_OPTION_NAMES);
  if (unknown !== undefined) throw new ToolConfigInvalidError(inner.name, unknown.fault, unknown.cure);
  return new WrappedTool(inner, options);
}

function requireTool(tool: unknown): Tool {
  if (tool instanceof ProviderTool) {
    throw new ToolConfigInvalidError(
      tool.name,
      "the model's provider runs it, so withOptions has no effect on it",
      'List the tool without the wrapper.',
    );
  }
  if (tool instanceof Tool) return tool;
  if (isLangChainTool(tool)) return langChainTool(tool);
  throw new ToolExpectedError(tool);
}

/** A tool with some options replaced. Everything else is the inner tool's, so wrapping removes no gate. */
export class WrappedTool extends Tool implements Required<Omit<Tool, 'reconcile' | 'runAgent' | 'undo'>> {
  static {
    shareClass(this, 'WrappedTool');
  }

  private readonly confirm: Confirm | undefined;
  private readonly ownApprovers: WrapperOptions['approvers'];
  private readonly ownOnce: boolean;

  constructor(
    readonly inner: Tool,
    { confirm, approvers, ...traits }: WrapperOptions,
  ) {
    super({ ...inner.traits, ...stated(traits), name: inner.name });
    checkTraits(present({ approvers }), inner.name);
    this.ownApprovers = approvers;
    this.ownOnce = traits.once !== undefined;
    this.confirm = confirm ?? (namesOthers(present({ approvers })) ? true : undefined);
    if (confirm !== undefined) requireConfirm(confirm, inner.name);
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

  override get mayAskFirst(): boolean {
    return this.confirm !== undefined || this.inner.mayAskFirst;
  }

  override get asksByArguments(): boolean {
    return typeof this.confirm === 'function' || this.inner.asksByArguments;
  }

  override async confirmation(args: Arguments, context: ToolContext): Promise<Confirmation | undefined> {
    const { confirm, name } = this;
    const asked = await this.inner.confirmation(args, context);
    if (confirm === undefined) return asked;
    const wanted = typeof confirm === 'function' ? await confirm(copyJson(args), context) : confirm;
    return stricter(asked, wanted, name);
  }

  override async approversOf(args: Arguments, context: ToolContext): Promise<ApproverRules> {
    const { ownApprovers } = this;
    const rules = await this.inner.approversOf(args, context);
    if (ownApprovers === undefined) return rules;
    if (typeof ownApprovers !== 'function') return [...rules, ownApprovers];
    const { requester } = context;
    return [...rules, checkedRule(await ownApprovers(copyJson(args), context, { requester }), this.name)];
  }

  override onceKeyOf(args: Arguments, context: ToolContext): Awaitable<unknown> {
    return this.ownOnce ? super.onceKeyOf(args, context) : this.inner.onceKeyOf(args, context);
  }

  override rememberKeyOf(args: Arguments, context: ToolContext): Promise<string | undefined> {
    return this.inner.rememberKeyOf(args, context);
  }

  override isIdempotent(args: Arguments, context: ToolContext): Awaitable<unknown> {
    return this.inner.isIdempotent(args, context);
  }

  validate(args: Arguments, context: ToolContext): Awaitable<void> {
    return this.inner.validate?.(args, context);
  }

  failureIn(result: unknown): ToolError | undefined {
    return this.inner.failureIn?.(result);
  }

  settled(context: ToolContext): Awaitable<void> {
    return this.inner.settled?.(context);
  }

  /** Includes the wrapper's fixed hint, because an approval covers what the person has read. */
  override get definition(): unknown {
    const { definition } = this.inner;
    return typeof this.confirm === 'string' ? [definition, this.confirm] : definition;
  }

  processRequest(request: ModelRequest, context: ReadonlyContext): Awaitable<void> {
    return this.inner.processRequest?.(request, context);
  }

  override get runsCode(): RunsCode | undefined {
    return this.inner.runsCode;
  }

  override get takesLiveInput(): boolean {
    return this.inner.takesLiveInput;
  }

  override get undo(): Tool | undefined {
    return this.inner.undo;
  }

  override get ui(): ToolUi | undefined {
    return this.inner.ui;
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

/**
 * The first fault of the options of `withOptions`, whatever tool they are for: one that does not exist, or has an invalid value.
 *
 * @param unknown the options that are set to something that is not known, and are not checked. Default: all are known
 */
export function wrapperOptionsFault(
  options: object,
  unknown: ReadonlySet<string> = new Set(),
): OptionFault | undefined {
  const { confirm, approvers, ...traits }: WrapperOptions = options;
  const set = stated(traits);
  const ofTool = [...TOOL_OPTION_NAMES].filter((name) => !Object.hasOwn(set, name));
  return (
    unknownOption(options, WRAPPER_OPTION_NAMES) ??
    toolOptionsFault(set, new Set([...unknown, ...ofTool])) ??
    toolOptionsFault({ approvers }, unknown) ??
    (confirm === undefined || unknown.has('confirm') ? undefined : confirmFault(confirm))
  );
}

/** The options that are set: one that is undefined counts as left out. */
function stated(traits: ToolTraits): ToolTraits {
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
}

function requireObject(options: unknown, toolName: string): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return;
  throw new ToolConfigInvalidError(
    toolName,
    `the options of withOptions are ${shown(options)}`,
    'Pass an object, such as { timeout: 5000 }.',
  );
}

function requireConfirm(confirm: unknown, toolName: string): void {
  const found = confirmFault(confirm);
  if (found) throw new ToolConfigInvalidError(toolName, found.fault, found.cure);
}

function confirmFault(confirm: unknown): OptionFault | undefined {
  if (confirm === true || typeof confirm === 'function' || (typeof confirm === 'string' && confirm !== ''))
    return undefined;
  return {
    fault: `the confirm of a wrapper is ${shown(confirm)}`,
    cure: 'Pass true, a hint, or a function; to run without confirmation, leave it out.',
  };
}

/** Asks if the tool or the wrapper asks, with the wrapper's hint if it has one. */
function stricter(base: Confirmation | undefined, asked: Asked, toolName: string): Confirmation | undefined {
  const own = toConfirmation(asked, toolName);
  return own === undefined || asked === true ? (base ?? own) : own;
}
