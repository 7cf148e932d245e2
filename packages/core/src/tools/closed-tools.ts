import type { AdornError } from '@adorn/schema';
import { shareClass } from '../metadata/shared-class.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { Tool } from './tool.js';
import type { Toolset } from './toolsets/toolset.js';

/** Tools that were opened together. */
export interface OpenTools {
  /** Their place among all that the agent has opened, from 1: the order of the declarations. */
  readonly place: number;
  /** The names of the tools, in the order of their declarations. */
  readonly names: readonly string[];
}

/** Tools that the model may call once it has called the function that opens them: a toolbox, or tools that are searched. */
export abstract class ClosedTools {
  static {
    shareClass(this, 'ClosedTools');
  }

  /** The name in diagrams, and in the state of the session. */
  abstract readonly name: string;
  /** The function that the model is offered in place of the tools. */
  abstract readonly openingTool: Tool;
  /** The tools that are known when the runner is created. */
  abstract readonly tools: readonly Tool[];

  /** The toolsets whose tools are closed too. Default: none. */
  get toolsets(): readonly Toolset[] {
    return NO_TOOLSETS;
  }

  /** The name of the function. */
  get opener(): string {
    return this.openingTool.name;
  }

  /** The tools that are open in a conversation, by their places. A name that no tool has any more is passed over. */
  abstract opened(context: InvocationContext): readonly OpenTools[];

  /** True if the model may call this tool now. */
  abstract isOpen(context: InvocationContext, toolName: string): boolean;

  /** What a call of a tool that is not open is answered with. */
  abstract closedError(toolName: string): AdornError;

  /** What a call of a tool that does not exist is told besides. Default: nothing. */
  hintFor(_context: InvocationContext, _toolName: string): string | undefined {
    return undefined;
  }
}

const NO_TOOLSETS: readonly Toolset[] = Object.freeze([]);
