import type { JsonSchema } from '@adorn/core';
import type { DerivedTool } from '@adorn/core/compiler';

import { schemaInPlace } from '../schema/absent.js';
import { isUnwritten } from '../schema/data-member.js';
import { Refusal, TagRefusal } from '../schema/refusal.js';
import { TypeSchemas } from '../schema/type-schemas.js';
import type { CheckerContext } from '../schema/checker-context.js';
import { placeOf } from '../source/place.js';
import { TypeNotRepresentableError } from '../errors/errors.js';
import { ts } from '../typescript.js';
import type { Callable } from './callable.js';
import { checkedSchema, withDefinitions } from './finished-schema.js';
import { unwritablePart } from './unwritable-part.js';

const STREAMS = new Set(['AsyncGenerator', 'AsyncIterable', 'AsyncIterableIterator', 'AsyncIteratorObject']);

const SAYS_NOTHING =
  ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;

/**
 * The schemas of what a method or function gives back. A type without a schema, of which a value may be written all the
 * same, is left out.
 *
 * @throws TypeNotRepresentableError for a result that no run could write as JSON
 */
export function extractResponse(
  callable: Callable,
  world: CheckerContext,
): Pick<DerivedTool, 'responseJsonSchema' | 'yieldJsonSchema'> {
  const { checker } = world;
  const { node } = callable;
  const returned = checker.getSignatureFromDeclaration(node)?.getReturnType();
  if (!returned) return {};
  const value = checker.getAwaitedType(returned) ?? returned;
  if (!STREAMS.has((value.symbol as ts.Symbol | undefined)?.name ?? '')) {
    refuseUnwritable(callable, value, world);
    return named('responseJsonSchema', schemaOf(value, resultNode(node), world));
  }
  const [yields, returns] = checker.getTypeArguments(value as ts.TypeReference);
  for (const part of [yields, returns]) if (part) refuseUnwritable(callable, part, world);
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
  if (!type || type.flags & SAYS_NOTHING || isUnwritten(type)) return undefined;
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

function refuseUnwritable(
  { className, name: method, node }: Callable,
  type: ts.Type,
  world: CheckerContext,
): void {
  const found = unwritablePart(type, world);
  if (!found) return;
  const place = {
    ...placeOf(node),
    ...(className !== undefined && { className }),
    method,
    path: found.path,
  };
  throw new TypeNotRepresentableError(
    place,
    world.checker.typeToString(found.type),
    found.reason,
    found.cure,
  );
}

/** `X` of a written `X` or `Promise<X>`. */
function resultNode({ type }: ts.SignatureDeclaration): ts.TypeNode | undefined {
  if (!type || !ts.isTypeReferenceNode(type)) return type;
  return type.typeName.getText() === 'Promise' ? type.typeArguments?.[0] : type;
}

function named<Name extends string>(
  name: Name,
  schema: JsonSchema | undefined,
): Partial<Record<Name, JsonSchema>> {
  return schema ? ({ [name]: schema } as Record<Name, JsonSchema>) : {};
}
