import type { GenerateContentConfig } from '@adorn/core';
import type { FunctionDeclaration } from '@adorn/core/backend';
import { type JsonObject, toGeminiSchema, toStrictSchema } from '@adorn/core/dialects';

import { isJsonObject } from '../is-json-object.js';
import type { DialectName, ToolLimits } from '../profile.js';
import type { Specification } from '../specification.js';
import type { PromptTool } from './call-options.js';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** Converts function declarations, each once, as one tool serves many turns. */
export class ToolConverter {
  private readonly known = new WeakMap<FunctionDeclaration, PromptTool>();

  constructor(
    private readonly dialect: DialectName,
    private readonly version: Specification,
  ) {}

  convert(tools: GenerateContentConfig['tools'] = []): PromptTool[] {
    return declarationsIn(tools).map((declaration) => {
      const known = this.known.get(declaration) ?? this.toTool(declaration);
      this.known.set(declaration, known);
      return known;
    });
  }

  private toTool({ name = '', description, parametersJsonSchema }: FunctionDeclaration): PromptTool {
    const schema = isJsonObject(parametersJsonSchema) ? parametersJsonSchema : NO_PARAMETERS;
    const described = { type: 'function', name, ...(description !== undefined && { description }) } as const;
    if (this.dialect === 'gemini') return { ...described, inputSchema: toGeminiSchema(schema) };
    if (this.dialect !== 'openai') return { ...described, inputSchema: withType(schema) };
    const strict = toStrictSchema(schema);
    // Specification v2 says for all tools at once whether they are strict, in the provider's options.
    const mark = this.version === 'v2' ? {} : { strict: strict !== undefined };
    return { ...described, inputSchema: strict ?? withType(schema), ...mark };
  }
}

/** The published limits that tools exceed, in words for a warning. */
export function exceededLimits(tools: readonly PromptTool[], limits: ToolLimits | undefined): string[] {
  if (!limits) return [];
  const { tools: most, description: longest = Infinity } = limits;
  const many =
    tools.length <= most
      ? []
      : [`there are ${String(tools.length)} tools, and the provider publishes a limit of ${String(most)}`];
  const long = tools.flatMap((tool) => {
    const length = tool.type === 'function' ? (tool.description ?? '').length : 0;
    if (length <= longest) return [];
    return [
      `the description of "${tool.name}" has ${String(length)} of at most ${String(longest)} characters`,
    ];
  });
  return [...many, ...long].map((fault) => `${fault}: requests may be refused`);
}

/** The declarations of all tools of a config. */
function declarationsIn(tools: NonNullable<GenerateContentConfig['tools']>): FunctionDeclaration[] {
  return tools.flatMap((tool) => ('functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : []));
}

/** Providers require the type of the arguments to be stated. */
function withType(schema: JsonObject): JsonObject {
  return schema['type'] === 'object' ? schema : { type: 'object', ...schema };
}
