import { AdornError, type JsonSchema } from '@adorn/core';

import { type Named, onlyOneNamed } from '../../extract/find-classes.js';
import type { Callable } from '../../extract/callable.js';
import type { ts } from '../../typescript.js';
import type { ToolOverride } from './tool-override.js';

/** A parameter of a tool, and its node. */
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
  /** The faults that prevent a derivation. */
  readonly faults: readonly ToolFault[];
  /** Optional members of parameter types that are functions, which the schema leaves out: `Options.onDone`. */
  readonly omitted?: ReadonlySet<string>;
  /** Its results may steer the model. */
  readonly untrusted?: boolean;
  /** Its calls are confirmed where the model may have been steered. */
  readonly sensitive?: boolean;
  /** Its results must not leave. */
  readonly confidential?: boolean;
  /** Its calls hand their arguments to others. */
  readonly outside?: boolean;
  /** `destructive` or `sensitive`, if it is one of these and does not say who may approve its calls. */
  readonly unapproved?: 'destructive' | 'sensitive';
  /** Present if `@tool` marks a method that overrides a tool. */
  readonly override?: ToolOverride;
}

export interface ToolFault {
  readonly node: ts.Node;
  readonly error: AdornError;
}

/** An agent as its source declares it. */
export interface FoundAgent {
  /** Its class. */
  readonly name: string;
  readonly node: ts.Node;
  readonly tools: readonly FoundTool[];
  /** How many of the tools are offered only once their box, a class with `@toolbox({ unfold: true })`, is open, or a search has found them. */
  readonly boxed: number;
  /** True if it has tools that cannot be read from its source: agents, toolsets, tools of other packages. */
  readonly hasMore: boolean;
  /** As far as their classes can be read from its source. */
  readonly subAgents: readonly FoundAgent[];
  /** Its `instruction`, unless that follows the conversation, behind a `staticInstruction`. */
  readonly instruction?: FoundInstruction;
}

/** The instruction of an agent, which is sent before the conversation. */
export interface FoundInstruction {
  readonly node: ts.Node;
  /** The pieces of its text around the placeholders; undefined for a function. */
  readonly pieces: readonly string[] | undefined;
}

/** A class with the tools that it offers, inherited ones too. */
export interface FoundService {
  readonly name: string;
  readonly node: ts.ClassLikeDeclaration;
  readonly tools: readonly FoundTool[];
  /** The faults that prevent the derivation of the whole class. */
  readonly faults: readonly ToolFault[];
}

/** The fault of a declaration whose name is already taken in its file, so that it is not found at run time. */
export function nameFaults(one: Named, kind: string, all: readonly Named[]): ToolFault[] {
  try {
    onlyOneNamed(one, kind, all.slice(0, all.indexOf(one)));
    return [];
  } catch (error) {
    if (!AdornError.is(error)) throw error;
    return [{ node: one.node, error }];
  }
}
