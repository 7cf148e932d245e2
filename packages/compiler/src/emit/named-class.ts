import { ts } from '../typescript.js';
import { isForTypesOnly, localSymbolOf, type NamedValue, namesInScope } from './named-value.js';

/**
 * Where the parameters of a method or function name a class in their types, else where the file does in which a
 * place is; undefined where the same words would not be the class as a value there.
 */
export function namedClass(
  { parameters }: ts.SignatureDeclaration,
  declaration: ts.ClassLikeDeclaration,
  place: ts.Node,
  checker: ts.TypeChecker,
): NamedValue | undefined {
  const scope = namesInScope(place, checker);
  for (const { type } of parameters) {
    const written = type && entityNaming(declaration, type, checker);
    const root = written && localSymbolOf(rootOf(written), checker);
    if (written && root && scope.get(rootOf(written).text) === root) return { written, root };
  }
  return namedInScope(declaration, scope, checker);
}

/** A class inside another one's properties: the parameters do not name it, but the file may have it. */
function namedInScope(
  declaration: ts.ClassLikeDeclaration,
  scope: ReadonlyMap<string, ts.Symbol>,
  checker: ts.TypeChecker,
): NamedValue | undefined {
  for (const root of scope.values()) {
    const isImported = (root.flags & ts.SymbolFlags.Alias) !== 0;
    const target = isImported ? checker.getAliasedSymbol(root) : root;
    const [first] = root.declarations ?? [];
    const written =
      target.valueDeclaration === declaration && first ? ts.getNameOfDeclaration(first) : undefined;
    if (written && ts.isIdentifier(written)) return { written, root };
  }
  return undefined;
}

/** In `Address`, in `Address[]`, in `Address | undefined`. */
function entityNaming(
  declaration: ts.ClassLikeDeclaration,
  node: ts.Node,
  checker: ts.TypeChecker,
): ts.EntityName | undefined {
  if (ts.isTypeReferenceNode(node)) {
    const named = checker.getSymbolAtLocation(node.typeName);
    const target = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    const isReached = named !== undefined && !isForTypesOnly(named, checker);
    if (isReached && target?.valueDeclaration === declaration) return node.typeName;
  }
  return ts.forEachChild(node, (child) => entityNaming(declaration, child, checker));
}

function rootOf(name: ts.EntityName): ts.Identifier {
  return ts.isIdentifier(name) ? name : rootOf(name.left);
}
