import type { JsonSchema } from '@adorn/core';
import { getDefaultArgs, JsonSchemaGenerator } from 'typescript-json-schema';

import type { ts } from '../typescript.js';

/** Internal methods of typescript-json-schema's generator that are replaced. */
interface GeneratorInternals {
  getTypeDefinition(type: ts.Type, ...rest: readonly unknown[]): JsonSchema;
  parseCommentsIntoDefinition(): void;
}

/** Returns the schema of a type, or undefined to leave it to typescript-json-schema. */
export type SchemaOverride = (type: ts.Type) => JsonSchema | undefined;

/**
 * The generator of typescript-json-schema, with `override` called first for every type, nested types included. Its
 * reading of comments is disabled, because it would load files that tags name.
 */
export function stockGenerator(
  checker: ts.TypeChecker,
  override: SchemaOverride,
): (type: ts.Type) => JsonSchema {
  const settings = {
    ...getDefaultArgs(),
    ref: false,
    required: true,
    noExtraProps: true,
    strictNullChecks: true,
  };
  const internals = new JsonSchemaGenerator(
    [],
    {},
    {},
    {},
    checker,
    settings,
  ) as unknown as GeneratorInternals;
  const stock = internals.getTypeDefinition.bind(internals);
  internals.parseCommentsIntoDefinition = () => undefined;
  internals.getTypeDefinition = (type, ...rest) => override(type) ?? stock(type, ...rest);
  return (type) => internals.getTypeDefinition(type);
}
