import { ts } from '../typescript.js';
import { constantOf } from './constant.js';
import { type DecoratorCall, decoratorCalls, findDecorator } from './decorators.js';
import { inheritedDeclarations } from './inheritance.js';

/** Decorators of class-transformer that define how a property is converted; Adorn then does not convert it. */
export type MadeBy = 'Type' | 'Transform';

/** The decorators of class-transformer. None of them means that a property is validated. */
const OWN = new Set(['Expose', 'Exclude', 'Type', 'Transform']);

/** The name under which JSON has a property, where `@Expose` gives it another. */
export function exposedName(declaration: ts.Declaration, checker: ts.TypeChecker): string | undefined {
  const options = optionsOf(findInward(declaration, 'Expose', checker), checker);
  return typeof options['name'] === 'string' ? options['name'] : undefined;
}

/** True if class-transformer omits a property when it creates an instance. */
export function isExcluded(declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  if (findInward(declaration, 'Exclude', checker)) return true;
  const owner = declaration.parent;
  return (
    ts.isClassLike(owner) &&
    findInward(owner, 'Exclude', checker) !== undefined &&
    findInward(declaration, 'Expose', checker) === undefined
  );
}

export function makerOfProperty(declaration: ts.Declaration, checker: ts.TypeChecker): MadeBy | undefined {
  return (['Transform', 'Type'] as const).find(
    (name) => findInward(declaration, name, checker) !== undefined,
  );
}

/** The type that `@Transform(({ value }: { value: string }) => …)` is written to take; undefined where it is `any`. */
export function sentForm(declaration: ts.Declaration, checker: ts.TypeChecker): ts.Type | undefined {
  const [made] = findInward(declaration, 'Transform', checker)?.args ?? [];
  const [signature] = made ? checker.getTypeAtLocation(made).getCallSignatures() : [];
  const [parameter] = signature?.getParameters() ?? [];
  const value = parameter && checker.getPropertyOfType(checker.getTypeOfSymbol(parameter), 'value');
  const type = value && checker.getTypeOfSymbol(value);
  return !type || type.flags & ts.TypeFlags.Any ? undefined : type;
}

/** True if the property has a decorator that may register a check with class-validator. */
export function isChecked(declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  return decoratorCalls(declaration, checker).some(({ name }) => !OWN.has(name));
}

/** True if class-validator also checks the value of the property as an instance. */
export function isValidatedWithin(declaration: ts.Declaration, checker: ts.TypeChecker): boolean {
  return findInward(declaration, 'ValidateNested', checker) !== undefined;
}

/**
 * A decorator that also applies to input, on the declaration or on the overridden one; `toPlainOnly` limits it to
 * output.
 */
function findInward(node: ts.Declaration, name: string, checker: ts.TypeChecker): DecoratorCall | undefined {
  const inherited = ts.isClassElement(node) ? inheritedDeclarations(node, checker) : [];
  const calls = [node, ...inherited].flatMap((place) => findDecorator(place, name, checker) ?? []);
  return calls.find((call) => optionsOf(call, checker)['toPlainOnly'] !== true);
}

function optionsOf(
  call: DecoratorCall | undefined,
  checker: ts.TypeChecker,
): Readonly<Record<string, unknown>> {
  const last = call?.args.at(-1);
  const value = last && constantOf(last, checker)?.value;
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
