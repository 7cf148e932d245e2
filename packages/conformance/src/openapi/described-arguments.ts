import { Ajv } from 'ajv';

import { asJson, isJson, type Json } from '../types/json-shape.js';
import { randomFrom } from '../types/random.js';
import { sample } from '../types/sample.js';
import { type DescribedOperation, requestSchema } from './described-operations.js';
import { withTexts } from './format-texts.js';

const SEEDS = 200;

/** Values for an operation: of its parameters, in their order, and of its body. */
export interface DescribedValues {
  /** Undefined for a parameter that is left out. */
  readonly parameters: readonly unknown[];
  readonly body: unknown;
}

/**
 * Values that the document allows for an operation, always the same ones: all that it has, else some; undefined where none
 * were found. They are drawn from the document's own schemas, and not from a declaration.
 */
export function describedValues(operation: DescribedOperation): DescribedValues | undefined {
  const { parameters, body, root } = operation;
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  parameters.forEach(({ schema, isRequired }, index) => {
    properties[`p${String(index)}`] = schema;
    if (isRequired) required.push(`p${String(index)}`);
  });
  if (body) properties['body'] = bodySchema(body.mediaType, body.schema);
  if (body?.isRequired === true) required.push('body');
  const whole = requestSchema(withoutOwn({ ...root, type: 'object', properties })) as Json;
  const found =
    validSample({ ...whole, required: Object.keys(properties) }) ?? validSample({ ...whole, required });
  if (!found) return undefined;
  const values = parameters.map((_each, index) => found[`p${String(index)}`]);
  return { parameters: values, body: found['body'] };
}

/** Of a body that has no JSON the value is a text, or bytes in base64. */
function bodySchema(mediaType: string, schema: Json): Json {
  if (/json|form|\*\/\*/.test(mediaType)) return schema;
  return /text|xml|yaml/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** Keywords that the reader's operation has by chance. */
function withoutOwn({ id: _id, description: _description, ...rest }: Json): Json {
  return rest;
}

function validSample(schema: Json): Json | undefined {
  const check = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
  const sampled = withTexts(schema) as Json;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const value = sample(sampled, randomFrom(seed));
    if (isJson(value) && check(value)) return asJson(JSON.parse(JSON.stringify(value)));
  }
  return undefined;
}
