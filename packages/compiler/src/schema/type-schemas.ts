import type { JsonSchema } from '@adorn/core';
import { getDefaultArgs, JsonSchemaGenerator } from 'typescript-json-schema';

import type { Words } from '../docs/doc-comment.js';
import { wordsOf } from '../docs/words-of.js';
import { ts } from '../typescript.js';
import type { CheckerContext } from './checker-context.js';
import { Definitions } from './definitions.js';
import { arraySchema, isArray, tupleSchema } from './kinds/array-schema.js';
import { intrinsicSchema } from './kinds/intrinsic-schema.js';
import { isNamed, objectSchema } from './kinds/object-schema.js';
import { platformSchema } from './kinds/platform-schema.js';
import { unionSchema } from './kinds/union-schema.js';
import { Nesting } from './nesting.js';
import { Refusal } from './refusal.js';
import type { Direction, SchemaWriter } from './schema-writer.js';
import { typeName } from './type-name.js';
import { aliasWords, withWords } from './words/with-words.js';

/** Writes the schema of one tool's arguments or of its result, type by type. */
export class TypeSchemas implements SchemaWriter {
  readonly definitions = new Definitions();
  /** Optional members that are functions, which no schema has: `Options.onDone`. */
  readonly omitted = new Set<string>();
  private readonly stock: (type: ts.Type) => JsonSchema;
  private readonly nesting = new Nesting();

  constructor(
    readonly world: CheckerContext,
    readonly direction: Direction,
  ) {
    this.stock = stockGenerator(world.checker, (type) => this.mended(type));
  }

  schemaOf(type: ts.Type, node?: ts.TypeNode): JsonSchema {
    const write = (): JsonSchema => {
      const shape = this.mended(type, node) ?? this.stock(type);
      return withWords(
        shape,
        aliasWords(type, node, '$ref' in shape, this.world.checker) ?? enumWords(type, this.world.checker),
        this.direction,
      );
    };
    return this.nesting.inside(type, write, ({ reason, cure }) => this.refuse(type, reason, cure));
  }

  /** The properties of an object in place, never as a reference: for an argument that is all the arguments. */
  objectSchema(type: ts.Type): JsonSchema {
    return objectSchema(type, this);
  }

  omit(member: string): void {
    this.omitted.add(member);
  }

  refuse(type: ts.Type, reason: string, cure: string): Refusal {
    return new Refusal(this.world.checker.typeToString(type), reason, cure);
  }

  /** The schema of types that typescript-json-schema loses or gets wrong; undefined for all others. */
  private mended(type: ts.Type, node?: ts.TypeNode): JsonSchema | undefined {
    const { checker } = this.world;
    const inline = (write: () => JsonSchema): JsonSchema =>
      this.definitions.inline(type, typeName(type, checker) ?? 'Type', write);
    if (type.isUnion()) return inline(() => unionSchema(type, node, this));
    const simple = intrinsicSchema(type, this) ?? platformSchema(type, this);
    if (simple) return simple;
    const written = this.direction === 'out' ? writtenByToJson(type, checker) : undefined;
    if (written) return this.schemaOf(written);
    if (type.flags & ts.TypeFlags.Instantiable) return this.schemaOf(this.constraintOf(type));
    if (checker.isTupleType(type)) return inline(() => tupleSchema(type as ts.TypeReference, this));
    if (isArray(type, checker)) return inline(() => arraySchema(type, node, this));
    return type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) ? this.objectOf(type) : undefined;
  }

  private objectOf(type: ts.Type): JsonSchema {
    const { checker } = this.world;
    const isList = (part: ts.Type): boolean => isArray(part, checker) || checker.isTupleType(part);
    const lists = type.isIntersection() ? type.types.filter(isList) : [];
    if (lists.length > 0) return this.listOf(lists);
    const write = (): JsonSchema => objectSchema(type, this);
    const name = typeName(type, checker) ?? 'Type';
    return isNamed(type, this.world)
      ? this.definitions.define(type, name, write)
      : this.definitions.inline(type, name, write, true);
  }

  /** Other parts of a list type, such as a brand, have no JSON form. */
  private listOf(lists: readonly ts.Type[]): JsonSchema {
    const [first, ...more] = lists.map((part) => this.schemaOf(part));
    return first && more.length === 0 ? first : { allOf: [first, ...more] };
  }

  private constraintOf(type: ts.Type): ts.Type {
    const constraint = this.world.checker.getBaseConstraintOfType(type);
    if (!constraint || constraint === type || constraint.flags & ts.TypeFlags.Unknown) {
      throw this.refuse(type, 'it is known only where the method is called.', 'Write the type itself.');
    }
    return constraint;
  }
}

/** The type of `toJSON()`, whose result `JSON.stringify` writes instead of the value. */
function writtenByToJson(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const method = checker.getPropertyOfType(type, 'toJSON');
  const [signature] = method ? checker.getTypeOfSymbol(method).getCallSignatures() : [];
  return signature?.getReturnType();
}

/** The comments of an enum and its members, if the type is the whole enum. */
function enumWords(type: ts.Type, checker: ts.TypeChecker): Words | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLike)) return undefined;
  const declaration = (type.symbol.declarations ?? []).find(ts.isEnumDeclaration);
  if (!declaration) return undefined;
  const words = wordsOf([declaration]);
  const lines = declaration.members.flatMap((member) => memberWords(member, checker));
  if (lines.length === 0) return words;
  return {
    ...words,
    description: [...(words.description === undefined ? [] : [words.description]), ...lines].join('\n'),
  };
}

function memberWords(member: ts.EnumMember, checker: ts.TypeChecker): string[] {
  const { description } = wordsOf([member]);
  const value = checker.getConstantValue(member);
  return description === undefined || value === undefined ? [] : [`- ${String(value)}: ${description}`];
}

/** Internal methods of typescript-json-schema's generator that are replaced. */
interface GeneratorInternals {
  getTypeDefinition(type: ts.Type, ...rest: readonly unknown[]): JsonSchema;
  parseCommentsIntoDefinition(): void;
}

/** Returns the schema of a type, or undefined to leave it to typescript-json-schema. */
type SchemaOverride = (type: ts.Type) => JsonSchema | undefined;

/**
 * The generator of typescript-json-schema, with `override` called first for every type, nested types included. Its
 * reading of comments is disabled, because it would load files that tags name.
 */
function stockGenerator(checker: ts.TypeChecker, override: SchemaOverride): (type: ts.Type) => JsonSchema {
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
