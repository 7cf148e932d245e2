import type { JsonSchema } from '@adorn/core';
import type { LeafHydration } from '@adorn/core/compiler';

import type { MadeBy } from '../source/class-transformer.js';
import type { ts } from '../typescript.js';

/** What is known of a class of which an instance is promised. */
export interface ClassMark {
  readonly kind: 'class';
  readonly name: string | undefined;
  readonly declaration: ts.ClassLikeDeclaration;
  readonly sentAs: Readonly<Record<string, string>>;
  readonly unchecked: readonly string[];
  /** Why no instance can be made of it. */
  readonly obstacle?: string;
}

/** What has to be made of a value besides what its schema says. */
type HydrationMark = LeafHydration | ClassMark;

const MARK = Symbol('hydration');
const MADE_BY = Symbol('made by');

interface Marked extends JsonSchema {
  readonly [MARK]?: HydrationMark;
  readonly [MADE_BY]?: MadeBy;
}

/** Notes on a schema what its type promises beyond it. Notes go where the schema is spread, and never into JSON. */
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

/** As JSON has it. */
export function withoutMarks<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
