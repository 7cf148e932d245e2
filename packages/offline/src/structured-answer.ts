import type { JsonSchema, ModelRequest } from '@adorn/core';

import type { Conversation } from './conversation.js';
import { describeResult } from './describe-result.js';
import { fillArguments } from './fill-arguments.js';
import { type SimpleSchema, simplify } from './simple-schema.js';

/** An answer in the form that a schema asks for: what was said as far as it fits, and else the least that is valid. */
export function structuredAnswer(schema: SimpleSchema, { request, earlier, answers }: Conversation): unknown {
  const said = [...request, ...answers.flat().map(describeResult)];
  if (schema.type !== 'object') return leastValue(schema, said.at(-1) ?? '');
  const { args } = fillArguments(
    { name: '', description: '', parameters: schema },
    { request: said, earlier },
  );
  return { ...leastObject(schema, said.at(-1) ?? ''), ...args };
}

/** The schema of the answer's text, if the request has one. */
export function answerSchema({ config }: ModelRequest): SimpleSchema | undefined {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  return schema === undefined ? undefined : simplify(schema as JsonSchema);
}

function leastObject(schema: SimpleSchema, text: string): Record<string, unknown> {
  const needed = schema.properties.filter(([name]) => schema.required.includes(name));
  return Object.fromEntries(needed.map(([name, property]) => [name, leastValue(property, text)]));
}

function leastValue(schema: SimpleSchema, text: string): unknown {
  if (schema.choices.length > 0) return schema.choices[0];
  switch (schema.type) {
    case 'object':
      return leastObject(schema, text);
    case 'array':
      return [];
    case 'number':
      return Math.min(Math.max(0, schema.minimum), schema.maximum);
    case 'boolean':
      return false;
    case 'string':
      return text;
  }
}
