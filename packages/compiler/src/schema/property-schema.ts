import type { JsonSchema } from '@adorn/core';

import { wordsOf } from '../docs/words-of.js';
import { exposedName, isExcluded, makerOfProperty } from '../source/class-transformer.js';
import { jsonConstantOf } from '../source/json-constant.js';
import { ts } from '../typescript.js';
import { withValidators } from './class-validator-keywords.js';
import { isErrorType } from './error-type.js';
import { under } from './refusal.js';
import { madeBy } from './revival-mark.js';
import type { SchemaWriter } from './schema-writer.js';
import { withWords } from './with-words.js';

export interface PropertySchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/**
 * The schema of one property; undefined for a member that is no part of the data.
 *
 * @param isMade the object becomes an instance of its class, by class-transformer
 */
export function propertyOf(
  symbol: ts.Symbol,
  schemas: SchemaWriter,
  isMade: boolean,
): PropertySchema | undefined {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (declaration !== undefined && isNoData(symbol, declaration)) {
    if (!isMade) refuseLostMember(symbol, declaration, schemas);
    return undefined;
  }
  const maker = isMade ? declaration : undefined;
  if (maker !== undefined && isExcluded(maker, schemas.world.checker)) return undefined;
  const words = wordsOf(symbol.declarations);
  if (words.tags['ignore'] === true) return undefined;
  const type = schemas.world.checker.getTypeOfSymbol(symbol);
  const optional = isOptional(symbol, type);
  if (optional && hasNoValue(type)) return undefined;
  return under(printedName(symbol), () => {
    refuseSymbolKey(symbol, type, schemas);
    refuseUntyped(declaration, type, schemas);
    const written = schemas.schemaOf(type, typeNodeOf(declaration, type, schemas.world.checker));
    const checked = withValidators(withWords(written, words), declaration, schemas.world.checker);
    const { schema } = defaulted(checked.schema, declaration, schemas);
    return {
      name: (maker && exposedName(maker, schemas.world.checker)) ?? symbol.name,
      schema: maker === undefined ? schema : madeBy(schema, makerOfProperty(maker, schemas.world.checker)),
      required: !optional && checked.required && !hasDefault(declaration, schemas),
    };
  });
}

/** Private members, static blocks, methods of classes and getters that nothing can set. */
function isNoData(symbol: ts.Symbol, declaration: ts.Declaration): boolean {
  if (ts.getCombinedModifierFlags(declaration) & HIDDEN || isHashName(declaration)) return true;
  if (!ts.isClassLike(declaration.parent))
    return ts.isMethodSignature(declaration) && declaration.questionToken !== undefined;
  if (ts.isMethodDeclaration(declaration)) return true;
  if (symbol.flags & ts.SymbolFlags.Accessor) return !(symbol.flags & ts.SymbolFlags.SetAccessor);
  const initializer = ts.isPropertyDeclaration(declaration) ? declaration.initializer : undefined;
  return (
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  );
}

/** A part of a class, as in `Omit<Order, 'id'>`, promises its methods, and the object that is sent has none. */
function refuseLostMember(symbol: ts.Symbol, declaration: ts.Declaration, schemas: SchemaWriter): void {
  const isPromised = ts.isMethodDeclaration(declaration) || ts.isAccessor(declaration);
  if (schemas.direction === 'out' || !isPromised || symbol.flags & ts.SymbolFlags.Optional) return;
  if (ts.getCombinedModifierFlags(declaration) & HIDDEN || isHashName(declaration)) return;
  throw under(printedName(symbol), () =>
    schemas.refuse(
      schemas.world.checker.getTypeOfSymbol(symbol),
      'it comes from a class, and no instance can be made of a part of one.',
      'Write the class itself, or Pick only its data.',
    ),
  );
}

function isHashName(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  return name !== undefined && ts.isPrivateIdentifier(name);
}

function isOptional(symbol: ts.Symbol, type: ts.Type): boolean {
  if (symbol.flags & ts.SymbolFlags.Optional) return true;
  const members = type.isUnion() ? type.types : [type];
  return members.some((member) => member.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}

function hasNoValue(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never | ts.TypeFlags.Void)) !== 0;
}

/** The checker calls a property named by a symbol `__@` with the symbol's name and a number. */
function printedName({ name }: ts.Symbol): string {
  return name.replace(/^__@(.*)@\d+$/, '[$1]');
}

/** A property named by a symbol never reaches JSON. */
function refuseSymbolKey(symbol: ts.Symbol, type: ts.Type, schemas: SchemaWriter): void {
  if (!symbol.name.startsWith('__@')) return;
  throw schemas.refuse(type, 'its name is a symbol, and JSON has none.', 'Name the property with a string.');
}

function refuseUntyped(declaration: ts.Declaration | undefined, type: ts.Type, schemas: SchemaWriter): void {
  const untyped =
    declaration !== undefined &&
    (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) &&
    declaration.type === undefined;
  if (!untyped || !(type.flags & ts.TypeFlags.Any) || isErrorType(type)) return;
  throw schemas.refuse(type, 'no type is written.', 'Write its type, or "unknown" for any JSON.');
}

/** Where the type of the property is written, if what is written there is this very type. */
function typeNodeOf(
  declaration: ts.Declaration | undefined,
  type: ts.Type,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const node = (declaration as { type?: ts.TypeNode } | undefined)?.type;
  if (node === undefined || !ts.isTypeNode(node)) return undefined;
  const written = checker.getTypeFromTypeNode(node);
  return checker.getNonNullableType(written) === checker.getNonNullableType(type) ? node : undefined;
}

function hasDefault(declaration: ts.Declaration | undefined, { direction }: SchemaWriter): boolean {
  return direction === 'in' && initializerOf(declaration) !== undefined;
}

function defaulted(
  schema: JsonSchema,
  declaration: ts.Declaration | undefined,
  schemas: SchemaWriter,
): { schema: JsonSchema } {
  const initializer = schemas.direction === 'in' ? initializerOf(declaration) : undefined;
  const constant = initializer && jsonConstantOf(initializer, schemas.world.checker);
  if (constant === undefined || 'default' in schema) return { schema };
  return { schema: { ...schema, default: constant.value } };
}

function initializerOf(declaration: ts.Declaration | undefined): ts.Expression | undefined {
  if (declaration === undefined || !(ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration)))
    return undefined;
  return declaration.initializer;
}
