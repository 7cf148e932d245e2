import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';
import { schemaInPlace } from '../absent.js';
import { under } from '../refusal.js';
import type { SchemaWriter } from '../schema-writer.js';

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

/** A label is the only name an element has, so it is its description where nothing better is said. */
function elementSchema(
  element: ts.Type,
  target: ts.TupleType,
  index: number,
  schemas: SchemaWriter,
): JsonSchema {
  const declaration = target.labeledElementDeclarations?.[index];
  const node = declaration !== undefined && ts.isNamedTupleMember(declaration) ? declaration.type : undefined;
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
  return schemas.length === 1 && schemas[0] !== undefined ? schemas[0] : { anyOf: schemas };
}
