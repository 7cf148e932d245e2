import type { AuthConfig } from '../auth/auth-config.js';
import { withGuardedCredential } from '../auth/guarded-credential.js';
import type { FunctionDeclaration } from '../content/genai-types.js';
import type { ReadonlyContext } from '../invocation/callback-context.js';
import type { ModelRequest } from '../models/model.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Arguments, UnknownArguments } from '../schema/argument-check.js';
import { checkTraits } from './check-tool-options.js';
import { type Confirmation, toConfirmation } from './confirmation.js';
import type { ToolContext } from './tool-context.js';

/** What a tool does to the world; shown to people. A destructive one asks before it runs. */
export type ToolEffect = 'read' | 'write' | 'destructive';

/** How the calls of a tool are handled; the same for every kind of tool. */
export interface ToolTraits {
  /** What the tool does to the world. `destructive` asks for confirmation unless `confirm` says otherwise. */
  readonly effect?: ToolEffect;
  /** The credential a call needs; it is in `context.credential` when the tool runs. */
  readonly auth?: AuthConfig | undefined;
  /** What a run returns is a handle, and the result arrives in a later message. Default: false. */
  readonly longRunning?: boolean;
  /** Milliseconds a run may take; `Infinity` waits for ever. Default: 30,000; none where it is long-running. */
  readonly timeout?: number;
  /**
   * Milliseconds that each check before a run may take: validation, `confirm`, the credential store. `Infinity` waits
   * for ever. Default: 30,000.
   */
  readonly checkTimeout?: number;
  /** Runs alone, not beside the other calls of its turn. Default: false. */
  readonly sequential?: boolean;
  /** Tells the model the message of whatever is thrown. Default: false, only that of a `ToolError`. */
  readonly exposeErrors?: boolean;
  /** What is done about arguments that the tool does not have. Default: as the run says, and that is `refuse`. */
  readonly unknownArguments?: UnknownArguments;
  /** The longest result the model sees, in bytes of JSON; a longer one is cut and kept as an artifact. Default: 65,536. */
  readonly maxResultBytes?: number;
}

/**
 * Something a model may call. The dispatcher knows nothing else: methods, functions, agents and remote tools are
 * all of this class.
 */
export abstract class Tool {
  /** What the model calls it; unique among an agent's tools. */
  abstract readonly name: string;
  abstract readonly description: string;

  readonly traits: ToolTraits;

  /** @throws {ToolConfigInvalidError} at a limit that is no number or negative, and at a choice that does not exist */
  constructor(traits: ToolTraits & { readonly name?: string } = {}) {
    checkTraits(traits, traits.name);
    this.traits = withGuardedCredential(traits);
  }

  /**
   * Finds what the declaration needs and only a wait can give. It is called before the tool is offered, more than
   * once where several agents have the tool.
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

  /** The question to ask before this very call, if it has to be asked: a destructive tool asks, unless it overrides this. */
  confirmation(_args: Arguments, _context: ToolContext): Awaitable<Confirmation | undefined> {
    return this.traits.effect === 'destructive' ? toConfirmation(true, this.name) : undefined;
  }

  /**
   * Checks what the schema cannot say, before anybody is asked whether the call may run.
   *
   * @throws {ToolArgumentsInvalidError}
   */
  validate?(args: Arguments, context: ToolContext): Awaitable<void>;

  /** What a person approves besides the arguments, as JSON: an approval is void once any of it changes. */
  get definition(): unknown {
    return [this.name, this.description, this.declaration() ?? null, this.traits.effect ?? null];
  }

  /** Called before every model call of an agent that has the tool; its declaration is in the request already. */
  processRequest?(request: ModelRequest, context: ReadonlyContext): Awaitable<void>;

  /** Whether the compiler made the schema, and has seen that it is one. */
  get isDerived(): boolean {
    return false;
  }

  /** Arguments whose defaults its code fills in itself: they are left out of a call that leaves them out. */
  get ownDefaults(): ReadonlySet<string> {
    return NONE;
  }

  /** Where the tool was written, for errors that name it. */
  get origin(): string {
    return this.constructor.name;
  }
}

const NONE: ReadonlySet<string> = new Set();
