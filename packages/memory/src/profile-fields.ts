import type { JsonSchema } from '@adorn/core';
import {
  type ArgumentCheck,
  ClassFields,
  type ClassReference,
  compileArgumentCheck,
  isObject,
  OptionInvalidError,
  present,
  propertiesOf,
  shown,
} from '@adorn/core/backend';

/** A class with `@remembered()`. */
export type ProfileClass<Profile extends object> = new (...args: never[]) => Profile;

/** Values of a profile by field, as JSON. */
export type ProfileValues = Readonly<Record<string, unknown>>;

/** Values that fit, or a sentence for each problem, without its period. */
export type CheckedProfile =
  | { readonly kind: 'valid'; readonly values: ProfileValues }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** The fields of a profile, and what each may hold. */
export class ProfileFields {
  private constructor(
    /** The schema of the fields, none of which is required or has a default. */
    readonly fieldsSchema: JsonSchema,
    /** The schema of a change: every field may be left out, and `null` removes it. */
    readonly changeSchema: JsonSchema,
    private readonly ofFields: ReadonlyMap<string, ArgumentCheck>,
    private readonly ofWhole: ArgumentCheck,
    private readonly ofClass: ClassFields | undefined,
  ) {}

  /**
   * @throws {SchemaMissingError} if there is no record of the class and none can be derived
   * @throws {OptionInvalidError} if it is no schema of an object with fields
   */
  static async load(source: ClassReference | JsonSchema): Promise<ProfileFields> {
    const ofClass = typeof source === 'function' ? await ClassFields.load(source) : undefined;
    const schema = ofClass?.schema ?? (source as JsonSchema);
    const { required: _begunEmpty, ...whole } = schema;
    const checks = fieldsOf(schema).map(async ([field, one]) => {
      const alone = { type: 'object', properties: { [field]: one }, ...sharedOf(schema) };
      return [field, await compileArgumentCheck(alone)] as const;
    });
    const fieldsSchema = fieldsSchemaOf(schema);
    return new ProfileFields(
      fieldsSchema,
      changeSchemaOf(fieldsSchema),
      new Map(await Promise.all(checks)),
      await compileArgumentCheck({ ...whole, additionalProperties: false }),
      ofClass,
    );
  }

  /** The names of the fields, in the order of the class or the schema. */
  get names(): readonly string[] {
    return [...this.ofFields.keys()];
  }

  /** The value of a field if it fits; undefined for one that an earlier version of the class has left. */
  fitting(field: string, value: unknown): unknown {
    if (value === undefined || value === null) return undefined;
    const checked = this.ofFields.get(field)?.({ [field]: value });
    return checked?.kind === 'valid' ? checked.args[field] : undefined;
  }

  /** Checks a profile, as far as it is filled. Values are converted where only one meaning is possible, as arguments are. */
  async check(profile: ProfileValues): Promise<CheckedProfile> {
    const checked = this.ofWhole(profile);
    if (checked.kind === 'invalid') return checked;
    const values = checked.args;
    const problems = (await this.ofClass?.problemsOf(values)) ?? [];
    return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', values };
  }
}

/** @throws {OptionInvalidError} if it is neither a class nor the schema of an object with fields */
export function checkSource(source: unknown): void {
  if (typeof source === 'function') return;
  if (isObject(source) && source['type'] === 'object' && fieldsOf(source).length > 0) return;
  throw new OptionInvalidError(
    'workingMemory',
    `the profile is ${shown(source)}`,
    "Pass a class with @remembered(), or a schema such as { type: 'object', properties: { city: { type: 'string' } } }.",
  );
}

function fieldsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return [...propertiesOf(schema)];
}

/** The definitions that the schemas of fields refer to. */
function sharedOf(schema: JsonSchema): JsonSchema {
  const { $defs, definitions } = schema;
  return present({ $defs, definitions });
}

/** Without defaults: a field that nobody names does not change. */
function fieldsSchemaOf(schema: JsonSchema): JsonSchema {
  const properties = fieldsOf(schema).map(([field, { default: _unsaid, ...one }]) => [field, one]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    additionalProperties: false,
    ...sharedOf(schema),
  };
}

function changeSchemaOf(schema: JsonSchema): JsonSchema {
  const properties = fieldsOf(schema).map(([field, { description, ...one }]) => [
    field,
    present({ description, ...orNull(one) }),
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as JsonSchema };
}

/** One list of types where that is enough: of an `anyOf`, a model is told what is wrong by each branch. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  const isPlain = typeof type === 'string' && !('enum' in schema) && !('const' in schema);
  return isPlain ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}
