import type { JsonSchema } from '@adorn/core';

import { ts } from '../typescript.js';
import { isUnwritten } from './data-member.js';
import type { Direction, SchemaWriter } from './schema-writer.js';
import { orNull } from './kinds/union-schema.js';

/** True if a value may be missing: it may be `undefined`, or JSON.stringify omits it. */
export function mayBeAbsent(type: ts.Type, direction: Direction): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.some((member) => isAbsent(member) || (direction === 'out' && isUnwritten(member)));
}

function isAbsent(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

/** True if no value of the type is ever written to JSON. */
export function isNeverWritten(type: ts.Type, direction: Direction): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => isAbsent(member) || (direction === 'out' && isUnwritten(member)));
}

/** The schema of a list element or of a result: JSON.stringify writes null if it is undefined. */
export function schemaInPlace(
  type: ts.Type,
  node: ts.TypeNode | undefined,
  schemas: SchemaWriter,
): JsonSchema {
  if (schemas.direction === 'in') return schemas.schemaOf(type, node);
  if (isNeverWritten(type, 'out')) return { type: 'null' };
  const schema = schemas.schemaOf(type, node);
  return mayBeAbsent(type, 'out') ? orNull([schema]) : schema;
}
