import type { DerivedParameter } from '@adorn/core/compiler';

import { findDecorator } from '../source/decorators.js';
import { inheritedDeclarations } from '../source/inheritance.js';
import { ts } from '../typescript.js';

/** Injected parameters. */
type InjectedKind = Exclude<DerivedParameter['kind'], 'argument' | 'arguments' | 'class'>;

/** Types by whose name a parameter is known to be filled in. They are no users' types: those are arguments. */
const INJECTED_TYPES: Readonly<Record<string, InjectedKind>> = {
  ReadonlyContext: 'context',
  ToolContext: 'context',
  AbortSignal: 'signal',
  LiveInput: 'live',
};

/** The injected value of a parameter, if any: by `@inject`, otherwise by its type. */
export function injectedKind(
  parameter: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
): InjectedKind | undefined {
  if (isInjected(parameter, checker)) return 'service';
  return kindOfType(checker.getTypeAtLocation(parameter), checker);
}

/** An override without decorators on its parameters inherits those of the overridden method. */
function isInjected(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): boolean {
  const method = parameter.parent;
  if (!ts.isMethodDeclaration(method)) return false;
  const place = positionals(method).indexOf(parameter);
  const spoken = [method, ...inheritedDeclarations(method, checker)]
    .filter(ts.isMethodDeclaration)
    .map((declaration) => positionals(declaration).map((one) => hasInject(one, checker)))
    .find((places) => places.includes(true));
  return spoken?.[place] ?? false;
}

/** The parameters that are there at run time. */
export function positionals({ parameters }: ts.SignatureDeclaration): readonly ts.ParameterDeclaration[] {
  return parameters.filter(({ name }) => name.getText() !== 'this');
}

function hasInject(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): boolean {
  return findDecorator(parameter, 'inject', checker) !== undefined;
}

function kindOfType(type: ts.Type, checker: ts.TypeChecker): InjectedKind | undefined {
  const bound = checker.getBaseConstraintOfType(type) ?? type;
  const plain = bound.isUnion() ? checker.getNonNullableType(bound) : bound;
  if (plain.isIntersection()) return firstKind(plain.types, checker);
  const { symbol } = plain as { symbol?: ts.Symbol };
  const known =
    symbol && Object.hasOwn(INJECTED_TYPES, symbol.name) ? INJECTED_TYPES[symbol.name] : undefined;
  if (known !== undefined && isForeign(symbol)) return known;
  const declared = (plain as { target?: ts.Type }).target ?? plain;
  return firstKind(declared.isClassOrInterface() ? checker.getBaseTypes(declared) : [], checker);
}

function firstKind(types: readonly ts.Type[], checker: ts.TypeChecker): InjectedKind | undefined {
  for (const type of types) {
    const kind = kindOfType(type, checker);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** True for types of packages and the platform. */
function isForeign(symbol: ts.Symbol | undefined): boolean {
  return (symbol?.declarations ?? []).some((one) => one.getSourceFile().isDeclarationFile);
}
