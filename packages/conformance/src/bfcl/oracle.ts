import type { JsonSchema } from 'adorn';
import { Ajv2020 } from 'ajv/dist/2020.js';

import type { JsonObject } from './json-object.js';

const OPTIONS = { strict: false, validateFormats: false, addUsedSchema: false };

const ajv = new Ajv2020(OPTIONS);
const filling = new Ajv2020({ ...OPTIONS, useDefaults: true });

/** Whether a value fits a schema, by a validator that knows nothing of Adorn. */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  return ajv.validate(schema, value);
}

/** Arguments with the defaults of their schema where they leave something out, but for those that do not fit it. */
export function withDefaults(schema: JsonSchema, args: JsonObject): JsonObject {
  const filled = structuredClone(args);
  filling.validate(schema, filled);
  if (accepts(schema, filled)) return filled;
  const fitting = Object.keys(filled).filter(
    (name) => name in args || accepts(schema, { ...args, [name]: filled[name] }),
  );
  return Object.fromEntries(fitting.map((name) => [name, filled[name]]));
}
