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

/** How a model takes tools. */
export interface ToolRules {
  /** True if it takes functions beside tools that Google runs. Default: false. */
  readonly combines?: boolean;
  /** True if the results of functions are declared. Default: false. */
  readonly declaresResults?: boolean;
}

/** Converted configs, by the rules that they were converted with. */
const converted = new Map<string, WeakMap<object, GenerateContentConfig>>();

/**
 * The config in Gemini's dialect: its schemas in Gemini's subset, all function declarations in one tool. Converted
 * once per object, as one config serves many turns.
 */
export function toGeminiConfig(
  config: Readonly<GenerateContentConfig>,
  { combines = false, declaresResults = false }: ToolRules = {},
): GenerateContentConfig {
  const known = keptIn(converted, `${String(combines)} ${String(declaresResults)}`);
  let fresh = known.get(config);
  if (!fresh) {
    fresh = convert(combines ? withServerSideTools(config) : config, declaresResults);
    known.set(config, fresh);
  }
  return fresh;
}

function keptIn<Value extends object>(
  maps: Map<string, WeakMap<object, Value>>,
  key: string,
): WeakMap<object, Value> {
  let known = maps.get(key);
  if (!known) maps.set(key, (known = new WeakMap()));
  return known;
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
function convert(config: Readonly<GenerateContentConfig>, declaresResults: boolean): GenerateContentConfig {
  const { tools, toolConfig, responseJsonSchema, httpOptions } = config;
  return {
    ...without(config, 'tools', 'toolConfig', 'responseJsonSchema', 'httpOptions', 'abortSignal'),
    automaticFunctionCalling: { disable: true },
    ...(tools !== undefined &&
      tools.length > 0 && { tools: mergeDeclarations(tools, declaresResults) satisfies ToolListUnion }),
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

/** Converted declarations, by whether they have results. */
const convertedDeclarations = new Map<string, WeakMap<FunctionDeclaration, FunctionDeclaration>>();

/** Merges all function declarations into one tool at the position of the first; other tools are unchanged. */
function mergeDeclarations(tools: ToolListUnion, declaresResults: boolean): ToolListUnion {
  const functionDeclarations: FunctionDeclaration[] = [];
  const merged: ToolListUnion = [];
  for (const tool of tools) {
    if (!hasDeclarations(tool)) {
      merged.push(tool);
      continue;
    }
    if (functionDeclarations.length === 0) merged.push({ functionDeclarations });
    functionDeclarations.push(
      ...tool.functionDeclarations.map((declaration) => toGeminiDeclaration(declaration, declaresResults)),
    );
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
function toGeminiDeclaration(
  declaration: FunctionDeclaration,
  declaresResults: boolean,
): FunctionDeclaration {
  const kept = keptIn(convertedDeclarations, String(declaresResults));
  const known = kept.get(declaration);
  if (known) return known;
  const fresh: FunctionDeclaration = declaresResults
    ? { ...declaration }
    : without(declaration, 'responseJsonSchema', 'response');
  if (isSchema(fresh.parametersJsonSchema))
    fresh.parametersJsonSchema = toGeminiSchema(fresh.parametersJsonSchema);
  if (isSchema(fresh.responseJsonSchema)) fresh.responseJsonSchema = toGeminiSchema(fresh.responseJsonSchema);
  kept.set(declaration, fresh);
  return fresh;
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
