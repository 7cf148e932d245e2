import type { JsonSchema } from '@adorn/core';

import { constantOf } from '../../source/constant.js';
import { propertyOf } from '../../source/property-of.js';
import { ts } from '../../typescript.js';

/** What `@tool`, `defineTool` or `@param` were told, as far as the source says it. */
export interface ToldOptions {
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  readonly schema?: JsonSchema;
  /** Whether a schema is given that only running the program would tell. */
  readonly hidesSchema: boolean;
}

export function toldOptions(options: ts.Expression | undefined, checker: ts.TypeChecker): ToldOptions {
  const [name, description] = ['name', 'description'].map((key) => textOf(options, key, checker));
  const parameters = schemaOf(options, 'parameters', checker);
  const schema = schemaOf(options, 'schema', checker);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(schema !== undefined && { schema }),
    hidesSchema: parameters === undefined && propertyOf(options, 'parameters', checker) !== undefined,
  };
}

function textOf(
  options: ts.Expression | undefined,
  key: string,
  checker: ts.TypeChecker,
): string | undefined {
  const value = valueOf(options, key, checker);
  return typeof value === 'string' ? value : undefined;
}

function schemaOf(
  options: ts.Expression | undefined,
  key: string,
  checker: ts.TypeChecker,
): JsonSchema | undefined {
  const value = valueOf(options, key, checker);
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;
}

function valueOf(options: ts.Expression | undefined, key: string, checker: ts.TypeChecker): unknown {
  const property = propertyOf(options, key, checker);
  if (property === undefined || ts.isMethodDeclaration(property)) return undefined;
  return constantOf(property, checker)?.value;
}
