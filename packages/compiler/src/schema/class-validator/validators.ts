import { constantOf } from '../../source/constant.js';
import { type DecoratorCall, decoratorCalls } from '../../source/decorators.js';
import { inheritedDeclarations } from '../../source/inheritance.js';
import { ts } from '../../typescript.js';

/** A decorator of class-validator at a property. */
export interface Validator {
  readonly name: string;
  /** The arguments known from the source; undefined for the others. */
  readonly args: readonly unknown[];
  /** True if it applies to the elements of the property. */
  readonly each: boolean;
}

/** Decorators that make the other validators of a property conditional. */
const CONDITIONS = new Set(['IsOptional', 'ValidateIf']);

/**
 * The validators of a property and of the properties it overrides, merged as class-validator does: an inherited
 * validator applies unless the property has one of the same kind. A validator that applies in some groups only is
 * checked at run time, and so is one for which only the run time knows whether it applies to each element.
 */
export function validatorsOf(declaration: ts.Declaration, checker: ts.TypeChecker): Validator[] {
  const inherited = ts.isClassElement(declaration) ? inheritedDeclarations(declaration, checker) : [];
  let calls: DecoratorCall[] = [];
  for (const place of [declaration, ...inherited]) {
    const own = decoratorCalls(place, checker).filter(({ module }) => module === 'class-validator');
    const isCondition = new Set(calls.map(({ name }) => CONDITIONS.has(name)));
    calls = [...calls, ...own.filter(({ name }) => !isCondition.has(CONDITIONS.has(name)))];
  }
  return calls.flatMap((call) => validatorOf(call, checker) ?? []);
}

function validatorOf({ name, args }: DecoratorCall, checker: ts.TypeChecker): Validator | undefined {
  const last = args.at(-1);
  const options = last && optionsIn(last, checker);
  const each = options?.has('each') ? options.get('each') : false;
  if (options?.has('groups') || typeof each !== 'boolean') return undefined;
  const own = options ? args.slice(0, -1) : args;
  return {
    name,
    args: own.map((arg) => valueOf(arg, checker)),
    each,
  };
}

const OPTIONS = ['each', 'message', 'groups', 'always', 'context'];

/**
 * The options of the validation, if the expression is an options object; values that the source does not show are
 * undefined.
 */
function optionsIn(node: ts.Expression, checker: ts.TypeChecker): ReadonlyMap<string, unknown> | undefined {
  const type = checker.getTypeAtLocation(node);
  const names = type.getProperties().map(({ name }) => name);
  if (!names.some((name) => OPTIONS.includes(name))) return undefined;
  return new Map(names.map((name) => [name, propertyValue(node, name, checker)]));
}

function propertyValue(node: ts.Expression, name: string, checker: ts.TypeChecker): unknown {
  const property = checker.getPropertyOfType(checker.getTypeAtLocation(node), name)?.valueDeclaration;
  return property && ts.isPropertyAssignment(property)
    ? constantOf(property.initializer, checker)?.value
    : undefined;
}

/** A constant, or the members of an enum. */
function valueOf(node: ts.Expression, checker: ts.TypeChecker): unknown {
  return constantOf(node, checker)?.value ?? enumMembers(node, checker);
}

/** The members of an enum; undefined if a namespace merged into it adds members known only at run time. */
function enumMembers(node: ts.Expression, checker: ts.TypeChecker): Record<string, unknown> | undefined {
  const symbol = checker.getTypeAtLocation(node).symbol as ts.Symbol | undefined;
  const entries = [...(symbol?.exports?.values() ?? [])].map(
    ({ name, valueDeclaration: member }): [string, unknown] => [
      name,
      member && ts.isEnumMember(member) ? checker.getConstantValue(member) : undefined,
    ],
  );
  const isKnown = entries.length > 0 && entries.every(([, value]) => value !== undefined);
  return isKnown ? Object.fromEntries(entries) : undefined;
}
