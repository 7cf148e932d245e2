import type { AuthConfig } from '../../auth/auth-config.js';
import type { AuthCredential } from '../../auth/auth-credential.js';
import type { AgentNode } from '../../run/agent-node.js';
import { ReadonlyContext } from '../../run/callback-context.js';
import type { InvocationContext } from '../../run/invocation-context.js';
import { shareClass } from '../../metadata/shared-class.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { Tool } from '../tool.js';
import type { ListingOptions } from './listing.js';

/** The context of a listing. */
export class ToolsetContext extends ReadonlyContext {
  private controller: AbortController | undefined;
  private stopped: Error | undefined;

  /** @param credential the credential that the toolset's `auth` requires; its secret is neither printed nor serialised */
  constructor(
    invocation: InvocationContext,
    agent: AgentNode,
    /** The credential that the toolset's `auth` asks for. Absent if it asks for none. */
    readonly credential?: AuthCredential,
  ) {
    super(invocation, agent);
  }

  /** Aborted when the invocation is cancelled or the time limit of the listing is reached. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.stopped !== undefined) this.controller.abort(this.stopped);
    }
    return this.controller.signal;
  }

  /**
   * Aborts the signal of the listing.
   *
   * @internal
   */
  abort(reason: Error): void {
    this.stopped = reason;
    this.controller?.abort(reason);
  }
}

/** A provider of tools that are known only at run time. It is asked before each model call. */
export abstract class Toolset {
  static {
    shareClass(this, 'Toolset');
  }

  /**
   * The credential that a listing needs: `context.credential`. The model is not called until the user has supplied
   * it. Tools have their own `auth`.
   */
  readonly auth?: AuthConfig;

  /** How the tools are listed. Default: before each model call, within 30 seconds, and not required. */
  readonly listing?: ListingOptions;

  private changeListeners: Set<() => void> | undefined;

  /**
   * Lists the tools for this user and state. Called before each model call, unless `listing.keepFor` keeps the list.
   * Return the same `Tool` objects in the same order if possible: new objects are checked and compiled again. If it
   * fails, the run continues without the tools, unless `listing.required` is set. After a `CredentialRejectedError`
   * the stored credential is deleted, so that the next run asks for another.
   */
  abstract listTools(context: ToolsetContext): Awaitable<readonly Tool[]>;

  /** Called once when the runner is closed, within 10 seconds, in reverse order of the toolsets. */
  close(): Awaitable<void> {
    // Nothing to release by default.
  }

  /**
   * Adds a listener that is called each time the list has changed.
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

  /** Reports that the list has changed: kept lists are dropped, and listeners are called. */
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

  /** Appends tools, which are offered from the next model call on. */
  push(...tools: Tool[]): void {
    this.tools.push(...tools);
    this.changed();
  }

  listTools(): readonly Tool[] {
    return this.tools;
  }
}
