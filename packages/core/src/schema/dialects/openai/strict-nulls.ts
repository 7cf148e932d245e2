import type { JsonSchema } from '../../json-schema.js';
import {
  branchesOf,
  elementSchema,
  namedSchemasIn,
  schemasIn,
  SchemaView,
} from '../../coercion/schema-view.js';
import { isObject } from '../conversion/json-object.js';

/** Deeper than any answer; bounds the walk of a schema that only refers to itself. */
const DEEPEST = 64;

/**
 * Removes the nulls that strict mode puts in place of absent properties: those of properties that the schema does not
 * require, and that may not be null. Returns the same value if there are none; never changes it.
 *
 * @param schema the schema before `toStrictSchema`
 */
export function withoutStrictNulls(schema: JsonSchema, value: unknown): unknown {
  return new NullRemover(new SchemaView(schema)).clean(schema, value, 0);
}

class NullRemover {
  constructor(private readonly view: SchemaView) {}

  clean(schema: JsonSchema, value: unknown, depth: number): unknown {
    if (depth > DEEPEST || typeof value !== 'object' || value === null) return value;
    const target = this.view.resolve(schema);
    const parts = [...(target === undefined ? [] : [target]), ...schemasIn(schema['allOf'])];
    const branch = branchesOf(schema).find((one) => this.view.mayMean(one, value));
    if (branch !== undefined) parts.push(branch);
    const own = this.cleanParts(schema, value, depth);
    return parts.reduce((cleaned, part) => this.clean(part, cleaned, depth + 1), own);
  }

  private cleanParts(schema: JsonSchema, value: unknown, depth: number): unknown {
    if (Array.isArray(value)) {
      const elements = (value as readonly unknown[]).map((element, index) =>
        this.clean(elementSchema(schema, index), element, depth + 1),
      );
      return elements.some((element, index) => element !== value[index]) ? elements : value;
    }
    return isObject(value) ? this.cleanProperties(schema, value, depth) : value;
  }

  private cleanProperties(
    schema: JsonSchema,
    object: Readonly<Record<string, unknown>>,
    depth: number,
  ): Readonly<Record<string, unknown>> {
    const properties = namedSchemasIn(schema['properties']);
    const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
    const kept = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      const property = properties.get(name);
      if (property === undefined) return [[name, value]];
      const isAbsent = value === null && !required.includes(name) && !this.view.takes(property, 'null');
      return isAbsent ? [] : [[name, this.clean(property, value, depth + 1)]];
    });
    const isSame =
      kept.length === Object.keys(object).length && kept.every(([name, one]) => one === object[name]);
    return isSame ? object : Object.fromEntries(kept);
  }
}
