import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';
import { schemaInPlace } from '../absent.js';
import { under } from '../refusal.js';
import { isReference } from '../type-name.js';
import type { SchemaWriter } from '../schema-writer.js';

/** Whether the type is an array, or an interface or class that extends one. */
export function isArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || (type.getBaseTypes() ?? []).some((base) => isArray(base, checker));
}

export function arraySchema(type: ts.Type, node: ts.TypeNode | undefined, schemas: SchemaWriter): JsonSchema {
  const element = elementOf(type, schemas.world.checker);
  if (element === undefined) return { type: 'array' };
  return { type: 'array', items: under('[]', () => schemaInPlace(element, elementNode(node), schemas)) };
}

/** The type of an array's elements; undefined where the type is no array. */
export function elementOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (isReference(type) && checker.isArrayType(type)) return checker.getTypeArguments(type)[0];
  return isArray(type, checker) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
}

/** Where the element is written: in `X[]`, `readonly X[]`, `Array<X>` and `ReadonlyArray<X>`. */
export function elementNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isParenthesizedTypeNode(node)) return elementNode(node.type);
  if (ts.isTypeOperatorNode(node)) return elementNode(node.type);
  if (ts.isArrayTypeNode(node)) return node.elementType;
  const named = ts.isTypeReferenceNode(node) && /^(Readonly)?Array$/.test(node.typeName.getText());
  return named ? node.typeArguments?.[0] : undefined;
}
