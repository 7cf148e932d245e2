import { constantOf } from './constant.js';
import { followed } from './followed.js';
import { type Property } from './literals.js';
import { ts } from '../typescript.js';

/** The value of an option that only running the program would show. */
export const UNKNOWN = Symbol('unknown');

/** The options of an object literal with their values, a placeholder for each function, and `UNKNOWN` for what the source does not tell. */
export type WrittenOptions = Readonly<Record<string, unknown>>;

/**
 * The options that an expression writes, through constants and spread objects.
 *
 * @param names the options there are: each is `UNKNOWN` where an object is spread, or passed, that cannot be read
 */
export function writtenOptions(
  expression: ts.Expression | undefined,
  names: ReadonlySet<string>,
  checker: ts.TypeChecker,
): WrittenOptions {
  if (!expression) return {};
  const object = followed(expression, checker);
  if (!ts.isObjectLiteralExpression(object)) return allUnknown(names);
  return Object.assign({}, ...object.properties.map((one) => entryOf(one, names, checker))) as WrittenOptions;
}

function allUnknown(names: ReadonlySet<string>): WrittenOptions {
  return Object.fromEntries([...names].map((name) => [name, UNKNOWN]));
}

function entryOf(
  property: ts.ObjectLiteralElementLike,
  names: ReadonlySet<string>,
  checker: ts.TypeChecker,
): WrittenOptions {
  if (ts.isSpreadAssignment(property)) return writtenOptions(property.expression, names, checker);
  if (!('text' in property.name)) return allUnknown(names);
  return { [property.name.text]: valueOf(property, checker) };
}

function valueOf(
  property: Exclude<ts.ObjectLiteralElementLike, ts.SpreadAssignment>,
  checker: ts.TypeChecker,
) {
  if (ts.isPropertyAssignment(property)) return valueIn(property.initializer, checker);
  if (ts.isShorthandPropertyAssignment(property)) return valueIn(property.name, checker);
  return ts.isMethodDeclaration(property) ? someFunction : UNKNOWN;
}

/** Stands for any function of the source; never called. */
function someFunction(): undefined {
  return undefined;
}

function valueIn(property: Property, checker: ts.TypeChecker): unknown {
  if (ts.isMethodDeclaration(property)) return someFunction;
  const written = followed(property, checker);
  if (ts.isObjectLiteralExpression(written)) return objectIn(written, checker);
  if (ts.isBigIntLiteral(written)) return BigInt(written.text.slice(0, -1));
  if (ts.isVoidExpression(written)) return undefined;
  if (ts.isIdentifier(written) && GLOBALS.has(written.text)) return GLOBALS.get(written.text);
  if (isFunction(checker.getTypeAtLocation(written))) return someFunction;
  const constant = constantOf(written, checker);
  return constant ? constant.value : UNKNOWN;
}

const GLOBALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['undefined', undefined],
  ['Infinity', Infinity],
  ['NaN', NaN],
]);

/** One property that is not known makes the object unknown. */
function objectIn(object: ts.ObjectLiteralExpression, checker: ts.TypeChecker): unknown {
  const written = writtenOptions(object, new Set(['…']), checker);
  return Object.values(written).includes(UNKNOWN) ? UNKNOWN : written;
}

function isFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0;
}
