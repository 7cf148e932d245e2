import type { ReadonlyContext } from '../invocation/callback-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Tool } from './tool.js';

/** Tools that are known only at run time: asked for before each model call. */
export abstract class Toolset {
  /** The tools for this user and state. Called often, so cache what does not change. */
  abstract listTools(context: ReadonlyContext): Awaitable<readonly Tool[]>;

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
