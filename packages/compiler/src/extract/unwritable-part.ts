import type { CheckerContext } from '../schema/checker-context.js';
import { ts } from '../typescript.js';

/** A part of a result type that has no JSON form, and the type to return instead. */
interface UnwritablePart {
  /** The properties that lead to it; empty for the whole result. */
  readonly path: readonly string[];
  readonly type: ts.Type;
  readonly reason: string;
  readonly cure: string;
}

const AS_OBJECT = 'Return a plain object: Object.fromEntries(…).';
const AS_ARRAY = 'Return an array: [...values].';

/** Classes that `toJsonValue` refuses. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  Map: AS_OBJECT,
  ReadonlyMap: AS_OBJECT,
  Set: AS_ARRAY,
  ReadonlySet: AS_ARRAY,
};

/** Types that lie deeper are left to the run. */
const DEEPEST = 8;

/**
 * The first part of a result that fails every run which returns it. What may be absent, and a union with a member that
 * can be written, may do well at run time and are left alone.
 */
export function unwritablePart(
  type: ts.Type,
  { checker, program }: CheckerContext,
): UnwritablePart | undefined {
  const seen = new Set<ts.Type>();

  function within(part: ts.Type, path: readonly string[]): UnwritablePart | undefined {
    if (part.isUnion()) {
      const found = part.types.map((member) => within(member, path));
      return found.every((one) => one !== undefined) ? found[0] : undefined;
    }
    const fault = faultOf(part, checker, isOfPlatform);
    if (fault) return { path, type: part, ...fault };
    if (!(part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return undefined;
    if (seen.has(part) || path.length > DEEPEST) return undefined;
    seen.add(part);
    return checker.isArrayType(part) || checker.isTupleType(part)
      ? inElements(part as ts.TypeReference, path)
      : inProperties(part, path);
  }

  function inElements(list: ts.TypeReference, path: readonly string[]): UnwritablePart | undefined {
    const flags = checker.isTupleType(list) ? (list.target as ts.TupleType).elementFlags : [];
    for (const [index, element] of checker.getTypeArguments(list).entries()) {
      const isOptional = ((flags[index] ?? 0) & ts.ElementFlags.Optional) !== 0;
      const found = isOptional ? undefined : within(element, [...path, String(index)]);
      if (found) return found;
    }
    return undefined;
  }

  function inProperties(object: ts.Type, path: readonly string[]): UnwritablePart | undefined {
    if (isOfPlatform(object) || object.getProperty('toJSON')) return undefined;
    for (const property of checker.getPropertiesOfType(object)) {
      const inner = checker.getTypeOfSymbol(property);
      const found = isWritten(property, inner) ? within(inner, [...path, property.name]) : undefined;
      if (found) return found;
    }
    for (const { type: value } of checker.getIndexInfosOfType(object)) {
      const found = within(value, [...path, '[key]']);
      if (found) return found;
    }
    return undefined;
  }

  function isOfPlatform({ symbol }: ts.Type): boolean {
    const { flags = 0, declarations = [] } = (symbol as ts.Symbol | undefined) ?? {};
    if (!(flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false;
    return declarations.some((one) => program.isSourceFileDefaultLibrary(one.getSourceFile()));
  }

  return within(type, []);
}

function faultOf(
  type: ts.Type,
  checker: ts.TypeChecker,
  isOfPlatform: (type: ts.Type) => boolean,
): Pick<UnwritablePart, 'reason' | 'cure'> | undefined {
  if (type.flags & ts.TypeFlags.ESSymbolLike)
    return { reason: 'JSON has no symbols.', cure: 'Return a string.' };
  if (type.getCallSignatures().length > 0)
    return { reason: 'it is a function.', cure: 'Return the data that the function would give.' };
  const name = (type.symbol as ts.Symbol | undefined)?.name ?? '';
  const cure = Object.hasOwn(COLLECTIONS, name) && isOfPlatform(type) ? COLLECTIONS[name] : undefined;
  if (cure !== undefined) return { reason: 'JSON has no form for it.', cure };
  if (hasMethod(type, 'next', checker)) return { reason: 'it is an iterator.', cure: AS_ARRAY };
  if (hasMethod(type, 'then', checker)) return { reason: 'it is a promise.', cure: 'Await it.' };
  return undefined;
}

function hasMethod(type: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  const method = type.getProperty(name);
  if (!method || method.flags & ts.SymbolFlags.Optional) return false;
  return checker.getTypeOfSymbol(method).getCallSignatures().length > 0;
}

/**
 * True if an object certainly has the property itself. Methods and accessors are on a prototype, and so may be a
 * property that an interface declares as a function.
 */
function isWritten(property: ts.Symbol, type: ts.Type): boolean {
  if (property.flags & (ts.SymbolFlags.Optional | ts.SymbolFlags.Accessor)) return false;
  const declaration = property.valueDeclaration;
  const isFunction = type.getCallSignatures().length > 0;
  if (!declaration) return !isFunction; // of a mapped type, such as `Omit<Order, 'id'>`
  const name = ts.getNameOfDeclaration(declaration);
  if (name && ts.isPrivateIdentifier(name)) return false;
  if (!isFunction) return !ts.isAutoAccessorPropertyDeclaration(declaration);
  const isOfLiteral = ts.isObjectLiteralExpression(declaration.parent);
  return isOfLiteral || (ts.isPropertyDeclaration(declaration) && declaration.initializer !== undefined);
}
