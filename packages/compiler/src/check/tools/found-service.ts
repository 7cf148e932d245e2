import type { ts } from '../../typescript.js';
import type { FoundTool, ToolFault } from './found-tool.js';

/** A class with the tools that it offers, inherited ones too. */
export interface FoundService {
  readonly name: string;
  readonly node: ts.ClassLikeDeclaration;
  readonly tools: readonly FoundTool[];
  /** Why nothing can be derived of the class as a whole. */
  readonly faults: readonly ToolFault[];
}
