import { toGeminiSchema } from '@adorn/core/dialects';
import type {
  FunctionDeclaration,
  GenerateContentConfig,
  HttpOptions,
  Tool,
  ToolConfig,
  ToolListUnion,
} from '@google/genai';

import { without } from '../without.js';

type Converted = WeakMap<object, GenerateContentConfig>;

const converted: Converted = new WeakMap();
const convertedCombined: Converted = new WeakMap();

/**
 * The config in Gemini's dialect: its schemas in Gemini's subset, all function declarations in one tool. Converted
 * once per object, as one config serves many turns.
 *
 * @param combinesTools whether the model takes functions beside tools that Google runs. Default: false.
 */
export function toGeminiConfig(
  config: Readonly<GenerateContentConfig>,
  combinesTools = false,
): GenerateContentConfig {
  const known = combinesTools ? convertedCombined : converted;
  let fresh = known.get(config);
  if (!fresh) {
    fresh = convert(combinesTools ? withServerSideTools(config) : config);
    known.set(config, fresh);
  }
  return fresh;
}

/**
 * Functions beside tools that Google runs need the option: the calls of both are then parts of the answer, in their
 * order, and are sent back with it.
 */
function withServerSideTools(config: Readonly<GenerateContentConfig>): Readonly<GenerateContentConfig> {
  const kinds = (config.tools ?? []).flatMap((tool) => Object.keys(tool));
  const isCombined =
    kinds.includes('functionDeclarations') && kinds.some((kind) => kind !== 'functionDeclarations');
  if (!isCombined) return config;
  return { ...config, toolConfig: { includeServerSideToolInvocations: true, ...config.toolConfig } };
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

const convertedDeclarations = new WeakMap<FunctionDeclaration, FunctionDeclaration>();

/** Merges all function declarations into one tool at the position of the first; other tools are unchanged. */
function mergeDeclarations(tools: ToolListUnion): ToolListUnion {
  const functionDeclarations: FunctionDeclaration[] = [];
  const merged: ToolListUnion = [];
  for (const tool of tools) {
    if (!hasDeclarations(tool)) {
      merged.push(tool);
      continue;
    }
    if (functionDeclarations.length === 0) merged.push({ functionDeclarations });
    functionDeclarations.push(...tool.functionDeclarations.map(toGeminiDeclaration));
    merged.push(...otherFieldsOf(tool));
  }
  return merged;
}

type DeclaringTool = Tool & { readonly functionDeclarations: FunctionDeclaration[] };

function hasDeclarations(tool: ToolListUnion[number]): tool is DeclaringTool {
  return (
    'functionDeclarations' in tool &&
    Array.isArray(tool.functionDeclarations) &&
    tool.functionDeclarations.length > 0
  );
}

function otherFieldsOf({ functionDeclarations: _declarations, ...rest }: DeclaringTool): Tool[] {
  return Object.keys(rest).length > 0 ? [rest] : [];
}

/** Converted once per declaration, as one tool serves many turns. */
function toGeminiDeclaration(declaration: FunctionDeclaration): FunctionDeclaration {
  const known = convertedDeclarations.get(declaration);
  if (known) return known;
  const fresh = { ...declaration };
  if (isSchema(fresh.parametersJsonSchema))
    fresh.parametersJsonSchema = toGeminiSchema(fresh.parametersJsonSchema);
  if (isSchema(fresh.responseJsonSchema)) fresh.responseJsonSchema = toGeminiSchema(fresh.responseJsonSchema);
  convertedDeclarations.set(declaration, fresh);
  return fresh;
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
