import type { JsonSchema } from '@adorn/core';
import type { DerivedParameter } from '@adorn/core/compiler';

import type { DocComment, Words } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import { isErrorType } from '../schema/refusal.js';
import { elementOf } from '../schema/kinds/array-schema.js';
import type { SchemaWriter } from '../schema/schema-writer.js';
import { isObject } from '../schema/type-name.js';
import type { TypeSchemas } from '../schema/type-schemas.js';
import { withWords } from '../schema/words/with-words.js';
import { type Constant, jsonConstantOf } from '../source/constant.js';
import { ts } from '../typescript.js';
import { injectedKind } from './injected-kind.js';
import { refuseUnresolved } from './refuse-unresolved.js';

/** One argument of the tool, as the model sees it. */
export interface Argument {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

interface ExtractedParameter {
  readonly source: DerivedParameter;
  /** Absent for injected parameters. */
  readonly argument?: Argument;
}

/**
 * Where one parameter gets its value, and the schema of what the model has to send for it.
 *
 * @throws Refusal if its type is missing or has no JSON form.
 */
export function extractParameter(
  parameter: ts.ParameterDeclaration,
  words: DocComment,
  schemas: SchemaWriter,
): ExtractedParameter {
  const { checker } = schemas.world;
  const injected = injectedKind(parameter, checker);
  if (injected !== undefined) return { source: { kind: injected } };
  const type = checker.getTypeAtLocation(parameter);
  const name = nameOf(parameter, type, schemas);
  refuseUntyped(parameter, type, schemas);
  refuseUnresolved(parameter, schemas);
  const shape = withWords(schemas.schemaOf(type, parameter.type), wordsOf([parameter]));
  const described = withWords(withNestedWords(shape, name, words), words.params.get(name));
  const rest = parameter.dotDotDotToken && ({ rest: true } as const);
  return {
    source: { kind: 'argument', name, ...rest },
    argument: {
      name,
      ...defaulted(described, parameter, checker),
      required: isRequired(parameter, type, checker),
    },
  };
}

function nameOf({ name }: ts.ParameterDeclaration, type: ts.Type, schemas: SchemaWriter): string {
  if (ts.isIdentifier(name)) return name.text;
  throw schemas.refuse(
    type,
    'it is taken apart where it stands, so it has no name to send it under.',
    'Give it a name, or make it the only parameter that the model fills in.',
  );
}

/** @throws Refusal for a parameter of a tool method without types. */
function refuseUntyped(parameter: ts.ParameterDeclaration, type: ts.Type, schemas: SchemaWriter): void {
  if (parameter.type || isErrorType(type) || !saysNothing(type, schemas.world.checker)) return;
  throw schemas.refuse(
    type,
    'it has no type, and a tool method without types has no schema.',
    'Write its type, or "unknown" for any JSON.',
  );
}

/** The type `any`, and the types inferred from the defaults `null` and `[]`. */
function saysNothing(type: ts.Type, checker: ts.TypeChecker): boolean {
  const element = elementOf(type, checker);
  const isNever = element !== undefined && (element.flags & ts.TypeFlags.Never) !== 0;
  return isNever || (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
}

function isRequired(parameter: ts.ParameterDeclaration, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (parameter.questionToken ?? parameter.initializer) return false;
  const members = type.isUnion() ? type.types : [type];
  if (parameter.dotDotDotToken) return members.every((member) => hasElements(member, checker));
  return !members.some((member) => member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}

/** True if lists of the type are never empty, as in `...both: [string, number]`. */
function hasElements(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isTupleType(type) && ((type as ts.TypeReference).target as ts.TupleType).minLength > 0;
}

function defaulted(
  schema: JsonSchema,
  { initializer }: { initializer?: ts.Expression },
  checker: ts.TypeChecker,
): { schema: JsonSchema } {
  const constant = initializer && jsonConstantOf(initializer, checker);
  if (!constant) return { schema };
  return { schema: { ...schema, default: constant.value } };
}

/** `@param options.limit Text` describes a property of an inline object type. */
function withNestedWords(schema: JsonSchema, name: string, { params }: DocComment): JsonSchema {
  return [...params].reduce((result, [path, words]) => {
    const [first, ...steps] = stepsOf(path);
    return first === name && steps.length > 0 ? withWordsAt(result, steps, words) : result;
  }, schema);
}

/** A destructured parameter: its properties are the arguments. */
interface DestructuredParameter extends ts.ParameterDeclaration {
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

/** `@param from` and `@param options.from` both describe the destructured property `from`. */
function withArgumentWords(schema: JsonSchema, steps: readonly string[], words: Words): JsonSchema {
  const described = withWordsAt(schema, steps, words);
  return described === schema && steps.length > 1 ? withWordsAt(schema, steps.slice(1), words) : described;
}

/** The properties of a default such as `{ to }: Trip = { to: 'x' }` are optional. */
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

/** `{ to = 'x' }` makes `to` optional, whatever its type is. */
function withDefaults(
  schema: JsonSchema,
  pattern: ts.ObjectBindingPattern,
  checker: ts.TypeChecker,
): JsonSchema {
  const defaults = new Map<string, Constant | undefined>();
  for (const { propertyName, name, initializer } of pattern.elements) {
    if (initializer) defaults.set(keyOf(propertyName ?? name), jsonConstantOf(initializer, checker));
  }
  return withOptional(schema, defaults);
}

function keyOf(name: ts.PropertyName | ts.BindingName): string {
  return ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : name.getText();
}

/** The schema with these properties optional, and with their known defaults. */
function withOptional(schema: JsonSchema, optional: ReadonlyMap<string, Constant | undefined>): JsonSchema {
  const properties = { ...(schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined) };
  for (const [key, constant] of optional) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property && constant) properties[key] = { ...property, default: constant.value };
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

/**
 * Descriptions of parts of an inline object schema: `options.limit`, `options.page.size`, `options.items[].name`.
 * They are merged over the schema; a part with a definition elsewhere has its descriptions there.
 */
function withWordsAt(schema: JsonSchema, path: readonly string[], words: Words): JsonSchema {
  const [name, ...deeper] = path;
  if (name === undefined) return withWords(schema, words);
  if (name === '[]') return within(schema, 'items', deeper, words);
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (!Object.hasOwn(properties, name)) return schema;
  return { ...schema, properties: within(properties, name, deeper, words) };
}

/** `items[].name` as its steps. */
function stepsOf(path: string): string[] {
  return path.replaceAll('[]', '.[]').split('.');
}

function within(
  holder: Readonly<Record<string, unknown>>,
  key: string,
  path: readonly string[],
  words: Words,
): JsonSchema {
  const part = holder[key];
  if (typeof part !== 'object' || part === null) return holder;
  return { ...holder, [key]: withWordsAt(part as JsonSchema, path, words) };
}
