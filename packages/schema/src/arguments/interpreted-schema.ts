import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema';

import { copyJson } from '../json/json-value.js';
import type { Validate } from './ajv.js';
import { asSchema, type JsonSchema, propertiesOf } from '../reader/schema-parts.js';
import type { SchemaFault } from './schema-fault.js';

/** Keywords whose failure only repeats that of a schema within them. */
const REPEATING: ReadonlySet<string> = new Set([
  '$recursiveRef',
  '$ref',
  'additionalItems',
  'allOf',
  'dependentSchemas',
  'false',
  'items',
  'patternProperties',
  'prefixItems',
  'properties',
  'unevaluatedItems',
]);

/** What Ajv says of a failed keyword, by its value in the schema. The other keywords have sentences of their own. */
const MESSAGES: Readonly<Record<string, (value: string) => string>> = {
  anyOf: () => 'must match a schema in anyOf',
  oneOf: () => 'must match exactly one schema in oneOf',
  not: () => 'must NOT be valid',
  if: () => 'must match the schema of its condition',
  format: (format) => `must match format "${format}"`,
  pattern: (pattern) => `must match pattern "${pattern}"`,
  minimum: (limit) => `must be >= ${limit}`,
  maximum: (limit) => `must be <= ${limit}`,
  exclusiveMinimum: (limit) => `must be > ${limit}`,
  exclusiveMaximum: (limit) => `must be < ${limit}`,
  multipleOf: (divisor) => `must be multiple of ${divisor}`,
  minLength: (limit) => `must NOT have fewer than ${limit} characters`,
  maxLength: (limit) => `must NOT have more than ${limit} characters`,
  minItems: (limit) => `must NOT have fewer than ${limit} items`,
  maxItems: (limit) => `must NOT have more than ${limit} items`,
  minProperties: (limit) => `must NOT have fewer than ${limit} properties`,
  maxProperties: (limit) => `must NOT have more than ${limit} properties`,
  uniqueItems: () => 'must NOT have duplicate items',
  contains: () => 'must contain at least 1 valid item(s)',
  propertyNames: () => 'property name must be valid',
};

/**
 * Compiles schemas without code generation, for places that forbid it, such as Cloudflare Workers. The errors are those
 * that Ajv would give. Patterns are matched without a time limit.
 */
export async function schemaInterpreter(draft: SchemaDraft): Promise<(schema: JsonSchema) => Validate> {
  const { Validator } = await import('@cfworker/json-schema');
  return (schema) => {
    // The validator writes into the schema.
    const validator = new Validator(copyJson(schema), draft, false);
    const validate: Validate = (value) => {
      const { valid, errors } = validator.validate(value);
      validate.errors = valid ? null : errorsOf(errors, schema, value);
      return valid;
    };
    return validate;
  };
}

function errorsOf(units: readonly OutputUnit[], schema: JsonSchema, value: unknown): SchemaFault[] {
  const errors = units.flatMap((unit) => errorOf(unit, schema, value) ?? []);
  if (errors.length > 0) return errors;
  const { keyword = 'false schema', instanceLocation = '#' } = units.at(-1) ?? {};
  return [
    {
      keyword,
      instancePath: instanceLocation.slice(1),
      schemaPath: '',
      params: {},
      message: 'is not allowed',
    },
  ];
}

function errorOf(unit: OutputUnit, schema: JsonSchema, value: unknown): SchemaFault | undefined {
  const { keyword, keywordLocation, instanceLocation, error } = unit;
  const parentSchema = parentAt(keywordLocation, schema);
  const stated = parentSchema[keyword];
  const isOfAll = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  if (REPEATING.has(keyword) || (isOfAll && stated !== false)) return undefined;
  const [, name] = /property "(.*)"/is.exec(error) ?? [];
  // A declared property that fails counts as not evaluated.
  if (keyword === 'unevaluatedProperties' && propertiesOf(parentSchema).has(name ?? '')) return undefined;
  return {
    keyword,
    instancePath: decodeURIComponent(instanceLocation).slice(1),
    schemaPath: keywordLocation,
    params: {
      missingProperty: name,
      additionalProperty: name,
      unevaluatedProperty: name,
      allowedValues: stated,
      allowedValue: stated,
      type: stated,
    },
    message: MESSAGES[keyword]?.(String(stated)) ?? error,
    parentSchema,
    data: at(instanceLocation, value),
  };
}

/** The schema that has the keyword. References on the way are followed. */
function parentAt(keywordLocation: string, schema: JsonSchema): JsonSchema {
  let found: unknown = schema;
  for (const step of stepsOf(keywordLocation).slice(0, -1)) {
    const inner: unknown = (found as Record<string, unknown> | undefined)?.[step];
    found = step === '$ref' && typeof inner === 'string' ? at(inner, schema) : inner;
  }
  return asSchema(found) ?? {};
}

/** The value at a JSON pointer. */
function at(pointer: string, value: unknown): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (found, step) => (found as Record<string, unknown> | undefined)?.[step],
    value,
  );
}

function stepsOf(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}
