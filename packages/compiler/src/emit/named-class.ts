import { ts } from '../typescript.js';
import { namesInScope } from './names-in-scope.js';

/** How a type names a class, where the name leads to the class as an expression as well. */
export interface NamedClass {
  readonly written: ts.EntityName;
  /** What the first part of the name stands for. */
  readonly root: ts.Symbol;
}

/** Where a parameter's type names its class; undefined where the same words would not be the class as a value. */
export function namedClass(
  parameter: ts.ParameterDeclaration,
  declaration: ts.ClassDeclaration,
  checker: ts.TypeChecker,
): NamedClass | undefined {
  const written = parameter.type && entityNaming(declaration, parameter.type, checker);
  if (written === undefined) return undefined;
  const name = rootOf(written);
  const symbol = checker.getSymbolAtLocation(name);
  const root = symbol && checker.getExportSymbolOfSymbol(symbol);
  const isSame = root !== undefined && namesInScope(parameter.parent.parent, checker).get(name.text) === root;
  return isSame ? { written, root } : undefined;
}

/** In `Address`, in `Address[]`, in `Address | undefined`. */
function entityNaming(
  declaration: ts.ClassDeclaration,
  node: ts.Node,
  checker: ts.TypeChecker,
): ts.EntityName | undefined {
  if (ts.isTypeReferenceNode(node)) {
    const named = checker.getSymbolAtLocation(node.typeName);
    const target = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    if (target?.valueDeclaration === declaration) return node.typeName;
  }
  return ts.forEachChild(node, (child) => entityNaming(declaration, child, checker));
}

function rootOf(name: ts.EntityName): ts.Identifier {
  return ts.isIdentifier(name) ? name : rootOf(name.left);
}
