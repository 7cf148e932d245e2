import type { JsonSchema } from '@adorn/core';
import type { LeafHydration } from '@adorn/core/compiler';

import type { MadeBy } from '../source/class-transformer.js';
import type { ts } from '../typescript.js';

/** A class whose instance a parameter expects. */
export interface ClassMark {
  readonly kind: 'class';
  readonly name: string | undefined;
  readonly declaration: ts.ClassLikeDeclaration;
  readonly sentAs: Readonly<Record<string, string>>;
  readonly unchecked: readonly string[];
  /** The reason why no instance can be created. */
  readonly obstacle?: string;
}

/** The conversion of a JSON value that its schema does not express. */
type HydrationMark = LeafHydration | ClassMark;

const MARK = Symbol('hydration');
const MADE_BY = Symbol('made by');

interface Marked extends JsonSchema {
  readonly [MARK]?: HydrationMark;
  readonly [MADE_BY]?: MadeBy;
}

/** Attaches a conversion to a schema. Marks survive a spread of the schema and are never written to JSON. */
export function marked(schema: JsonSchema, mark: HydrationMark): JsonSchema {
  return { ...schema, [MARK]: mark };
}

export function markOf(schema: JsonSchema): HydrationMark | undefined {
  return (schema as Marked)[MARK];
}

export function madeBy(schema: JsonSchema, maker: MadeBy | undefined): JsonSchema {
  return maker === undefined ? schema : { ...schema, [MADE_BY]: maker };
}

export function makerOf(schema: JsonSchema): MadeBy | undefined {
  return (schema as Marked)[MADE_BY];
}

/** A copy in JSON, without marks. */
export function withoutMarks<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
