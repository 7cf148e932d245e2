import { shareClass } from '../metadata/shared-class.js';
import type { ClosedTools } from '../tools/closed-tools.js';
import type { Tool } from '../tools/tool.js';
import type { ToolContext } from '../tools/tool-context.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import type { ToolSource } from './agent.decorator.js';

/** The tools of an agent's closed sources as they are now. */
export interface ClosedListing {
  /** The tools, open or not: the same array while nothing has changed. */
  readonly tools: readonly Tool[];
  /** The classes of toolsets that cannot be listed now, each with the reason. */
  readonly unavailable: readonly string[];
}

/** What closed tools are made of. */
export interface ClosedToolMaterials {
  /** The agent that has the tools. */
  readonly agentName: string;
  /** The tools that are known when the runner is created. */
  readonly tools: readonly Tool[];
  /** The toolsets, which are listed as if they were not closed: with their credential, their time limit and their failures. */
  readonly toolsets: readonly Toolset[];
  /** Lists the tools for a call of the agent. */
  readonly list: (context: ToolContext) => Promise<ClosedListing>;
}

/** Sources whose tools are closed until the model opens them, such as `searchable` of `@adorn/tool-search`. */
export abstract class ClosedToolSource {
  static {
    shareClass(this, 'ClosedToolSource');
  }

  constructor(
    /** The name of the function that made it, for error messages. */
    readonly label: string,
    /** The sources, as in `tools` of an agent. */
    readonly sources: readonly ToolSource[],
  ) {}

  /** The closed tools of one agent. */
  abstract boxOf(materials: ClosedToolMaterials): ClosedTools;
}
