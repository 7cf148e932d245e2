import type { ts } from '../../typescript.js';
import type { FoundTool } from './found-tool.js';

/** An agent as its source declares it. */
export interface FoundAgent {
  /** Its class. */
  readonly name: string;
  readonly node: ts.Node;
  readonly tools: readonly FoundTool[];
  /** How many of the tools are offered only once their box, a class with `@toolbox({ unfold: true })`, is open. */
  readonly boxed: number;
  /** True if it has tools that cannot be read from its source: toolsets, tools of other packages. */
  readonly hasMore: boolean;
  /** As far as their classes can be read from its source. */
  readonly subAgents: readonly FoundAgent[];
}
