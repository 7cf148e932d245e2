import type { GeminiRequest } from '@adorn/testing';

import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { PublishedTool } from './gold-tasks.js';
import { TRANSFER } from './specialist-turns.js';

type Json = Readonly<Record<string, unknown>>;

/** Compares the declarations that requests bear, without transfers, with the published ones: one check for each. */
export function checkDeclarations(
  published: readonly PublishedTool[],
  requests: readonly Pick<GeminiRequest, 'body'>[],
): Check[] {
  const byName = new Map(requests.flatMap(declarationsIn).map((one) => [one['name'], one]));
  byName.delete(TRANSFER);
  const sent = [...byName.values()];
  const unpublished = sent.filter((each) => !published.some(({ name }) => name === each['name']));
  return [
    ...published.map((tool) => {
      const declaration = sent.find(({ name }) => name === tool.name);
      return { what: tool.name, fault: faultOf(tool, declaration) };
    }),
    ...unpublished.map(({ name }) => ({ what: String(name), fault: 'it is declared, and not published' })),
  ];
}

function declarationsIn({ body }: Pick<GeminiRequest, 'body'>): Json[] {
  const tools = (body['tools'] ?? []) as readonly Json[];
  return tools.flatMap((tool) => (tool['functionDeclarations'] ?? []) as Json[]);
}

function faultOf(
  { name, description, parameters }: PublishedTool,
  sent: Json | undefined,
): string | undefined {
  if (!sent) return 'it was not declared';
  return findDifference(
    { name, description, parameters: comparable(parameters) },
    {
      name: sent['name'],
      description: sent['description'],
      parameters: comparable(sent['parametersJsonSchema']),
    },
  );
}

/**
 * A schema in the form in which two are compared: without `additionalProperties`, which the published ones do not
 * state, and with the names of what is required in order, none where nothing is said.
 */
function comparable(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null ? comparableObject(schema as Json) : schema;
}

function comparableObject({
  additionalProperties: _unstated,
  properties,
  items,
  required,
  ...rest
}: Json): Json {
  return {
    ...rest,
    ...(items !== undefined && { items: comparable(items) }),
    ...(properties !== undefined && {
      properties: mapValues(properties as Json, comparable),
      required: [...((required ?? []) as readonly string[])].sort(),
    }),
  };
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
