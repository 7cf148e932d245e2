import type { JsonSchema } from '@adorn/core';
import type { Dialect } from '@adorn/core/dialects';

import type { FoundTool } from '../tools/found-tool.js';

/** The size of a tool's declaration as it is sent in a dialect; 0 for one that is known only when the program runs. */
export function declarationTokens({ name, declaration }: FoundTool, dialect: Dialect | undefined): number {
  if (declaration === undefined) return 0;
  const { description, parametersJsonSchema: parameters, responseJsonSchema: response } = declaration;
  const inDialect = (schema: JsonSchema): JsonSchema => dialect?.convert(schema) ?? schema;
  const result = dialect?.declaresResults === false ? undefined : response;
  return estimateTokens(
    JSON.stringify({
      name,
      description,
      parametersJsonSchema: inDialect(parameters),
      ...(result !== undefined && { responseJsonSchema: inDialect(result) }),
    }),
  );
}

/**
 * What a token is worth, in characters of JSON. Measured on 1,789 published declarations with OpenAI's o200k_base: of
 * ten estimates nine are between 6 % too low and 17 % too high, and half are between 1 % and 10 % too high. For scripts
 * other than Latin it is too low.
 */
const CHARACTERS = 4.5;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS);
}
