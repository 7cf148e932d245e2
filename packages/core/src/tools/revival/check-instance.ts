import type { ValidationError } from 'class-validator';

import type { ClassReference } from '../../metadata/class-metadata.js';
import { argumentPath } from '../../schema/argument-path.js';
import type { ClassRevival } from '../../schema/revival.js';
import type { ClassLibraries } from './class-libraries.js';
import type { RevivalFaults } from './revival-faults.js';
import type { MadeInstance } from './revive-value.js';

/** How strictly an instance is held to its class: what the class does not name is refused. */
const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** What plans say of classes, by name. */
export type ClassPlans = ReadonlyMap<string, ClassRevival>;

/** Has class-validator check an instance, where it knows anything of its class. */
export async function checkInstance(
  { instance, path }: MadeInstance,
  libraries: ClassLibraries,
  plans: ClassPlans,
  faults: RevivalFaults,
): Promise<void> {
  if (!libraries.hasRules(instance.constructor as ClassReference)) return;
  for (const fault of await libraries.validate(instance, STRICT)) {
    for (const problem of problemsOf(fault, path, plans)) faults.add(problem);
  }
}

function problemsOf(fault: ValidationError, above: readonly string[], plans: ClassPlans): string[] {
  const plan = planOf(fault.target, plans);
  // Of an instance that class-validator knows nothing of, it says so without naming a property.
  const property = fault.property as string | undefined;
  const path = property === undefined ? above : [...above, plan?.sentAs?.[property] ?? property];
  const own = Object.entries(fault.constraints ?? {})
    .filter(([constraint]) => !isDeclared(constraint, property, fault.target, plan))
    .map(([, text]) => text.replace(property ?? '', argumentPath(path)));
  return own.concat((fault.children ?? []).flatMap((child) => problemsOf(child, path, plans)));
}

function planOf(target: object | undefined, plans: ClassPlans): ClassRevival | undefined {
  return target === undefined ? undefined : plans.get(target.constructor.name);
}

/** A property without a decorator is none that class-validator knows, and neither is a class of such; the source is. */
function isDeclared(
  constraint: string,
  property: string | undefined,
  target: object | undefined,
  plan: ClassRevival | undefined,
): boolean {
  if (constraint === 'unknownValue') return target !== undefined && target.constructor !== Object;
  return (
    constraint === 'whitelistValidation' &&
    property !== undefined &&
    plan?.unchecked?.includes(property) === true
  );
}
