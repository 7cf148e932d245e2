import type { AdornError, JsonSchema } from '@adorn/core';

import type { Callable } from '../../extract/callable.js';
import type { ts } from '../../typescript.js';
import type { ToolOverride } from './tool-override.js';

/** Something the model has to send, and where it is written. */
export interface FoundParameter {
  readonly name: string;
  readonly node: ts.Node;
  readonly schema: JsonSchema;
}

/** The declaration of a tool, as far as the source determines it. */
export interface FoundDeclaration {
  readonly description: string;
  readonly parametersJsonSchema: JsonSchema;
  readonly responseJsonSchema?: JsonSchema;
}

/** A tool as its source declares it. */
export interface FoundTool {
  /** As the model calls it. */
  readonly name: string;
  /** As people know it: `Orders.find`. */
  readonly origin: string;
  readonly node: ts.Node;
  /** The source of the derivation; absent for a member that cannot be a tool. */
  readonly callable?: Callable;
  /** Absent where it cannot be derived, or is known only when the program runs. */
  readonly declaration?: FoundDeclaration;
  readonly parameters: readonly FoundParameter[];
  /** Why nothing can be derived. */
  readonly faults: readonly ToolFault[];
  /** Its results may steer the model. */
  readonly untrusted?: boolean;
  /** Its calls are confirmed where the model may have been steered. */
  readonly sensitive?: boolean;
  /** Present if `@tool` marks a method that overrides a tool. */
  readonly override?: ToolOverride;
}

export interface ToolFault {
  readonly node: ts.Node;
  readonly error: AdornError;
}
