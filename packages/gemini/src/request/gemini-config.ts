import type { GenerateContentConfig, HttpOptions, ToolConfig, ToolListUnion } from '@google/genai';

import { mergeDeclarations } from './merge-declarations.js';
import { toGeminiSchema } from '@adorn/core/dialects';
import { without } from '../without.js';

const converted = new WeakMap<object, GenerateContentConfig>();

/**
 * The config in Gemini's dialect: its schemas in Gemini's subset, all function declarations in one tool. Converted
 * once per object, as one config serves many turns.
 */
export function toGeminiConfig(config: Readonly<GenerateContentConfig>): GenerateContentConfig {
  const known = converted.get(config);
  if (known !== undefined) return known;
  const fresh = convert(config);
  converted.set(config, fresh);
  return fresh;
}

/** Core runs the functions, and this package the retries: @google/genai is kept from doing either. */
function convert(config: Readonly<GenerateContentConfig>): GenerateContentConfig {
  const { tools, toolConfig, responseJsonSchema, httpOptions } = config;
  return {
    ...without(config, 'tools', 'toolConfig', 'responseJsonSchema', 'httpOptions', 'abortSignal'),
    automaticFunctionCalling: { disable: true },
    ...(tools !== undefined &&
      tools.length > 0 && { tools: mergeDeclarations(tools) satisfies ToolListUnion }),
    ...(toolConfig && { toolConfig: withoutFalseStreaming(toolConfig) }),
    ...(responseJsonSchema !== undefined && { responseJsonSchema: toGeminiSchema(responseJsonSchema) }),
    ...(httpOptions && { httpOptions: withoutRetries(httpOptions) }),
  };
}

/** Outside Vertex AI @google/genai refuses the option even if it is false. */
function withoutFalseStreaming(toolConfig: ToolConfig): ToolConfig {
  const { functionCallingConfig } = toolConfig;
  if (functionCallingConfig?.streamFunctionCallArguments !== false) return toolConfig;
  return {
    ...toolConfig,
    functionCallingConfig: without(functionCallingConfig, 'streamFunctionCallArguments'),
  };
}

function withoutRetries(options: HttpOptions): HttpOptions {
  return without(options, 'retryOptions', 'fetch');
}
