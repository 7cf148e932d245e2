import type { JsonSchema } from '@adorn/core';

import type { ts } from '../typescript.js';
import type { Refusal } from './refusal.js';
import type { CheckerContext } from './checker-context.js';

/** `in`: an argument from the model. `out`: a result, as JSON.stringify writes it. */
export type Direction = 'in' | 'out';

/** Writes the schemas of types. Writers of one kind of type use it for the types inside. */
export interface SchemaWriter {
  readonly world: CheckerContext;
  readonly direction: Direction;
  /**
   * The schema of a type. `node` is where the type is written, if that is known: it tells the order of a union
   * and the words of an alias, which the type alone forgets.
   *
   * @throws Refusal where JSON has no form for the type.
   */
  schemaOf(type: ts.Type, node?: ts.TypeNode): JsonSchema;
  /** Notes a member that is left out of the schema because it is a function: `Options.onDone`. */
  omit(member: string): void;
  /** The refusal of a type, to be thrown: why, and what to write instead. */
  refuse(type: ts.Type, reason: string, cure: string): Refusal;
}
