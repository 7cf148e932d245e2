import { ts } from '../typescript.js';
import { isSymbolName } from './brand.js';
import type { Direction, SchemaWriter } from './schema-writer.js';

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/**
 * Whether a member is part of the data: of what a model can send, or of what JSON.stringify writes. Private members,
 * methods of classes and what a prototype holds are not.
 */
export function isData(symbol: ts.Symbol, type: ts.Type, schemas: SchemaWriter): boolean {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  if (schemas.direction === 'out' && isLeftOut(symbol, type)) return false;
  if (!declaration) return true;
  if (isHidden(declaration)) return false;
  if (ts.isClassLike(declaration.parent)) return isDataOfClass(symbol, declaration, schemas.direction);
  return !isOfEveryObject(symbol, type);
}

/** The results of methods of `Object.prototype`. */
const OBJECT_METHODS: ReadonlyMap<string, ts.TypeFlags> = new Map([
  ['toString', ts.TypeFlags.String],
  ['toLocaleString', ts.TypeFlags.String],
  ['hasOwnProperty', ts.TypeFlags.Boolean],
  ['isPrototypeOf', ts.TypeFlags.Boolean],
  ['propertyIsEnumerable', ts.TypeFlags.Boolean],
]);

/** A method that a plain object has by itself, such as `toString(): string`. */
export function isOfEveryObject({ name }: ts.Symbol, type: ts.Type): boolean {
  const given = OBJECT_METHODS.get(name);
  const signatures = type.getCallSignatures();
  return (
    given !== undefined &&
    signatures.length > 0 &&
    signatures.every((signature) => (signature.getReturnType().flags & given) !== 0)
  );
}

/** True if the member is not public. */
export function isHidden(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & HIDDEN) !== 0 || isHashName(declaration);
}

/** JSON.stringify omits functions, symbols and properties whose key is a symbol. */
function isLeftOut({ name }: ts.Symbol, type: ts.Type): boolean {
  return isSymbolName(name) || isUnwritten(type);
}

/** True if JSON.stringify omits a value: a function or a symbol. */
export function isUnwritten(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.ESSymbolLike) !== 0 ||
    (!type.isUnion() && type.getCallSignatures().length + type.getConstructSignatures().length > 0)
  );
}

/** True if every value of the type that is not absent is a function. */
export function isFunction(type: ts.Type): boolean {
  const members = type.isUnion() ? type.types : [type];
  const present = members.filter(
    ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Null)) === 0,
  );
  return present.length > 0 && present.every((member) => member.getCallSignatures().length > 0);
}

/** Accessors are on the prototype: a setter accepts a value, and no accessor is written to JSON. */
function isDataOfClass(symbol: ts.Symbol, declaration: ts.Declaration, direction: Direction): boolean {
  if (ts.isMethodDeclaration(declaration)) return false;
  if (ts.isAutoAccessorPropertyDeclaration(declaration)) return direction === 'in';
  if (symbol.flags & ts.SymbolFlags.Accessor)
    return direction === 'in' && (symbol.flags & ts.SymbolFlags.SetAccessor) !== 0;
  const initializer = ts.isPropertyDeclaration(declaration) ? declaration.initializer : undefined;
  return !(initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)));
}

function isHashName(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration);
  return name !== undefined && ts.isPrivateIdentifier(name);
}
