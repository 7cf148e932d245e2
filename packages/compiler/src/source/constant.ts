import { ts } from '../typescript.js';

/** A value known from the source alone. */
export interface Constant {
  readonly value: unknown;
}

const DEEPEST = 16;

/**
 * The value of an expression, through constants, enum members and readonly properties, also imported ones; undefined
 * if only running the program would show it. A regular expression is a RegExp.
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
  if (ts.isTemplateExpression(node)) return template(node, inner);
  if (ts.isArrayLiteralExpression(node)) return list(node.elements, inner);
  if (ts.isObjectLiteralExpression(node)) return record(node, checker, inner);
  if (ts.isPrefixUnaryExpression(node)) return signed(node, inner);
  if (ts.isBinaryExpression(node)) return computed(node, inner);
  if (isWrapped(node)) return inner(node.expression);
  if (ts.isElementAccessExpression(node)) return element(node, inner);
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

function template({ head, templateSpans }: ts.TemplateExpression, inner: Inner): Constant | undefined {
  const parts = templateSpans.map(({ expression, literal }) => {
    const value = inner(expression)?.value;
    return isPrimitive(value) ? String(value) + literal.text : undefined;
  });
  return parts.includes(undefined) ? undefined : { value: head.text + parts.join('') };
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function list(elements: readonly ts.Expression[], inner: Inner): Constant | undefined {
  const values: unknown[] = [];
  for (const element of elements) {
    const constant = inner(ts.isSpreadElement(element) ? element.expression : element);
    if (!constant) return undefined;
    if (!ts.isSpreadElement(element)) values.push(constant.value);
    else if (Array.isArray(constant.value)) values.push(...(constant.value as readonly unknown[]));
    else return undefined;
  }
  return { value: values };
}

function record(
  node: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
  inner: Inner,
): Constant | undefined {
  const entries: [string, unknown][] = [];
  for (const property of node.properties) {
    const own = entriesOf(property, checker, inner);
    if (!own) return undefined;
    entries.push(...own);
  }
  return { value: Object.fromEntries(entries) };
}

function entriesOf(
  property: ts.ObjectLiteralElementLike,
  checker: ts.TypeChecker,
  inner: Inner,
): readonly [string, unknown][] | undefined {
  if (ts.isSpreadAssignment(property)) {
    const value = inner(property.expression)?.value;
    return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
  }
  const key = keyOf(property.name);
  const constant = ts.isPropertyAssignment(property)
    ? inner(property.initializer)
    : ts.isShorthandPropertyAssignment(property) && shorthand(property, checker, inner);
  return key === undefined || !constant ? undefined : [[key, constant.value]];
}

function keyOf(name: ts.PropertyName): string | undefined {
  return ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name) ? undefined : name.text;
}

function shorthand(
  property: ts.ShorthandPropertyAssignment,
  checker: ts.TypeChecker,
  inner: Inner,
): Constant | undefined {
  return valueOf(checker.getShorthandAssignmentValueSymbol(property), checker, inner);
}

/** `NAMES[0]` and `LIMITS['days']`. */
function element(
  { expression, argumentExpression }: ts.ElementAccessExpression,
  inner: Inner,
): Constant | undefined {
  const holder = inner(expression)?.value;
  const key = inner(argumentExpression)?.value;
  if (typeof holder !== 'object' || holder === null || !isPrimitive(key)) return undefined;
  if (!Object.hasOwn(holder, String(key))) return undefined;
  return { value: (holder as Readonly<Record<string, unknown>>)[String(key)] };
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
  const isText = typeof one === 'string' || typeof other === 'string';
  if (isText && isPrimitive(one) && isPrimitive(other) && operatorToken.kind === ts.SyntaxKind.PlusToken)
    return { value: String(one) + String(other) };
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  const value = OPERATIONS.get(operatorToken.kind)?.(one, other);
  return value === undefined ? undefined : { value };
}

const OPERATIONS: ReadonlyMap<ts.SyntaxKind, (one: number, other: number) => number> = new Map([
  [ts.SyntaxKind.PlusToken, (one, other) => one + other],
  [ts.SyntaxKind.MinusToken, (one, other) => one - other],
  [ts.SyntaxKind.AsteriskToken, (one, other) => one * other],
  [ts.SyntaxKind.SlashToken, (one, other) => one / other],
  [ts.SyntaxKind.PercentToken, (one, other) => one % other],
  [ts.SyntaxKind.AsteriskAsteriskToken, (one, other) => one ** other],
  [ts.SyntaxKind.LessThanLessThanToken, (one, other) => one << other],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, (one, other) => one >> other],
  [ts.SyntaxKind.BarToken, (one, other) => one | other],
  [ts.SyntaxKind.AmpersandToken, (one, other) => one & other],
]);

/** True for wrappers that do not change the value of an expression. */
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
  return valueOf(checker.getSymbolAtLocation(node), checker, inner);
}

function valueOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker, inner: Inner): Constant | undefined {
  const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target?.valueDeclaration ?? target?.declarations?.[0];
  if (!declaration) return undefined;
  if (ts.isEnumMember(declaration)) return enumMember(declaration, checker);
  if (ts.isExportAssignment(declaration)) return inner(declaration.expression);
  if (ts.isShorthandPropertyAssignment(declaration)) return shorthand(declaration, checker, inner);
  if (ts.isSourceFile(declaration)) return jsonFile(declaration, inner);
  if (isFixed(declaration)) return declaration.initializer && inner(declaration.initializer);
  return undefined;
}

function jsonFile(file: ts.SourceFile, inner: Inner): Constant | undefined {
  const [statement] = file.fileName.endsWith('.json') ? file.statements : [];
  return statement && ts.isExpressionStatement(statement) ? inner(statement.expression) : undefined;
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

/** The value of an expression, if known from the source and representable in JSON. */
export function jsonConstantOf(node: ts.Expression, checker: ts.TypeChecker): Constant | undefined {
  const constant = constantOf(node, checker);
  return constant && isJson(constant.value) ? constant : undefined;
}

function isJson(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return !(value instanceof RegExp) && Object.values(value).every(isJson);
}
