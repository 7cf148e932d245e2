import type { AuthConfig } from '../auth/auth-config.js';
import type { AuthCredential } from '../auth/auth-credential.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { ReadonlyContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Tool } from '../tools/tool.js';
import type { ListingOptions } from './listing.js';

/** The view of an invocation that a toolset is listed with. */
export class ToolsetContext extends ReadonlyContext {
  private controller: AbortController | undefined;
  private stopped: Error | undefined;

  /** @param credential the credential the toolset's `auth` asked for; it prints, and turns into JSON, without its secret */
  constructor(
    invocation: InvocationContext,
    agent: AgentNode,
    readonly credential?: AuthCredential,
  ) {
    super(invocation, agent);
  }

  /** Aborted when the invocation is cancelled or the time limit of the listing is over. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.stopped !== undefined) this.controller.abort(this.stopped);
    }
    return this.controller.signal;
  }

  /**
   * Tells a listing that reads its signal to stop.
   *
   * @internal
   */
  abort(reason: Error): void {
    this.stopped = reason;
    this.controller?.abort(reason);
  }
}

/** Tools that are known only at run time: asked for before each model call. */
export abstract class Toolset {
  /**
   * The credential that listing needs; it is in `context.credential`. Until the user has given it the model is not asked.
   * Tools state their own `auth`.
   */
  readonly auth?: AuthConfig;

  /** How the tools are listed. Default: before each model call, within 30 seconds, and not required. */
  readonly listing?: ListingOptions;

  private changeListeners: Set<() => void> | undefined;

  /**
   * The tools for this user and state. Called before each model call, unless `listing.keepFor` keeps the list. The same
   * `Tool` objects in the same order cost a turn nothing; new objects are checked and compiled again. If it fails, the run
   * goes on without the tools, unless `listing.required` is set. A `CredentialRejectedError` has the stored credential
   * deleted, so that the next run asks for another.
   */
  abstract listTools(context: ToolsetContext): Awaitable<readonly Tool[]>;

  /** Called once when the runner is closed, within 10 seconds, in reverse order of the toolsets. */
  close(): Awaitable<void> {
    // A toolset that holds nothing has nothing to let go.
  }

  /**
   * Calls a listener each time the list has changed.
   *
   * @returns a function that removes the listener
   */
  onChange(listener: () => void): () => void {
    const listeners = (this.changeListeners ??= new Set());
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Says that the list has changed: lists that are kept are dropped, and listeners are called. */
  protected changed(): void {
    const errors: unknown[] = [];
    for (const listener of [...(this.changeListeners ?? [])]) {
      try {
        listener();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

/** A list of tools as a toolset. */
export class StaticToolset extends Toolset {
  private readonly tools: Tool[];

  constructor(tools: Iterable<Tool> = []) {
    super();
    this.tools = [...tools];
  }

  /** Adds tools behind the others, from the next model call on. */
  push(...tools: Tool[]): void {
    this.tools.push(...tools);
    this.changed();
  }

  listTools(): readonly Tool[] {
    return this.tools;
  }
}
