import type { JsonSchema } from '@adorn/core';
import type { DerivedTool } from '@adorn/core/compiler';

import { schemaInPlace } from '../schema/absent.js';
import { isUnwritten } from '../schema/data-member.js';
import { Refusal } from '../schema/refusal.js';
import { TagRefusal } from '../schema/words/tag-refusal.js';
import { TypeSchemas } from '../schema/type-schemas.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { ts } from '../typescript.js';
import { checkedSchema } from './checked-schema.js';
import { withDefinitions } from './with-definitions.js';

const STREAMS = new Set([
  'AsyncGenerator',
  'AsyncIterable',
  'AsyncIterableIterator',
  'AsyncIteratorObject',
  'Generator',
]);

const SAYS_NOTHING =
  ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;

/** The schemas of what a method or function gives back; what JSON cannot hold is left out and never an error. */
export function extractResponse(
  callable: ts.SignatureDeclaration,
  world: CheckerContext,
): Pick<DerivedTool, 'responseJsonSchema' | 'yieldJsonSchema'> {
  const { checker } = world;
  const returned = checker.getSignatureFromDeclaration(callable)?.getReturnType();
  if (returned === undefined) return {};
  const value = checker.getAwaitedType(returned) ?? returned;
  if (!STREAMS.has((value.symbol as ts.Symbol | undefined)?.name ?? '')) {
    return named('responseJsonSchema', schemaOf(value, resultNode(callable), world));
  }
  const [yields, returns] = checker.getTypeArguments(value as ts.TypeReference);
  return {
    ...named('yieldJsonSchema', schemaOf(yields, undefined, world)),
    ...named('responseJsonSchema', schemaOf(returns, undefined, world)),
  };
}

function schemaOf(
  type: ts.Type | undefined,
  node: ts.TypeNode | undefined,
  world: CheckerContext,
): JsonSchema | undefined {
  if (type === undefined || type.flags & SAYS_NOTHING || isUnwritten(type)) return undefined;
  const schemas = new TypeSchemas(world, 'out');
  try {
    const schema = schemaInPlace(type, node, schemas);
    return checkedSchema(withDefinitions(schema, schemas.definitions));
  } catch (error) {
    if (error instanceof Refusal || error instanceof TagRefusal || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

/** `X` of a written `X` or `Promise<X>`. */
function resultNode({ type }: ts.SignatureDeclaration): ts.TypeNode | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return type;
  return type.typeName.getText() === 'Promise' ? type.typeArguments?.[0] : type;
}

function named<Name extends string>(
  name: Name,
  schema: JsonSchema | undefined,
): Partial<Record<Name, JsonSchema>> {
  return schema === undefined ? {} : ({ [name]: schema } as Record<Name, JsonSchema>);
}
