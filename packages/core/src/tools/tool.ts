import { type ApproverRules, checkedRule, NO_RULES } from '../approvals/approver-rule.js';
import { withGuardedCredential } from '../auth/auth-credential.js';
import type { FunctionDeclaration } from '../events/genai-types.js';
import type { Event } from '../events/event.js';
import type { ReadonlyContext } from '../run/callback-context.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { copyJson, type Arguments } from '@adorn/schema';
import { shareClass } from '../metadata/shared-class.js';
import type { ModelRequest } from '../models/model.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { checkTraits } from './check-tool-options.js';
import { type Confirmation, toConfirmation } from './tool-requests.js';
import type { ToolError } from './errors.js';
import type { ToolContext } from './tool-context.js';
import { namesOthers, onceOf, type ToolTraits } from './tool-traits.js';
import type { ToolUi } from './tool-ui.js';

/** How a tool runs code that stands in an answer of the model, rather than in a call. */
export interface RunsCode {
  /** The languages, the default first. */
  readonly languages: readonly string[];
  /** True if it also runs fenced blocks in the text. */
  readonly blocks: boolean;
}

/** The key that a function returned. An empty one would be that of all calls. */
export function keyIn(returned: unknown): string | undefined {
  return typeof returned === 'string' && returned !== '' ? returned : undefined;
}

/** The run of the calling agent, for a tool that runs an agent. */
export interface AgentCaller {
  readonly invocation: InvocationContext;
  /** Yields an event to the caller of the runner. Resolves when the caller has taken it. */
  emit(event: Event): Promise<void>;
}

/**
 * Something a model may call. The dispatcher knows nothing else: methods, functions, agents and remote tools are
 * all of this class.
 */
export abstract class Tool {
  static {
    shareClass(this, 'Tool');
  }

  /** The name that the model calls; unique among an agent's tools. */
  abstract readonly name: string;
  /** Shown to the model: when to call the tool, and what it returns. */
  abstract readonly description: string;

  /** How its calls run: confirmation, authentication, policies and so on. */
  readonly traits: ToolTraits;

  /** @throws {ToolConfigInvalidError} if an option does not exist, has an invalid value or contradicts another */
  constructor(traits: ToolTraits & { readonly name?: string } = {}) {
    checkTraits(traits, traits.name);
    this.traits = withGuardedCredential(traits);
  }

  /**
   * Loads what the declaration needs. Called before the tool is offered; once per agent that has the tool.
   */
  ready?(): Awaitable<void>;

  /** The declaration sent to the model; undefined for a tool that only changes requests and is never called. */
  abstract declaration(): FunctionDeclaration | undefined;

  /**
   * Does the work. An async generator yields progress and returns the result.
   *
   * @param args checked against the declaration; part of the log, so they are never changed in place
   */
  abstract run(args: Arguments, context: ToolContext): unknown;

  /**
   * Runs an agent in place of {@link run}.
   *
   * @internal
   */
  runAgent?(args: Arguments, context: ToolContext, caller: AgentCaller): Promise<unknown>;

  /** False if {@link confirmation} asks about no call. */
  get mayAskFirst(): boolean {
    return this.traits.effect === 'destructive' || namesOthers(this.traits);
  }

  /** True if {@link confirmation} decides by the arguments of a call. Default: true if the class has one of its own. */
  get asksByArguments(): boolean {
    return this.confirmation !== Tool.prototype.confirmation;
  }

  /**
   * The question to ask before this call; undefined to run it without asking. Default: a destructive tool asks, and one whose
   * `approvers` are others.
   */
  confirmation(_args: Arguments, _context: ToolContext): Awaitable<Confirmation | undefined> {
    return this.mayAskFirst ? toConfirmation(true, this.name) : undefined;
  }

  /**
   * Who may answer a confirmation of this call: all of these rules hold. Called with the arguments that a person is shown, and
   * again with those that the call runs with.
   *
   * @returns by default what the option `approvers` says; empty without it
   * @throws {ApproversInvalidError} if a function returned no rule; the call does not run
   */
  async approversOf(args: Arguments, context: ToolContext): Promise<ApproverRules> {
    const { approvers } = this.traits;
    if (approvers === undefined) return NO_RULES;
    if (typeof approvers !== 'function') return [approvers];
    const values = [copyJson(args), context, { requester: context.requester }];
    return [checkedRule(await Reflect.apply(approvers, undefined, values), this.name)];
  }

  /**
   * Which later calls an approval of this call for the session covers: those with the same key. By default what the option
   * `remember` says.
   *
   * @returns an empty key for all calls of the tool; undefined if it covers none
   */
  async rememberKeyOf(args: Arguments, context: ToolContext): Promise<string | undefined> {
    const { remember } = this.traits;
    if (remember === undefined) return '';
    if (remember === false) return undefined;
    return keyIn(await Reflect.apply(remember, undefined, [copyJson(args), context]));
  }

  /**
   * True if two runs of this call have the effect of one. Called before the call runs again. If the option
   * `idempotent` is a function, it gets a copy of the arguments and the context.
   *
   * @param context of the same call, without its credential
   */
  isIdempotent(args: Arguments, context: ToolContext): Awaitable<unknown> {
    const { idempotent } = this.traits;
    return typeof idempotent === 'function'
      ? Reflect.apply(idempotent, undefined, [copyJson(args), context])
      : idempotent;
  }

  /**
   * The key of the effect of this call: what `once` returns for a copy of the arguments and the context.
   *
   * @param context of the same call
   */
  onceKeyOf(args: Arguments, context: ToolContext): Awaitable<unknown> {
    const { key } = onceOf(this.traits) ?? {};
    return key && Reflect.apply(key, undefined, [copyJson(args), context]);
  }

  /**
   * Checks arguments beyond the schema, before confirmation is asked.
   *
   * @throws {ToolArgumentsInvalidError}
   */
  validate?(args: Arguments, context: ToolContext): Awaitable<void>;

  /**
   * Checks whether an earlier run of the same call took effect, whose process ended before the result was stored. The
   * key of the call is `context.idempotencyKey`.
   *
   * @returns the result of that run; undefined if it had no effect, and the tool may run now
   */
  reconcile?(args: Arguments, context: ToolContext): unknown;

  /**
   * The failure that a returned result stands for, such as a response of a service that is busy: `retry` repeats the run as if
   * it had thrown this error, and the result of the last attempt is the result of the call. Such a result is not cached.
   *
   * @returns undefined for any other result
   */
  failureIn?(result: unknown): ToolError | undefined;

  /**
   * Called when a call that had waited for a person has its outcome, and does not run again: to release what an earlier
   * run of it holds, such as an open request to a server. Called after a rejection and a cancellation too, where `run` is
   * not called. Not called if nobody answers, or another process settles the call: a resource needs a time limit as well.
   * What it throws is logged.
   */
  settled?(context: ToolContext): Awaitable<void>;

  /** The part of the definition that an approval covers, as JSON. An approval is void once it changes. */
  get definition(): unknown {
    return [this.name, this.description, this.declaration() ?? null, this.traits.effect ?? null];
  }

  /** Called before every model call of an agent that has the tool; its declaration is in the request already. */
  processRequest?(request: ModelRequest, context: ReadonlyContext): Awaitable<void>;

  /**
   * Set if the tool runs the code in answers of the model: its arguments are then `code` and, if there are several
   * languages, `language`.
   *
   * @internal
   */
  get runsCode(): RunsCode | undefined {
    return undefined;
  }

  /**
   * The tool that undoes a call of this one: it gets `of`, the call, and `result`. No model is offered it; see `runner.undo`.
   * Undefined if nothing undoes it.
   */
  get undo(): Tool | undefined {
    return undefined;
  }

  /** The page that shows its calls, and who may call it (MCP Apps). Undefined for a tool that models alone call. */
  get ui(): ToolUi | undefined {
    return undefined;
  }

  /** True if the compiler derived, and so validated, the schema. */
  get isDerived(): boolean {
    return false;
  }

  /** Arguments whose defaults the tool's code sets itself; they are not added to the arguments. */
  get ownDefaults(): ReadonlySet<string> {
    return NONE;
  }

  /**
   * True if the tool listens to what the user sends (`LiveInput`): in a live session it runs beside the conversation, like
   * a background tool.
   */
  get takesLiveInput(): boolean {
    return false;
  }

  /** The class, method or function of the tool, for error messages. */
  get origin(): string {
    return this.constructor.name;
  }
}

const NONE: ReadonlySet<string> = new Set();
