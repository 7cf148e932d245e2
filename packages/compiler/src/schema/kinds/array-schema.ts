import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';
import { schemaInPlace } from '../absent.js';
import { under } from '../refusal.js';
import type { SchemaWriter } from '../schema-writer.js';
import { isReference } from '../type-name.js';

/** True for an array, and for an interface or class that extends one. */
export function isArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || (type.getBaseTypes() ?? []).some((base) => isArray(base, checker));
}

export function arraySchema(type: ts.Type, node: ts.TypeNode | undefined, schemas: SchemaWriter): JsonSchema {
  const element = elementOf(type, schemas.world.checker);
  if (!element) return { type: 'array' };
  return { type: 'array', items: under('[]', () => schemaInPlace(element, elementNode(node), schemas)) };
}

/** The type of an array's elements; undefined if the type is not an array. */
export function elementOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (isReference(type) && checker.isArrayType(type)) return checker.getTypeArguments(type)[0];
  return isArray(type, checker) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
}

/** The type node of the element: in `X[]`, `readonly X[]`, `Array<X>` and `ReadonlyArray<X>`. */
function elementNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (!node) return undefined;
  if (ts.isParenthesizedTypeNode(node)) return elementNode(node.type);
  if (ts.isTypeOperatorNode(node)) return elementNode(node.type);
  if (ts.isArrayTypeNode(node)) return node.elementType;
  const named = ts.isTypeReferenceNode(node) && /^(Readonly)?Array$/.test(node.typeName.getText());
  return named ? node.typeArguments?.[0] : undefined;
}

/** A tuple: its fixed elements as `prefixItems`, and from the first rest element on what any of them may be. */
export function tupleSchema(type: ts.TypeReference, schemas: SchemaWriter): JsonSchema {
  const target = type.target as ts.TupleType;
  const elements = schemas.world.checker.getTypeArguments(type).map((element, index) => ({
    schema: under(`[${String(index)}]`, () => elementSchema(element, target, index, schemas)),
    open: ((target.elementFlags[index] ?? 0) & ts.ElementFlags.Variable) !== 0,
  }));
  const firstOpen = elements.findIndex(({ open }) => open);
  const fixed = firstOpen === -1 ? elements : elements.slice(0, firstOpen);
  return {
    type: 'array',
    ...(fixed.length > 0 && { prefixItems: fixed.map(({ schema }) => schema) }),
    ...(firstOpen !== -1 && { items: oneOfThese(elements.slice(firstOpen).map(({ schema }) => schema)) }),
    ...(target.minLength > 0 && { minItems: target.minLength }),
    ...(firstOpen === -1 && { maxItems: fixed.length }),
  };
}

/** The label of a tuple element is its description, unless it has a better one. */
function elementSchema(
  element: ts.Type,
  target: ts.TupleType,
  index: number,
  schemas: SchemaWriter,
): JsonSchema {
  const declaration = target.labeledElementDeclarations?.[index];
  const node = declaration && ts.isNamedTupleMember(declaration) ? declaration.type : undefined;
  const spread = (target.elementFlags[index] ?? 0) & ts.ElementFlags.Variadic;
  const type = spread
    ? (schemas.world.checker.getIndexTypeOfType(element, ts.IndexKind.Number) ?? element)
    : element;
  const schema = schemaInPlace(type, spread ? undefined : node, schemas);
  const label = declaration?.name.getText();
  return label === undefined || 'description' in schema || '$ref' in schema
    ? schema
    : { ...schema, description: label };
}

function oneOfThese(schemas: readonly JsonSchema[]): JsonSchema {
  return schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas };
}
