import {
  AdornError,
  type ClassReference,
  HydrationFaults,
  Hydrator,
  type JsonSchema,
  loadDerivedRecords,
  resolveParameterClasses,
  sourceName,
} from '@adorn/schema';
import { noteDeclarationSites } from '../metadata/declaration-site.js';
import { hydrationParts } from './callable.tool.js';
import { refuseStandardCall } from './tool.decorator.js';

/**
 * The decorator of a class whose fields the compiler derives, as it derives the arguments of a tool. It has to be called by the
 * file of the class itself: the decorator of a package returns it.
 *
 * @param name the name of the decorator, for errors
 */
export function fieldsDecorator(name: string): (target: ClassReference, context?: unknown) => void {
  return (target, context) => {
    refuseStandardCall(name, context);
    noteDeclarationSites(target);
  };
}

/** The fields of a class that has the decorator. */
export class ClassFields {
  private constructor(
    /** The schema of an object with all fields. */
    readonly schema: JsonSchema,
    private readonly hydrator: Hydrator | undefined,
  ) {}

  /**
   * Finds or derives the fields of a class, and loads the libraries that check its instances.
   *
   * @throws {SchemaMissingError} if there is no record of the class and none can be derived
   * @throws {FieldsMissingError} if the record has no fields
   */
  static async load(target: ClassReference): Promise<ClassFields> {
    const fields = (await loadDerivedRecords(new Map([[target, []]]))).get(target)?.fields;
    if (!fields) throw new FieldsMissingError(sourceName(target));
    const plan = fields.parameters.find((parameter) => parameter.kind === 'arguments')?.revive;
    if (!plan) return new ClassFields(fields.parametersJsonSchema, undefined);
    const own = plan.kind === 'class' ? { [plan.class]: target } : {};
    const derived = { ...fields, classes: { ...fields.classes, ...own } };
    const parts = hydrationParts(derived, resolveParameterClasses(sourceName(target), derived));
    const hydrator = new Hydrator(plan, { ...parts, mayLackFields: true });
    await hydrator.ready();
    return new ClassFields(fields.parametersJsonSchema, hydrator);
  }

  /**
   * Checks values that fit the schema by class-validator, and by what dates, URLs and the like are made of. Fields may be missing.
   *
   * @returns a sentence for each problem, without its period; empty if there is none
   */
  async problemsOf(values: object): Promise<readonly string[]> {
    const faults = new HydrationFaults();
    await this.hydrator?.hydrate(undefined, values, faults);
    return faults.all;
  }
}

/** A class has no record of its fields: it has no decorator that asks for it, or was built by an older compiler. */
class FieldsMissingError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(className: string) {
    super(
      `The record of ${className} has no fields: the class lacks its decorator, such as @remembered(), or the record is ` +
        'older than it. Add the decorator, compile the sources and run "adorn build" again.',
    );
  }
}
