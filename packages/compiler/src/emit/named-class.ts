import { ts } from '../typescript.js';
import { isForTypesOnly, namesInScope } from './names-in-scope.js';

/** How a type names a class, where the name leads to the class as an expression as well. */
export interface NamedClass {
  readonly written: ts.EntityName;
  /** What the first part of the name stands for. */
  readonly root: ts.Symbol;
}

/**
 * Where a method's parameters name a class in their types, else where its file does; undefined where the same words
 * would not be the class as a value.
 */
export function namedClass(
  method: ts.MethodDeclaration,
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): NamedClass | undefined {
  const scope = namesInScope(method.parent, checker);
  for (const { type } of method.parameters) {
    const written = type && entityNaming(declaration, type, checker);
    const root = written && symbolOf(rootOf(written), checker);
    if (written !== undefined && root !== undefined && scope.get(rootOf(written).text) === root)
      return { written, root };
  }
  return namedInScope(declaration, scope, checker);
}

function symbolOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && checker.getExportSymbolOfSymbol(symbol);
}

/** A class inside another one's properties: the method does not name it, but its file may have it. */
function namedInScope(
  declaration: ts.ClassLikeDeclaration,
  scope: ReadonlyMap<string, ts.Symbol>,
  checker: ts.TypeChecker,
): NamedClass | undefined {
  for (const root of scope.values()) {
    const isImported = (root.flags & ts.SymbolFlags.Alias) !== 0;
    const target = isImported ? checker.getAliasedSymbol(root) : root;
    const [first] = root.declarations ?? [];
    const written =
      target.valueDeclaration === declaration && first ? ts.getNameOfDeclaration(first) : undefined;
    if (written !== undefined && ts.isIdentifier(written)) return { written, root };
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
