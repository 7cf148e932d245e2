import type { JsonSchema } from '@adorn/core';

import { jsonConstantOf } from '../../source/constant.js';
import { ts } from '../../typescript.js';
import { isInteger, primitivesIn } from '../brand.js';
import { marked } from '../hydration-mark.js';
import { isErrorType, unresolvedType } from '../refusal.js';
import type { SchemaWriter } from '../schema-writer.js';
import { isImpossible } from './impossible-type.js';

const NOTHING = ts.TypeFlags.Never | ts.TypeFlags.Undefined | ts.TypeFlags.Void;

/**
 * Schemas of `any`, `unknown`, `object`, big integers, template texts, branded primitives and computed enum members;
 * refuses types that have no JSON value.
 */
export function intrinsicSchema(type: ts.Type, schemas: SchemaWriter): JsonSchema | undefined {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return anything(type, schemas);
  if (type.flags & NOTHING || isImpossible(type, schemas.world.checker)) {
    throw schemas.refuse(type, 'no JSON value has it.', 'Take it away, or write the type of a value.');
  }
  if (type.flags & ts.TypeFlags.ESSymbolLike) {
    throw schemas.refuse(type, 'JSON has no symbols.', 'Write a string, or a union of string literals.');
  }
  if (type.flags & ts.TypeFlags.BigIntLike) return bigInteger(type, schemas);
  if (type.flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
  if (hasTextPattern(type)) return textPattern(type);
  if (isInteger(type)) return { type: 'integer' };
  if (type.isIntersection()) return brandedPrimitive(type, schemas);
  return computedEnumSchema(type, schemas.world.checker);
}

function anything(type: ts.Type, schemas: SchemaWriter): JsonSchema {
  if (!isErrorType(type)) return {};
  throw unresolvedType(schemas.world.checker.typeToString(type));
}

const ALL_DIGITS = '^-?[0-9]+$';
const BIG_INTEGER = marked({ type: ['integer', 'string'], pattern: ALL_DIGITS }, { kind: 'bigint' });

/** As digits it keeps every digit, which a JSON number does not: so a result is written. */
function bigInteger(type: ts.Type, { direction }: SchemaWriter): JsonSchema {
  if (!(type.flags & ts.TypeFlags.BigIntLiteral))
    return direction === 'in' ? BIG_INTEGER : { type: 'string', pattern: ALL_DIGITS };
  const { negative, base10Value } = (type as ts.BigIntLiteralType).value;
  const digits = (negative ? '-' : '') + base10Value;
  if (direction === 'out') return { type: 'string', const: digits };
  const values = Number.isSafeInteger(Number(digits)) ? [Number(digits), digits] : [digits];
  return marked({ enum: values }, { kind: 'bigint' });
}

/** `string & { readonly brand: 'OrderId' }` is a string on the wire. */
function brandedPrimitive(type: ts.IntersectionType, schemas: SchemaWriter): JsonSchema | undefined {
  const [first, ...more] = primitivesIn(type).map((part) => schemas.schemaOf(part));
  return first && more.length > 0 ? { allOf: [first, ...more] } : first;
}

/**
 * A member of an enum, or an ambient enum, whose value the checker does not know; undefined for any other type. What
 * is written as a constant is one, as in `None = <any>null`; anything else is a number when the program runs.
 */
function computedEnumSchema(type: ts.Type, checker: ts.TypeChecker): JsonSchema | undefined {
  if (!(type.flags & ts.TypeFlags.Enum) || type.isUnion()) return undefined;
  const declaration = type.symbol.valueDeclaration;
  const initializer = declaration && ts.isEnumMember(declaration) ? declaration.initializer : undefined;
  const constant = initializer && jsonConstantOf(initializer, checker);
  if (!constant) return { type: 'number' };
  const { value } = constant;
  return value === null ? { type: 'null' } : { type: typeof value, const: value };
}

const NUMBER = '-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?';
const DIGITS = '-?[0-9]+';
const ANY_TEXT = '[\\s\\S]*';

/** The patterns of TypeScript's string mapping types. Only ASCII letters are distinguished. */
const CASES: Readonly<Record<string, string>> = {
  Uppercase: '[^a-z]*',
  Lowercase: '[^A-Z]*',
  Capitalize: '([^a-z][\\s\\S]*)?',
  Uncapitalize: '([^A-Z][\\s\\S]*)?',
};

/** A type such as `` `W${number}` `` or `Uppercase<string>` as the pattern of the texts it allows. */
function textPattern(type: ts.Type): JsonSchema {
  const pattern = withEnds(bodyOf(type));
  return pattern === '' ? { type: 'string' } : { type: 'string', pattern };
}

function hasTextPattern(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0;
}

function bodyOf(type: ts.Type): string {
  if (type.flags & ts.TypeFlags.NumberLike) return NUMBER;
  if (type.flags & ts.TypeFlags.BigIntLike) return DIGITS;
  if (type.flags & ts.TypeFlags.StringMapping) return CASES[type.symbol.name] ?? ANY_TEXT;
  if (!(type.flags & ts.TypeFlags.TemplateLiteral)) return ANY_TEXT;
  const { texts, types } = type as ts.TemplateLiteralType;
  const holes = types.map(bodyOf);
  return texts.map((text, index) => escape(text) + (holes[index] ?? '')).join('');
}

/** Adds `^` and `$`, except where any text is allowed: `^a` equals `^a[\s\S]*$`. */
function withEnds(body: string): string {
  const isOpenBefore = body.startsWith(ANY_TEXT);
  const rest = isOpenBefore ? body.slice(ANY_TEXT.length) : body;
  const isOpenAfter = rest.endsWith(ANY_TEXT) || (isOpenBefore && rest === '');
  const inner = isOpenAfter ? rest.slice(0, rest.length - ANY_TEXT.length) : rest;
  return `${isOpenBefore ? '' : '^'}${inner}${isOpenAfter ? '' : '$'}`;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
