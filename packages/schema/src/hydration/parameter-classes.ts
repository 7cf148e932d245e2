import { AdornError } from '../errors/adorn.error.js';
import { baseOf, type ClassReference, propertyType } from '../metadata/class-metadata.js';
import type { ClassHydration, DerivedTool, Hydration } from '../derived/derived-class.js';

type Classes = Map<string, ClassReference>;

/**
 * Finds the classes in the parameter types of a method or function: as written by the build, else in the metadata that
 * the compiler emitted for the parameter or a property, else by name among the classes with class-validator decorators.
 *
 * @param owner the method or function, for error messages
 * @param emitted the emitted metadata of the parameters; functions have none
 * @throws {ParameterClassUnknownError} if a class that Adorn has to instantiate is not found
 * @throws {ParameterClassAmbiguousError} if several classes with class-validator decorators have its name
 */
export function resolveParameterClasses(
  owner: string,
  derived: DerivedTool,
  emitted: readonly unknown[] = [],
): ReadonlyMap<string, ClassReference> {
  const plans = classPlansOf(derived);
  if (plans.length === 0) return new Map();
  const found: Classes = new Map();
  for (const plan of plans) {
    const written = derived.classes?.[plan.class];
    if (written) found.set(plan.class, written);
    else note(found, plan, plans, emitted);
  }
  for (let before = -1; before < found.size;) {
    before = found.size;
    noteFromProperties(found, plans, derived);
  }
  const wanted = new Set(derived.instances);
  for (const plan of plans.filter((one) => wanted.has(one.class))) noteRegistered(found, plan, plans, owner);
  return found;
}

function classPlansOf({ parameters, revivals = {} }: DerivedTool): ClassHydration[] {
  const plans = parameters.flatMap((parameter) => ('revive' in parameter ? (parameter.revive ?? []) : []));
  const all = new Set(plans.flatMap((plan) => [...plansIn(plan, revivals)]));
  return [...all].filter((plan) => plan.kind === 'class');
}

/** Ignores a name that two classes of the tool share. */
function note(
  found: Classes,
  plan: ClassHydration,
  plans: readonly ClassHydration[],
  candidates: readonly unknown[],
): void {
  if (found.has(plan.class) || namesakes(plan, plans) > 1) return;
  const known = candidates.find((one) => typeof one === 'function' && one.name === nameOf(plan));
  if (known !== undefined) found.set(plan.class, known as ClassReference);
}

/** The class's own name. */
export function nameOf(plan: ClassHydration): string {
  return plan.name ?? plan.class;
}

function namesakes(plan: ClassHydration, plans: readonly ClassHydration[]): number {
  return new Set(plans.filter((other) => nameOf(other) === nameOf(plan)).map((other) => other.class)).size;
}

/** Adds the classes in the emitted metadata of properties of known classes. */
function noteFromProperties(
  found: Classes,
  plans: readonly ClassHydration[],
  { revivals = {} }: DerivedTool,
): void {
  for (const { class: name, properties = {} } of plans) {
    const owner = found.get(name);
    if (!owner) continue;
    for (const [property, plan] of Object.entries(properties)) {
      const inner = resolved(plan, revivals);
      if (inner?.kind === 'class')
        note(found, inner, plans, [propertyType(owner.prototype as object, property)]);
    }
  }
}

function resolved(plan: Hydration, revivals: Readonly<Record<string, Hydration>>): Hydration | undefined {
  return plan.kind === 'reference' ? revivals[plan.name] : plan;
}

function noteRegistered(
  found: Classes,
  plan: ClassHydration,
  plans: readonly ClassHydration[],
  owner: string,
): void {
  if (found.has(plan.class)) return;
  const name = nameOf(plan);
  const registered = validatedClasses(name);
  const count = Math.max(registered.length, namesakes(plan, plans));
  if (count > 1) throw new ParameterClassAmbiguousError(owner, name, count);
  const [only] = registered;
  if (!only) throw new ParameterClassUnknownError(owner, name);
  found.set(plan.class, only);
}

/** A parameter has a class type of which only the name is known, and several classes have that name. */
class ParameterClassAmbiguousError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(method: string, parameterClass: string, count: number) {
    super(
      `A parameter of ${method} has the class type ${parameterClass}, but there are ` +
        `${String(count)} classes with that name. Rename one, or let the build record the class: ` +
        'import it without "import type" in the file of the tool and run "adorn build", or compile with tsc and ' +
        'emitDecoratorMetadata.',
    );
  }
}

/** A parameter has a class type that is unknown at run time. */
class ParameterClassUnknownError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(method: string, parameterClass: string) {
    super(
      `A parameter of ${method} has the class type ${parameterClass}, but the class is unknown at run time: ` +
        'esbuild, tsx and type stripping emit no types. If it is only data, make it an interface. Otherwise ' +
        'decorate a property of it with class-validator, run "adorn build" where the file of the tool imports it ' +
        'without "import type", or compile with tsc and emitDecoratorMetadata.',
    );
  }
}

/** A plan, all nested plans and all referenced plans, each once. */
export function plansIn(
  plan: Hydration,
  named: Readonly<Record<string, Hydration>>,
  seen = new Set<Hydration>(),
): ReadonlySet<Hydration> {
  if (seen.has(plan)) return seen;
  seen.add(plan);
  for (const inner of partsOf(plan, named)) plansIn(inner, named, seen);
  return seen;
}

function partsOf(plan: Hydration, named: Readonly<Record<string, Hydration>>): Hydration[] {
  switch (plan.kind) {
    case 'reference':
      return [named[plan.name] ?? []].flat();
    case 'list':
      return [...(plan.first ?? []), plan.rest].filter((part) => part !== null && part !== undefined);
    case 'object':
    case 'class': {
      const parts = [...Object.values(plan.properties ?? {}), ...Object.values(plan.patterns ?? {})];
      return plan.others ? [...parts, plan.others] : parts;
    }
    case 'choice':
      return plan.branches.flatMap(({ revive }) => revive ?? []);
    default:
      return [];
  }
}

/** The global metadata of class-validator, shared by all copies in a process. */
interface Registry {
  readonly validationMetadatas?: ReadonlyMap<unknown, unknown>;
}

/**
 * The classes with this name that have class-validator decorators. Does not load class-validator: the file of such a
 * class has loaded it.
 */
function validatedClasses(name: string): ClassReference[] {
  return [...(registered()?.keys() ?? [])].filter(
    (target): target is ClassReference => typeof target === 'function' && target.name === name,
  );
}

/** True if the class, or one that it extends, has class-validator decorators. */
export function hasValidators(type: ClassReference): boolean {
  const base = baseOf(type);
  return registered()?.has(type) === true || (base !== undefined && hasValidators(base));
}

function registered(): Registry['validationMetadatas'] {
  const { classValidatorMetadataStorage: registry } = globalThis as {
    classValidatorMetadataStorage?: Registry;
  };
  return registry?.validationMetadatas;
}
