import type { JsonSchema } from '@adorn/core';
import type { DerivedParameter } from '@adorn/core/compiler';

import type { DocComment } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import { elementOf } from '../schema/kinds/array-schema.js';
import { isErrorType } from '../schema/error-type.js';
import type { SchemaWriter } from '../schema/schema-writer.js';
import { withWords } from '../schema/words/with-words.js';
import { ts } from '../typescript.js';
import { jsonConstantOf } from '../source/json-constant.js';
import { injectedKind } from './injected-kind.js';
import { stepsOf, withWordsAt } from './property-words.js';
import { refuseUnresolved } from './refuse-unresolved.js';

/** One argument of the tool, as the model sees it. */
export interface Argument {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export interface ExtractedParameter {
  readonly source: DerivedParameter;
  /** Absent for injected parameters. */
  readonly argument?: Argument;
}

/**
 * Where one parameter gets its value, and the schema of what the model has to send for it.
 *
 * @throws Refusal where its type has no form in JSON, or none is written.
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
export function refuseUntyped(
  parameter: ts.ParameterDeclaration,
  type: ts.Type,
  schemas: SchemaWriter,
): void {
  if (parameter.type !== undefined || isErrorType(type) || !saysNothing(type, schemas.world.checker)) return;
  throw schemas.refuse(
    type,
    'it has no type, and a tool method without types has no schema.',
    'Write its type, or "unknown" for any JSON.',
  );
}

/** `any`, and what a default of `null` or `[]` alone says. */
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

/** Whether a list of the type is never empty, as of `...both: [string, number]`. */
function hasElements(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isTupleType(type) && ((type as ts.TypeReference).target as ts.TupleType).minLength > 0;
}

function defaulted(
  schema: JsonSchema,
  { initializer }: { initializer?: ts.Expression },
  checker: ts.TypeChecker,
): { schema: JsonSchema } {
  const constant = initializer && jsonConstantOf(initializer, checker);
  if (constant === undefined) return { schema };
  return { schema: { ...schema, default: constant.value } };
}

/** `@param options.limit Text` speaks of a property of an object that is written in place. */
function withNestedWords(schema: JsonSchema, name: string, { params }: DocComment): JsonSchema {
  return [...params].reduce((result, [path, words]) => {
    const [first, ...steps] = stepsOf(path);
    return first === name && steps.length > 0 ? withWordsAt(result, steps, words) : result;
  }, schema);
}
