import { ts } from '../typescript.js';

/** A value known from the source alone. */
export interface Constant {
  readonly value: unknown;
}

const DEEPEST = 16;

/**
 * The value of an expression, through constants, enum members and readonly properties, also imported ones;
 * undefined where only running the program would tell. A regular expression is a RegExp.
 */
export function constantOf(node: ts.Expression, checker: ts.TypeChecker, depth = 0): Constant | undefined {
  if (depth > DEEPEST) return undefined;
  const inner = (expression: ts.Expression): Constant | undefined =>
    constantOf(expression, checker, depth + 1);
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (ts.isRegularExpressionLiteral(node)) return regularExpression(node);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isArrayLiteralExpression(node)) return list(node.elements.map(inner));
  if (ts.isObjectLiteralExpression(node)) return record(node, inner);
  if (ts.isPrefixUnaryExpression(node)) return signed(node, inner);
  if (ts.isBinaryExpression(node)) return computed(node, inner);
  if (isWrapped(node)) return inner(node.expression);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return named(node, checker, inner);
  return undefined;
}

type Inner = (expression: ts.Expression) => Constant | undefined;

function regularExpression({ text }: ts.RegularExpressionLiteral): Constant | undefined {
  const end = text.lastIndexOf('/');
  try {
    return { value: new RegExp(text.slice(1, end), text.slice(end + 1)) };
  } catch {
    return undefined;
  }
}

function list(elements: readonly (Constant | undefined)[]): Constant | undefined {
  const known = elements.filter((element) => element !== undefined);
  return known.length === elements.length ? { value: known.map(({ value }) => value) } : undefined;
}

function record(node: ts.ObjectLiteralExpression, inner: Inner): Constant | undefined {
  const entries: [string, unknown][] = [];
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) return undefined;
    const constant = inner(property.initializer);
    if (constant === undefined || ts.isPrivateIdentifier(property.name)) return undefined;
    entries.push([property.name.text, constant.value]);
  }
  return { value: Object.fromEntries(entries) };
}

function signed({ operator, operand }: ts.PrefixUnaryExpression, inner: Inner): Constant | undefined {
  const value = inner(operand)?.value;
  if (typeof value === 'boolean' && operator === ts.SyntaxKind.ExclamationToken) return { value: !value };
  if (typeof value !== 'number') return undefined;
  if (operator === ts.SyntaxKind.MinusToken) return { value: -value };
  return operator === ts.SyntaxKind.PlusToken ? { value } : undefined;
}

function computed({ left, operatorToken, right }: ts.BinaryExpression, inner: Inner): Constant | undefined {
  const one = inner(left)?.value;
  const other = inner(right)?.value;
  if (
    typeof one === 'string' &&
    typeof other === 'string' &&
    operatorToken.kind === ts.SyntaxKind.PlusToken
  ) {
    return { value: one + other };
  }
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  switch (operatorToken.kind) {
    case ts.SyntaxKind.PlusToken:
      return { value: one + other };
    case ts.SyntaxKind.MinusToken:
      return { value: one - other };
    case ts.SyntaxKind.AsteriskToken:
      return { value: one * other };
    case ts.SyntaxKind.SlashToken:
      return { value: one / other };
    default:
      return undefined;
  }
}

/** What leaves the value of an expression as it is. */
export function isWrapped(
  node: ts.Expression,
): node is
  | ts.AsExpression
  | ts.TypeAssertion
  | ts.SatisfiesExpression
  | ts.ParenthesizedExpression
  | ts.NonNullExpression {
  return (
    ts.isAsExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

function named(
  node: ts.Identifier | ts.PropertyAccessExpression,
  checker: ts.TypeChecker,
  inner: Inner,
): Constant | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isEnumMember(declaration)) return enumMember(declaration, checker);
  if (isFixed(declaration)) return declaration.initializer && inner(declaration.initializer);
  return undefined;
}

function enumMember(member: ts.EnumMember, checker: ts.TypeChecker): Constant | undefined {
  const value = checker.getConstantValue(member);
  return value === undefined ? undefined : { value };
}

/** A `const`, a readonly property with a value, or a property of an object literal. */
export function isFixed(
  node: ts.Declaration,
): node is ts.VariableDeclaration | ts.PropertyDeclaration | ts.PropertyAssignment {
  if (ts.isVariableDeclaration(node)) return (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0;
  if (ts.isPropertyDeclaration(node))
    return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Readonly) !== 0;
  return ts.isPropertyAssignment(node);
}
