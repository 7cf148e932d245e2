import type { JsonSchema } from './json-schema.js';

type Example = Readonly<Record<string, unknown>>;

/** The first example of a schema that is an object and fits; undefined where there is none. */
export function exampleIn(
  { examples }: JsonSchema,
  fits: (example: Example) => boolean,
): Example | undefined {
  return Array.isArray(examples) ? examples.filter(isObject).find(fits) : undefined;
}

function isObject(value: unknown): value is Example {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
