import { guardedPattern, type Pattern } from '../guarded-pattern.js';
import type { JsonSchema } from '../json-schema.js';
import { asSchema, namedSchemasIn } from './schema-view.js';

/** What a schema says of the properties of an object; it is read once. */
export class ObjectShape {
  /** By name, those of which a schema says more than true or false. */
  readonly properties: ReadonlyMap<string, JsonSchema>;
  private readonly names: ReadonlySet<string>;
  private readonly patterns: readonly (readonly [Pattern, JsonSchema])[];
  private readonly others: JsonSchema | undefined;
  private readonly isClosed: boolean;

  constructor(schema: JsonSchema) {
    const { properties, patternProperties, additionalProperties } = schema;
    this.properties = namedSchemasIn(properties);
    this.names = new Set(Object.keys(asSchema(properties) ?? {}));
    this.patterns = [...namedSchemasIn(patternProperties)].map(
      ([pattern, one]) => [guardedPattern(pattern, 'u'), one] as const,
    );
    this.others = asSchema(additionalProperties);
    this.isClosed = additionalProperties === false;
  }

  /** All that is said of a property. */
  schemasOf(name: string): readonly JsonSchema[] {
    const named = this.properties.get(name);
    const matching = this.patterns.filter(([pattern]) => pattern.test(name)).map(([, schema]) => schema);
    const known = named === undefined ? matching : [named, ...matching];
    return known.length > 0 || this.others === undefined ? known : [this.others];
  }

  hasRoomFor(name: string): boolean {
    return !this.isClosed || this.names.has(name) || this.schemasOf(name).length > 0;
  }
}
