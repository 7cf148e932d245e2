import type { JsonSchema } from '@adorn/core';

import type { DocComment, Words } from '../docs/doc-comment.js';
import { isObject } from '../schema/type-name.js';
import type { TypeSchemas } from '../schema/type-schemas.js';
import { ts } from '../typescript.js';
import { jsonConstantOf } from '../source/json-constant.js';
import { refuseUntyped, withPropertyWords } from './extract-parameter.js';
import { refuseUnresolved } from './refuse-unresolved.js';

/** A parameter that is taken apart where it stands: its properties are the arguments. */
export interface DestructuredParameter extends ts.ParameterDeclaration {
  readonly name: ts.ObjectBindingPattern;
}

export function isDestructured(parameter: ts.ParameterDeclaration): parameter is DestructuredParameter {
  return ts.isObjectBindingPattern(parameter.name) && parameter.dotDotDotToken === undefined;
}

/**
 * The schema of the arguments where one parameter is all of them, as an object.
 *
 * @throws Refusal where its type is no object, or a part of it has no form in JSON.
 */
export function extractWhole(
  parameter: ts.ParameterDeclaration,
  words: DocComment,
  schemas: TypeSchemas,
): JsonSchema {
  const { checker } = schemas.world;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(parameter));
  refuseUntyped(parameter, type, schemas);
  refuseUnresolved(parameter, schemas);
  if (!isObject(type) && !type.isIntersection()) {
    throw schemas.refuse(
      type,
      'the arguments of a call are one object.',
      'Write an object type, or give it a name.',
    );
  }
  const described = propertyWords(words).reduce(
    (schema, [name, about]) => withPropertyWords(schema, name, about),
    schemas.objectSchema(type),
  );
  return isDestructured(parameter) ? withDefaults(described, parameter.name, checker) : described;
}

/** `@param from` and `@param options.from` both speak of the property `from`. */
function propertyWords({ params }: DocComment): [name: string, about: Words][] {
  return [...params].map(([path, about]) => [path.split('.').at(-1) ?? path, about]);
}

/** `{ to = 'x' }` makes `to` optional, whatever its type says. */
function withDefaults(
  schema: JsonSchema,
  pattern: ts.ObjectBindingPattern,
  checker: ts.TypeChecker,
): JsonSchema {
  const properties = { ...(schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined) };
  const optional = new Set<string>();
  for (const { propertyName, name, initializer } of pattern.elements) {
    const key = (propertyName ?? name).getText();
    const property = properties[key];
    if (initializer === undefined || property === undefined) continue;
    optional.add(key);
    const constant = jsonConstantOf(initializer, checker);
    if (constant !== undefined) properties[key] = { ...property, default: constant.value };
  }
  const { required, additionalProperties, ...rest } = schema;
  const still = ((required ?? []) as readonly string[]).filter((name) => !optional.has(name));
  return {
    ...rest,
    properties,
    ...(still.length > 0 && { required: still }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}
