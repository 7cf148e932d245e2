import type { ValidationError } from 'class-validator';

import { copyJson } from '../../json/copy-json.js';
import type { ClassReference } from '../../metadata/class-metadata.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { schemaCompiler } from '../../schema/ajv.js';
import { argumentPath } from '../../schema/argument-path.js';
import type { JsonSchema } from '../../schema/json-schema.js';
import { partCheck } from '../../schema/part-check.js';
import type { ClassRevival, Revival } from '../../schema/revival.js';
import { type ClassLibraries, classLibraries } from './class-libraries.js';
import { nameOf, plansIn } from './promised-classes.js';
import type { RevivalFaults } from './revival-faults.js';
import { type MadeInstance, type RevivalTools, reviveValue } from './revive-value.js';

/** What the plans of one tool share. */
export interface RevivalParts {
  /** The plans that others refer to. */
  readonly plans: Readonly<Record<string, Revival>>;
  readonly classes: ReadonlyMap<string, ClassReference>;
  /** The definitions that schemas of branches refer to. */
  readonly definitions: JsonSchema;
}

type Fits = RevivalTools['fits'];

/** Makes of one argument what its parameter's type promises. */
export class Reviver {
  /** Whether libraries have to be loaded, which takes its time. */
  readonly isAsync: boolean;
  private readonly known: readonly Revival[];
  private loading: Promise<{ readonly libraries?: ClassLibraries; readonly fits: Fits }> | undefined;

  constructor(
    private readonly plan: Revival,
    private readonly parts: RevivalParts,
  ) {
    this.known = [...plansIn(plan, parts.plans)];
    this.isAsync = this.classPlans().length > 0 || this.known.some(asksSchemas);
  }

  /** The value, as a copy that is the caller's own. What is wrong with it is added to the faults. */
  revive(name: string | undefined, given: unknown, faults: RevivalFaults): Awaitable<unknown> {
    if (given === undefined || given === null) return given;
    const path = name === undefined ? [] : [name];
    const value = copyJson(given);
    return this.isAsync
      ? this.reviveWithLibraries(value, path, faults)
      : reviveValue(
          this.plan,
          value,
          path,
          this.tools(faults, () => false),
        );
  }

  private async reviveWithLibraries(
    value: unknown,
    path: readonly string[],
    faults: RevivalFaults,
  ): Promise<unknown> {
    const { libraries, fits } = await (this.loading ??= this.load());
    const tools = this.tools(faults, fits, libraries);
    const revived = reviveValue(this.plan, value, path, tools);
    if (libraries === undefined) return revived;
    const plans = new Map(this.classPlans().map((plan) => [nameOf(plan), plan]));
    await Promise.all(tools.made.map((one) => checkInstance(one, libraries, plans, faults)));
    return revived;
  }

  private tools(faults: RevivalFaults, fits: Fits, libraries?: ClassLibraries): RevivalTools {
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

  private classPlans(): ClassRevival[] {
    return this.known.filter((plan) => plan.kind === 'class');
  }
}

function asksSchemas(plan: Revival): boolean {
  return plan.kind === 'choice' && plan.branches.some(({ schema }) => schema !== undefined);
}

/** How strictly an instance is held to its class: what the class does not name is refused. */
const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** What plans say of classes, by name. */
export type ClassPlans = ReadonlyMap<string, ClassRevival>;

/** Has class-validator check an instance, where it knows anything of its class. */
async function checkInstance(
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
