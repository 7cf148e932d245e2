import type { JsonSchema } from '@adorn/core';

import { NO_WORDS, type Words } from '../../docs/doc-comment.js';
import { isIgnored } from '../../docs/schema-tags.js';
import { wordsOf } from '../../docs/words-of.js';
import {
  exposedName,
  isExcluded,
  isValidatedWithin,
  makerOfProperty,
  sentForm,
} from '../../source/class-transformer.js';
import { jsonConstantOf } from '../../source/constant.js';
import { inheritedDeclarations } from '../../source/inheritance.js';
import { ts } from '../../typescript.js';
import { isNeverWritten, mayBeAbsent } from '../absent.js';
import { isSymbolName } from '../brand.js';
import { type Validated, withValidators } from '../class-validator/with-validators.js';
import { isData, isFunction, isHidden, isOfEveryObject } from '../data-member.js';
import { madeBy, withoutMarks } from '../hydration-mark.js';
import { isErrorType, under } from '../refusal.js';
import type { SchemaWriter } from '../schema-writer.js';
import { declaredName } from '../type-name.js';
import { withWords } from '../words/with-words.js';
import { isImpossible } from './impossible-type.js';

export interface PropertySchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The schema of a forbidden property of an object that allows other properties. */
const FORBIDDEN: JsonSchema = { not: {} };

/** The object of a property. */
interface PropertyOwner {
  readonly type: ts.Type;
  /** True if it allows properties that it does not name. */
  readonly isOpen: boolean;
  /** True if class-transformer makes an instance of it. */
  readonly isMade: boolean;
}

/** The schema of one property; undefined for a member that is not part of the data. */
export function propertyOf(
  symbol: ts.Symbol,
  owner: PropertyOwner,
  schemas: SchemaWriter,
): PropertySchema | undefined {
  const type = schemas.world.checker.getTypeOfSymbol(symbol);
  const declaration = declarationOf(symbol);
  if (!isData(symbol, type, schemas)) {
    if (!owner.isMade) refuseLostMember(symbol, type, schemas);
    return undefined;
  }
  const maker = owner.isMade ? declaration : undefined;
  if (maker && isExcluded(maker, schemas.world.checker)) return undefined;
  const words = propertyWords(symbol, schemas.world.checker);
  if (isIgnored(words.tags)) return undefined;
  const optional = isOptional(symbol, type, schemas);
  const isCallback = schemas.direction === 'in' && isFunction(type);
  if (isCallback && !optional) refuseCallback(symbol, type, owner, schemas);
  if (isCallback) schemas.omit(`${schemas.world.checker.typeToString(owner.type)}.${printedName(symbol)}`);
  if (optional && (isCallback || hasNoValue(type, schemas))) {
    return owner.isOpen && schemas.direction === 'in'
      ? { name: symbol.name, schema: FORBIDDEN, required: false }
      : undefined;
  }
  return under(printedName(symbol), () => {
    refuseKey(symbol, type, schemas);
    refuseUntyped(symbol, type, schemas);
    const form = maker && sentForm(maker, schemas.world.checker);
    const written = form ? schemas.schemaOf(form) : writtenAs(symbol, type, schemas);
    const isTransformed = maker && makerOfProperty(maker, schemas.world.checker) === 'Transform';
    // With @Transform, tags describe the input.
    const sent = isTransformed === true ? withoutMarks(written) : written;
    const plain = {
      name: symbol.name,
      schema: withWords(sent, words, schemas.direction),
      required: !optional,
    };
    if (schemas.direction === 'out' || !declaration || !isMemberOfClass(declaration)) return plain;
    if (owner.isMade) refuseNestedRecord(type, declaration, schemas);
    return decorated(plain, declaration, owner, schemas.world.checker);
  });
}

/** A property of a class as the model sends it, with its decorators and default applied. */
function decorated(
  { name, schema, required }: PropertySchema,
  declaration: ts.Declaration,
  { isMade }: PropertyOwner,
  checker: ts.TypeChecker,
): PropertySchema {
  const maker = isMade ? makerOfProperty(declaration, checker) : undefined;
  // Validators check the output of @Transform, whose form may differ from the input.
  const validated = maker === 'Transform' ? { schema } : withValidators(schema, declaration, checker);
  const isDemanded = isDemandedBy(validated, isMade) ?? required;
  return {
    name: (isMade ? exposedName(declaration, checker) : undefined) ?? name,
    schema: madeBy(defaulted(validated.schema, declaration, checker), maker),
    required: isDemanded && initializerOf(declaration) === undefined,
  };
}

/**
 * class-validator looks into arrays, sets and maps, but treats a record as an instance of a class without decorators.
 */
function refuseNestedRecord(type: ts.Type, declaration: ts.Declaration, schemas: SchemaWriter): void {
  const { checker } = schemas.world;
  const present = checker.getNonNullableType(type);
  if (!isValidatedWithin(declaration, checker) || makerOfProperty(declaration, checker) !== undefined) return;
  if (checker.isArrayType(present) || !present.getStringIndexType()) return;
  throw schemas.refuse(
    present,
    '@ValidateNested refuses every value of it: class-validator takes the object itself for an instance.',
    'Write an array, or remove @ValidateNested: the values are checked by their schema.',
  );
}

/** A part of a class, such as `Omit<Order, 'id'>`, has methods that a JSON object lacks. */
function refuseLostMember(symbol: ts.Symbol, type: ts.Type, schemas: SchemaWriter): void {
  const declaration = declarationOf(symbol);
  if (schemas.direction === 'out' || !declaration || symbol.flags & ts.SymbolFlags.Optional) return;
  if (isOfEveryObject(symbol, type)) return;
  if (!(ts.isMethodDeclaration(declaration) || ts.isAccessor(declaration)) || isHidden(declaration)) return;
  under(printedName(symbol), () => {
    throw schemas.refuse(
      type,
      'it comes from a class, and no instance can be made of a part of one.',
      'Write the class itself, or Pick only its data.',
    );
  });
}

/** A function that every value of the type has, so that the type cannot be an argument as it is. */
function refuseCallback(
  symbol: ts.Symbol,
  type: ts.Type,
  owner: PropertyOwner,
  schemas: SchemaWriter,
): never {
  const name = printedName(symbol);
  const whole = schemas.world.checker.typeToString(owner.type);
  const isUnnamed = owner.type.aliasSymbol === undefined && declaredName(owner.type.symbol) === undefined;
  const cure = isUnnamed ? '' : `Write Omit<${whole}, '${name}'> where the method does without it. `;
  return under(name, () => {
    throw schemas.refuse(
      type,
      'it is a function.',
      `${cure}Write the data that the function would be called with.`,
    );
  });
}

/**
 * `@IsDefined() a?: string` requires a property that its type makes optional. It does not apply to types derived from
 * the class.
 */
function isDemandedBy({ required }: Validated, isMade: boolean): boolean | undefined {
  return required === true && !isMade ? undefined : required;
}

function writtenAs(symbol: ts.Symbol, type: ts.Type, schemas: SchemaWriter): JsonSchema {
  return schemas.schemaOf(type, typeNodeOf(declarationOf(symbol), type, schemas.world.checker));
}

function declarationOf(symbol: ts.Symbol): ts.Declaration | undefined {
  return symbol.valueDeclaration ?? symbol.declarations?.[0];
}

function isMemberOfClass(declaration: ts.Declaration): boolean {
  return ts.isClassLike(declaration.parent) || ts.isParameter(declaration);
}

function isOptional(symbol: ts.Symbol, type: ts.Type, { direction }: SchemaWriter): boolean {
  return (symbol.flags & ts.SymbolFlags.Optional) !== 0 || mayBeAbsent(type, direction);
}

function hasNoValue(type: ts.Type, { world, direction }: SchemaWriter): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => isNeverWritten(member, direction) || isImpossible(member, world.checker));
}

/** A property named by a symbol as people write it. */
function printedName({ name }: ts.Symbol): string {
  return name.replace(/^__@(.*)@\d+$/, '[$1]');
}

/** A property named by a symbol never reaches JSON, and one named `__proto__` no object. */
function refuseKey({ name }: ts.Symbol, type: ts.Type, schemas: SchemaWriter): void {
  if (name === '__proto__')
    throw schemas.refuse(type, 'no object keeps a property called __proto__.', 'Give it another name.');
  if (!isSymbolName(name)) return;
  throw schemas.refuse(type, 'its name is a symbol, and JSON has none.', 'Name the property with a string.');
}

function refuseUntyped(symbol: ts.Symbol, type: ts.Type, schemas: SchemaWriter): void {
  const declaration = declarationOf(symbol);
  const untyped =
    declaration !== undefined &&
    (ts.isPropertySignature(declaration) ||
      ts.isPropertyDeclaration(declaration) ||
      ts.isParameter(declaration)) &&
    declaration.type === undefined;
  if (!untyped || !(type.flags & ts.TypeFlags.Any) || isErrorType(type)) return;
  throw schemas.refuse(type, 'no type is written.', 'Write its type, or "unknown" for any JSON.');
}

/** The type node of the property, if it denotes exactly this type. */
function typeNodeOf(
  declaration: ts.Declaration | undefined,
  type: ts.Type,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const node = (declaration as { type?: ts.TypeNode } | undefined)?.type;
  if (!node || !ts.isTypeNode(node)) return undefined;
  const written = checker.getTypeFromTypeNode(node);
  return checker.getNonNullableType(written) === checker.getNonNullableType(type) ? node : undefined;
}

function defaulted(schema: JsonSchema, declaration: ts.Declaration, checker: ts.TypeChecker): JsonSchema {
  const initializer = initializerOf(declaration);
  const constant = initializer && jsonConstantOf(initializer, checker);
  return !constant || 'default' in schema ? schema : { ...schema, default: constant.value };
}

function initializerOf(declaration: ts.Declaration): ts.Expression | undefined {
  if (!(ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))) return undefined;
  return declaration.initializer;
}

/**
 * What is written about a property: at itself, else in the `@param` of a constructor that declares it, else at the
 * property that it overrides or implements.
 */
function propertyWords(symbol: ts.Symbol, checker: ts.TypeChecker): Words {
  const declarations = symbol.declarations ?? [];
  const own = wordsOf(declarations);
  if (own !== NO_WORDS) return own;
  const parameter = declarations.find(ts.isParameter);
  const constructed = parameter && wordsOf([parameter.parent]).params.get(symbol.name);
  return constructed ?? wordsOf(declarations.flatMap((one) => inheritedDeclarations(one, checker)));
}
