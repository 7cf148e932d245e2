import type { ValidationError, ValidatorOptions } from 'class-validator';
import { copyJson } from '../json/json-value.js';
import { AdornError } from '../errors/adorn.error.js';
import type { ClassReference } from '../metadata/class-metadata.js';
import { partCheck, schemaCompiler } from '../arguments/ajv.js';
import { argumentPath } from '../arguments/describe-problems.js';
import type { ClassHydration, Hydration } from '../derived/derived-class.js';
import type { JsonSchema } from '../reader/schema-parts.js';
import {
  hydrateValue,
  type HydrationFaults,
  type HydrationTools,
  type MadeInstance,
} from './hydrate-value.js';
import { hasValidators, nameOf, plansIn } from './parameter-classes.js';

/** The parts shared by the plans of one tool. */
export interface HydrationParts {
  /** Named plans, for references. */
  readonly plans: Readonly<Record<string, Hydration>>;
  /** The classes of the instances, by the names that plans have for them. */
  readonly classes: ReadonlyMap<string, ClassReference>;
  /** The `$defs` that schemas of union branches reference. */
  readonly definitions: JsonSchema;
  /** True if class-validator does not check missing fields. Default: false. */
  readonly mayLackFields?: boolean;
}

type Fits = HydrationTools['fits'];

/** What converting needs besides the plan. */
interface Loaded {
  readonly fits: Fits;
  /** Absent without class types. */
  readonly toInstance?: ToInstance;
}

const NOTHING_LOADED: Loaded = Object.freeze({ fits: () => false });

/** Converts the JSON of one argument to the value of its parameter's type. */
export class Hydrator {
  private readonly needsLibraries: boolean;
  private readonly known: readonly Hydration[];
  private loading: Promise<Loaded> | undefined;

  constructor(
    private readonly plan: Hydration,
    private readonly parts: HydrationParts,
  ) {
    this.known = [...plansIn(plan, parts.plans)];
    this.needsLibraries = this.classPlans().length > 0 || this.known.some(asksSchemas);
  }

  /**
   * Loads the libraries that construct and check the classes of the plan.
   *
   * @throws {ParameterLibraryMissingError}
   */
  async ready(): Promise<void> {
    if (this.classPlans().length === 0) return;
    await loadTransformer();
    if ([...this.parts.classes.values()].some(hasValidators)) await loadValidator();
  }

  /** Returns a converted copy; adds problems to `faults`. */
  async hydrate(name: string | undefined, given: unknown, faults: HydrationFaults): Promise<unknown> {
    if (given === undefined || given === null) return given;
    const path = name === undefined ? [] : [name];
    const { toInstance, fits } = this.needsLibraries ? await (this.loading ??= this.load()) : NOTHING_LOADED;
    const tools = this.tools(faults, fits, toInstance);
    const hydrated = hydrateValue(this.plan, copyJson(given), path, tools);
    const plans = new Map(this.classPlans().map((plan) => [nameOf(plan), plan]));
    const rules = { ...STRICT, skipMissingProperties: this.parts.mayLackFields === true };
    await Promise.all(tools.made.map((one) => checkInstance(one, plans, faults, rules)));
    return hydrated;
  }

  private tools(faults: HydrationFaults, fits: Fits, toInstance?: ToInstance): HydrationTools {
    return {
      plans: this.parts.plans,
      faults,
      made: [],
      fits,
      classNamed: (name) => this.parts.classes.get(name),
      toInstance: toInstance ?? ((_type, value) => value),
    };
  }

  private async load(): Promise<Loaded> {
    const { definitions } = this.parts;
    const fits = partCheck(await schemaCompiler(definitions, { isKnownGood: true }), definitions);
    return this.classPlans().length === 0 ? { fits } : { fits, toInstance: await loadTransformer() };
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
  plans: ClassPlans,
  faults: HydrationFaults,
  rules: ValidatorOptions,
): Promise<void> {
  // class-validator refuses instances of classes that it does not know.
  if (!hasValidators(instance.constructor as ClassReference)) return;
  const validate = await loadValidator();
  for (const fault of await validate(instance, rules)) {
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
    .map(([, text]) => withPath(text, property, argumentPath(path)));
  return own.concat((fault.children ?? []).flatMap((child) => problemsOf(child, path, plans)));
}

/** What class-validator's own messages have in front of the property. */
const BEFORE_PROPERTY =
  /^(?:(?:each value in|nested property|property|All|minimal allowed date for|maximal allowed date for) )*/;

/** The message with the path in place of the property, or after the path if the message does not begin with it. */
function withPath(text: string, property: string | undefined, path: string): string {
  const before = BEFORE_PROPERTY.exec(text)?.[0] ?? '';
  const rest = text.slice(before.length);
  const namesProperty =
    property !== undefined && rest.startsWith(property) && !/^[\w$]/.test(rest.slice(property.length));
  return namesProperty ? `${before}${path}${rest.slice(property.length)}` : `${path}: ${text}`;
}

function planOf(target: object | undefined, plans: ClassPlans): ClassHydration | undefined {
  return target && plans.get(target.constructor.name);
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

type ToInstance = HydrationTools['toInstance'];

let transformer: Promise<ToInstance> | undefined;
let validator: Promise<Validate> | undefined;

/** Loads class-transformer at the first call. */
function loadTransformer(): Promise<ToInstance> {
  return (transformer ??= import('class-transformer').then(
    (module): ToInstance =>
      // Missing properties keep the initial values of the class.
      (type, value) =>
        exportsOf(module).plainToInstance(type as new () => object, value, { exposeUnsetFields: false }),
    (cause: unknown) => {
      throw new ParameterLibraryMissingError('class-transformer', 'constructs its instances', cause);
    },
  ));
}

type Validate = (instance: object, options: ValidatorOptions) => Promise<ValidationError[]>;

/** Loads class-validator at the first call. */
function loadValidator(): Promise<Validate> {
  return (validator ??= import('class-validator').then(
    (module): Validate => exportsOf(module).validate,
    (cause: unknown) => {
      throw new ParameterLibraryMissingError('class-validator', 'checks its decorators', cause);
    },
  ));
}

/** A tool has a parameter of a class type, and a library for such classes cannot be imported. */
class ParameterLibraryMissingError extends AdornError {
  readonly code = 'LIBRARY_MISSING';

  constructor(library: string, purpose: string, cause: unknown) {
    super(
      `A parameter of a tool has a class type, and ${library}, which ${purpose}, cannot be imported from @adorn/core. ` +
        `Install it beside @adorn/core: npm install ${library}. If the parameter is only data, make it an interface.`,
      { cause },
    );
  }
}

/** A bundler may put the exports of a CommonJS module under `default` only. */
function exportsOf<Module extends object>(module: Module): Module {
  return (module as { readonly default?: Module }).default ?? module;
}
