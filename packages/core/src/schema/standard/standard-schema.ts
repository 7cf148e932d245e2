import type { StandardSchemaV1 } from '@standard-schema/spec';

import type { JsonSchema } from '../json-schema.js';

/** A schema of any library that keeps to Standard Schema, such as zod, valibot or arktype. */
export type StandardSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output>;

/** A handwritten schema: JSON Schema, or a schema of a library. */
export type ExplicitSchema = JsonSchema | StandardSchema;

/** The output of a library's schema. */
export type OutputOf<Schema extends StandardSchema> = StandardSchemaV1.InferOutput<Schema>;

export function isStandardSchema(schema: ExplicitSchema): schema is StandardSchema {
  const standard = '~standard' in schema ? (schema['~standard'] as Partial<StandardSchema['~standard']>) : {};
  return typeof standard.validate === 'function';
}
