import type { JsonSchema } from '@adorn/core';

import type { DocComment, Words } from '../docs/doc-comment.js';
import { isObject } from '../schema/type-name.js';
import type { TypeSchemas } from '../schema/type-schemas.js';
import { ts } from '../typescript.js';
import type { Constant } from '../source/constant.js';
import { jsonConstantOf } from '../source/json-constant.js';
import { refuseUntyped } from './extract-parameter.js';
import { stepsOf, withWordsAt } from './property-words.js';
import { refuseUnresolved } from './refuse-unresolved.js';

/** A destructured parameter: its properties are the arguments. */
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
  const described = [...words.params].reduce(
    (schema, [path, about]) => withArgumentWords(schema, stepsOf(path), about),
    schemas.objectSchema(type),
  );
  const called = withWholeDefault(described, parameter, checker);
  return isDestructured(parameter) ? withDefaults(called, parameter.name, checker) : called;
}

/** `@param from` and `@param options.from` both speak of the property `from`: it has a name, its object none. */
function withArgumentWords(schema: JsonSchema, steps: readonly string[], words: Words): JsonSchema {
  const described = withWordsAt(schema, steps, words);
  return described === schema && steps.length > 1 ? withWordsAt(schema, steps.slice(1), words) : described;
}

/** `{ to }: Trip = { to: 'x' }` stands for a call without arguments, so what it has need not be sent. */
function withWholeDefault(
  schema: JsonSchema,
  { initializer }: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
): JsonSchema {
  const whole = initializer && jsonConstantOf(initializer, checker)?.value;
  if (typeof whole !== 'object' || whole === null) return schema;
  const entries = Object.entries(whole as Readonly<Record<string, unknown>>);
  return withOptional(schema, new Map(entries.map(([key, value]) => [key, { value }])));
}

/** `{ to = 'x' }` makes `to` optional, whatever its type says. */
function withDefaults(
  schema: JsonSchema,
  pattern: ts.ObjectBindingPattern,
  checker: ts.TypeChecker,
): JsonSchema {
  const defaults = new Map<string, Constant | undefined>();
  for (const { propertyName, name, initializer } of pattern.elements) {
    if (initializer !== undefined)
      defaults.set(keyOf(propertyName ?? name), jsonConstantOf(initializer, checker));
  }
  return withOptional(schema, defaults);
}

function keyOf(name: ts.PropertyName | ts.BindingName): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText();
}

/** Demands none of these properties, and tells the defaults that are known. */
function withOptional(schema: JsonSchema, optional: ReadonlyMap<string, Constant | undefined>): JsonSchema {
  const properties = { ...(schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined) };
  for (const [key, constant] of optional) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined && constant !== undefined)
      properties[key] = { ...property, default: constant.value };
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
