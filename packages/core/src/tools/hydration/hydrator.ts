import type { ValidationError, ValidatorOptions } from 'class-validator';
import { copyJson } from '../../json/json-value.js';
import type { ClassReference } from '../../metadata/class-metadata.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { partCheck, schemaCompiler } from '../../schema/ajv.js';
import { argumentPath } from '../../schema/describe-problems.js';
import type { ClassHydration, Hydration } from '../../schema/derived-class.js';
import type { JsonSchema } from '../../schema/reader/schema-parts.js';
import {
  hydrateValue,
  type HydrationFaults,
  type HydrationTools,
  type MadeInstance,
} from './hydrate-value.js';
import { nameOf, plansIn } from './parameter-classes.js';

/** The parts shared by the plans of one tool. */
export interface HydrationParts {
  /** Named plans, for references. */
  readonly plans: Readonly<Record<string, Hydration>>;
  readonly classes: ReadonlyMap<string, ClassReference>;
  /** The `$defs` that schemas of union branches reference. */
  readonly definitions: JsonSchema;
}

type Fits = HydrationTools['fits'];

/** Converts the JSON of one argument to the value of its parameter's type. */
export class Hydrator {
  /** True if libraries have to be loaded. */
  readonly isAsync: boolean;
  private readonly known: readonly Hydration[];
  private loading: Promise<{ readonly libraries?: ClassLibraries; readonly fits: Fits }> | undefined;

  constructor(
    private readonly plan: Hydration,
    private readonly parts: HydrationParts,
  ) {
    this.known = [...plansIn(plan, parts.plans)];
    this.isAsync = this.classPlans().length > 0 || this.known.some(asksSchemas);
  }

  /** Returns a converted copy; adds problems to `faults`. */
  hydrate(name: string | undefined, given: unknown, faults: HydrationFaults): Awaitable<unknown> {
    if (given === undefined || given === null) return given;
    const path = name === undefined ? [] : [name];
    const value = copyJson(given);
    return this.isAsync
      ? this.hydrateWithLibraries(value, path, faults)
      : hydrateValue(
          this.plan,
          value,
          path,
          this.tools(faults, () => false),
        );
  }

  private async hydrateWithLibraries(
    value: unknown,
    path: readonly string[],
    faults: HydrationFaults,
  ): Promise<unknown> {
    const { libraries, fits } = await (this.loading ??= this.load());
    const tools = this.tools(faults, fits, libraries);
    const hydrated = hydrateValue(this.plan, value, path, tools);
    if (libraries === undefined) return hydrated;
    const plans = new Map(this.classPlans().map((plan) => [nameOf(plan), plan]));
    await Promise.all(tools.made.map((one) => checkInstance(one, libraries, plans, faults)));
    return hydrated;
  }

  private tools(faults: HydrationFaults, fits: Fits, libraries?: ClassLibraries): HydrationTools {
    return {
      plans: this.parts.plans,
      faults,
      made: [],
      fits,
      classNamed: (name) => this.parts.classes.get(name),
      toInstance: (type, value) => libraries?.toInstance(type, value) ?? value,
    };
  }

  private async load(): Promise<{ readonly libraries?: ClassLibraries; readonly fits: Fits }> {
    const { definitions } = this.parts;
    const fits = partCheck(await schemaCompiler(definitions), definitions);
    return this.classPlans().length === 0 ? { fits } : { fits, libraries: await classLibraries() };
  }

  private classPlans(): ClassHydration[] {
    return this.known.filter((plan) => plan.kind === 'class');
  }
}

function asksSchemas(plan: Hydration): boolean {
  return plan.kind === 'choice' && plan.branches.some(({ schema }) => schema !== undefined);
}

/** Validation options of instances: undeclared properties are refused. */
const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** The plans of classes, by name. */
export type ClassPlans = ReadonlyMap<string, ClassHydration>;

/** Validates an instance with class-validator, if its class has decorators. */
async function checkInstance(
  { instance, path }: MadeInstance,
  libraries: ClassLibraries,
  plans: ClassPlans,
  faults: HydrationFaults,
): Promise<void> {
  if (!libraries.hasRules(instance.constructor as ClassReference)) return;
  for (const fault of await libraries.validate(instance, STRICT)) {
    for (const problem of problemsOf(fault, path, plans)) faults.add(problem);
  }
}

function problemsOf(fault: ValidationError, above: readonly string[], plans: ClassPlans): string[] {
  const plan = planOf(fault.target, plans);
  // class-validator reports an instance of an unknown class without a property.
  const property = fault.property as string | undefined;
  const path = property === undefined ? above : [...above, plan?.sentAs?.[property] ?? property];
  const own = Object.entries(fault.constraints ?? {})
    .filter(([constraint]) => !isDeclared(constraint, property, fault.target, plan))
    .map(([, text]) => text.replace(property ?? '', argumentPath(path)));
  return own.concat((fault.children ?? []).flatMap((child) => problemsOf(child, path, plans)));
}

function planOf(target: object | undefined, plans: ClassPlans): ClassHydration | undefined {
  return target === undefined ? undefined : plans.get(target.constructor.name);
}

/** class-validator reports undecorated properties as unknown; the derived record knows which of them are declared. */
function isDeclared(
  constraint: string,
  property: string | undefined,
  target: object | undefined,
  plan: ClassHydration | undefined,
): boolean {
  if (constraint === 'unknownValue') return target !== undefined && target.constructor !== Object;
  return (
    constraint === 'whitelistValidation' &&
    property !== undefined &&
    plan?.unchecked?.includes(property) === true
  );
}

/** The functions of class-transformer and class-validator that construct and check instances. */
interface ClassLibraries {
  toInstance(type: ClassReference, value: object): object;
  /** True if the class has class-validator decorators; class-validator refuses instances of other classes. */
  hasRules(type: ClassReference): boolean;
  validate(instance: object, options: ValidatorOptions): Promise<ValidationError[]>;
}

let loading: Promise<ClassLibraries> | undefined;

/** Loads both libraries at the first call. */
function classLibraries(): Promise<ClassLibraries> {
  return (loading ??= load());
}

async function load(): Promise<ClassLibraries> {
  const [{ plainToInstance }, { getMetadataStorage, validate }] = await Promise.all([
    import('class-transformer').then(exportsOf),
    import('class-validator').then(exportsOf),
  ]);
  return {
    // Missing properties keep the initial values of the class.
    toInstance: (type, value) =>
      plainToInstance(type as new () => object, value, { exposeUnsetFields: false }),
    hasRules: (type) => {
      const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
      return rules.length > 0;
    },
    validate,
  };
}

/** A bundler may put the exports of a CommonJS module under `default` only. */
function exportsOf<Module extends object>(module: Module): Module {
  return (module as { readonly default?: Module }).default ?? module;
}
