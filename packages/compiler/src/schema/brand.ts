import { ts } from '../typescript.js';

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;
const PRIMITIVE = TEXT | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.BigIntLike;

/** The primitives of a branded one such as `string & { readonly brand: 'OrderId' }`; usually one. */
export function primitivesIn(type: ts.IntersectionType): readonly ts.Type[] {
  return type.types.filter((part) => part.flags & PRIMITIVE);
}

/**
 * The properties that brand an object: properties named by symbols in a part of an intersection that has no others,
 * as in `Order & { readonly [brand]: 'Order' }`.
 */
export function brandsOf(type: ts.Type): ReadonlySet<string> {
  const parts = type.isIntersection() ? type.types : [];
  const names = parts.map((part) => part.getProperties().map(({ name }) => name));
  return new Set(names.filter((own) => own.every(isSymbolName)).flat());
}

/** The checker calls a property named by a symbol `__@` with the symbol's name and a number. */
export function isSymbolName(name: string): boolean {
  return name.startsWith('__@');
}

/** True for the branded member of the union `Integer` that Adorn exports. */
export function isInteger(type: ts.Type): boolean {
  return type.isIntersection() && type.getProperty('adorn:integer') !== undefined;
}
