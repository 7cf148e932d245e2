import type { AuthConfig } from '../auth/auth-config.js';
import type { AuthCredential } from '../auth/auth-credential.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { ReadonlyContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Tool } from './tool.js';

/** The view of an invocation that a toolset is listed with. */
export class ToolsetContext extends ReadonlyContext {
  /** @param credential the credential the toolset's `auth` asked for; it prints, and turns into JSON, without its secret */
  constructor(
    invocation: InvocationContext,
    agent: AgentNode,
    readonly credential?: AuthCredential,
  ) {
    super(invocation, agent);
  }
}

/** Tools that are known only at run time: asked for before each model call. */
export abstract class Toolset {
  /**
   * The credential that listing needs; it is in `context.credential`. Until the user has given it the model is not asked.
   * Tools state their own `auth`.
   */
  readonly auth?: AuthConfig;

  /**
   * The tools for this user and state. Called often, so cache what does not change. A `CredentialRejectedError` has the
   * stored credential deleted, so that the next run asks for another.
   */
  abstract listTools(context: ToolsetContext): Awaitable<readonly Tool[]>;

  /** Called when the runner is closed. */
  close(): Awaitable<void> {
    // A toolset that holds nothing has nothing to let go.
  }
}

/** A list of tools as a toolset. */
export class StaticToolset extends Toolset {
  private readonly tools: Tool[];

  constructor(tools: Iterable<Tool> = []) {
    super();
    this.tools = [...tools];
  }

  push(...tools: Tool[]): void {
    this.tools.push(...tools);
  }

  listTools(): readonly Tool[] {
    return this.tools;
  }
}
