import type { JsonSchema } from '@adorn/core';

import { ts } from '../../typescript.js';
import { isInteger, primitivesIn } from '../brand.js';
import { isUnwritten } from '../data-member.js';
import type { SchemaWriter } from '../schema-writer.js';
import { aliasNamedBy } from '../words/with-words.js';
import { isImpossible } from './impossible-type.js';

type Literal = string | number | boolean;

export function unionSchema(
  union: ts.UnionType,
  node: ts.TypeNode | undefined,
  schemas: SchemaWriter,
): JsonSchema {
  const { checker } = schemas.world;
  const alternatives = inSourceOrder(union, node, checker).filter(
    ({ type }) => isAlternative(type, schemas) && !isImpossible(type, checker),
  );
  const isOfIntegers = alternatives.some(({ type }) => isInteger(type));
  const members = alternatives.filter(({ type }) => !isOfIntegers || !(type.flags & ts.TypeFlags.Number));
  const nullable = members.some(({ type }) => type.flags & ts.TypeFlags.Null);
  const parts = merged(
    partsOf(
      members.filter(({ type }) => !(type.flags & ts.TypeFlags.Null)),
      schemas,
    ),
  );
  return nullable ? orNull(parts) : anyOf(parts);
}

/** `required` expresses that a value may be absent; an absent member needs no schema. */
function isAlternative(type: ts.Type, { direction }: SchemaWriter): boolean {
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return false;
  return direction === 'in' || !isUnwritten(type);
}

/** Literals become one enum at the position of the first literal; each other member has its own schema. */
function partsOf(members: readonly UnionMember[], schemas: SchemaWriter): JsonSchema[] {
  const literals = members.flatMap(({ type }) => literalOf(type) ?? []);
  const rest = members.filter(({ type }) => literalOf(type) === undefined);
  const others = rest.map(({ type, node }) => schemas.schemaOf(type, node));
  if (literals.length === 0) return others;
  const first = members.findIndex(({ type }) => literalOf(type) !== undefined);
  return others.toSpliced(first, 0, ...literalSchemas(literals));
}

function literalSchemas(literals: readonly Literal[]): JsonSchema[] {
  const isBoolean = literals.includes(true) && literals.includes(false);
  const values = isBoolean ? literals.filter((value) => typeof value !== 'boolean') : literals;
  const types = [...new Set(values.map((value) => typeof value))];
  const type = types.length === 1 ? types[0] : types;
  return [
    ...(values.length > 1 ? [{ type, enum: values }] : values.map((value) => ({ type, const: value }))),
    ...(isBoolean ? [{ type: 'boolean' }] : []),
  ];
}

function literalOf(type: ts.Type): Literal | undefined {
  if (type.isIntersection()) return brandedLiteralOf(type);
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (!(type.flags & ts.TypeFlags.BooleanLiteral)) return undefined;
  return (type as { intrinsicName?: string }).intrinsicName === 'true';
}

/** `'a' & { readonly brand: 'Letter' }` is `'a'`. */
function brandedLiteralOf(type: ts.IntersectionType): Literal | undefined {
  const [only, ...more] = primitivesIn(type);
  return only && more.length === 0 ? literalOf(only) : undefined;
}

/** `string | number` is one schema with two types. */
function merged(parts: readonly JsonSchema[]): JsonSchema[] {
  const plain = parts.filter(isPlain);
  if (plain.length < 2) return [...parts];
  const types = [...new Set(plain.flatMap((part) => part['type'] as string | string[]))];
  const type = types.length === 1 ? types[0] : types;
  const first = parts.findIndex(isPlain);
  return parts.filter((part) => !isPlain(part)).toSpliced(first, 0, { type });
}

function isPlain(schema: JsonSchema): boolean {
  return 'type' in schema && Object.keys(schema).length === 1;
}

/** One of these schemas, or null. */
export function orNull(parts: readonly JsonSchema[]): JsonSchema {
  const [only] = parts;
  if (!only) return { type: 'null' };
  const simple = parts.length === 1 && 'type' in only && !('enum' in only) && !('const' in only);
  return simple ? { ...only, type: [only['type'], 'null'].flat() } : anyOf([...parts, { type: 'null' }]);
}

function anyOf(parts: readonly JsonSchema[]): JsonSchema {
  return parts.length === 1 && parts[0] ? parts[0] : { anyOf: parts };
}

/** A member of a union and the place where it is written, if it is written by itself. */
interface UnionMember {
  readonly type: ts.Type;
  readonly node?: ts.TypeNode;
}

/** The members of a union in the order in which they are written; TypeScript keeps them in the order it met them. */
function inSourceOrder(
  union: ts.UnionType,
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): UnionMember[] {
  const written = writtenMembers(node ?? aliasNode(union), checker);
  const rest = new Map(union.types.map((type) => [regular(type), type]));
  const found: UnionMember[] = [];
  for (const { type: wanted, node: place } of written) {
    const type = rest.get(regular(wanted));
    if (type && rest.delete(regular(wanted))) found.push({ type, ...(place && { node: place }) });
  }
  return [...found, ...[...rest.values()].map((type) => ({ type }))];
}

function aliasNode(type: ts.Type): ts.TypeNode | undefined {
  return type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
}

function writtenMembers(node: ts.TypeNode | undefined, checker: ts.TypeChecker): UnionMember[] {
  if (!node) return [];
  if (ts.isParenthesizedTypeNode(node)) return writtenMembers(node.type, checker);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((member) => writtenMembers(member, checker));
  const type = checker.getTypeFromTypeNode(node);
  if (!type.isUnion()) return [{ type, node }];
  const alias = aliasNamedBy(node, checker);
  const inside = !alias || alias.typeParameters ? [] : writtenMembers(alias.type, checker);
  return inside.length > 0 ? inside : inDeclarationOrder(type);
}

/** The order of an indexed access or a `keyof`: that of the union it is taken from. */
function inDeclarationOrder(type: ts.UnionType): UnionMember[] {
  return type.types.map((member) => ({ type: member }));
}

/** A literal has two types, a fresh one where it is written and its regular one. */
function regular(type: ts.Type): ts.Type {
  return (type as { regularType?: ts.Type }).regularType ?? type;
}
