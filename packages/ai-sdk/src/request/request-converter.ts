import type { GenerateContentConfig, ModelRequest } from '@adorn/core';
import { isBlank, type WireNames } from '@adorn/core/backend';
import type { JsonObject } from '@adorn/core/dialects';

import type { AiSdkModelOptions } from '../ai-sdk-options.js';
import { makerOf } from '../part-metadata.js';
import { type CacheMark, profileOf, type ProviderProfile } from '../profile.js';
import type { ProviderModel } from '../specification.js';
import type { CallOptions, PromptTool, ProviderMetadata, ToolChoice } from './call-options.js';
import { CacheMarks } from './cache-marks.js';
import { markDeferred } from './deferred-tools.js';
import { exceededLimits, ToolConverter } from './function-tools.js';
import { PromptConverter } from './prompt.js';
import { type AnswerForm, answerFormOf } from './response-format.js';
import { type Thinking, thinkingOf } from './thinking.js';
import { withWireNames } from './wire-names.js';

/** A request as a provider takes it. */
interface PreparedCall {
  readonly options: CallOptions;
  readonly form: AnswerForm;
  /** The names of tools in the options. */
  readonly names: WireNames;
  /** The fields of the config that the provider has no option for. */
  readonly ignored: readonly string[];
  /** See `exceededLimits`. */
  readonly exceeded: readonly string[];
}

/** A tool of a provider, as `openai.tools.webSearch()` makes it; the options are checked. */
interface ProviderTool {
  readonly id: string;
  readonly args?: JsonObject;
}

/** The parts of a request that do not change from turn to turn. */
interface ConvertedConfig {
  readonly form: AnswerForm;
  readonly ignored: readonly string[];
  readonly exceeded: readonly string[];
  readonly system: string;
  readonly settings: Omit<CallOptions, 'prompt'>;
}

/** Converts requests for one model. What stays the same from turn to turn is converted once. */
export class RequestConverter {
  private readonly profile: ProviderProfile;
  private readonly prompts: PromptConverter;
  private readonly tools: ToolConverter;
  private readonly marks: CacheMarks | undefined;
  private readonly configs = new WeakMap<object, ConvertedConfig>();

  constructor(
    private readonly model: ProviderModel,
    private readonly options: AiSdkModelOptions,
  ) {
    this.profile = profileOf(model, options.dialect);
    const { optionsName, cacheMark } = this.profile;
    const maker = makerOf(model, optionsName);
    if (cacheMark && options.cache !== false)
      this.marks = new CacheMarks(cacheMark, statedMark(cacheMark, options));
    this.prompts = new PromptConverter(model.specificationVersion, this.profile, maker, this.marks);
    this.tools = new ToolConverter(this.profile.toolDialect, model.specificationVersion);
  }

  convert({ contents, config, stable }: ModelRequest): PreparedCall {
    let converted = this.configs.get(config);
    if (!converted) this.configs.set(config, (converted = this.convertConfig(config)));
    const { form, ignored, exceeded, system, settings } = converted;
    const options = { ...settings, prompt: this.prompts.convert(contents, system, stable) };
    return { form, ignored, exceeded, ...withWireNames(options, this.profile.toolNames) };
  }

  private convertConfig(config: Readonly<GenerateContentConfig>): ConvertedConfig {
    const form = answerFormOf(config, this.profile);
    const system = [systemTextOf(config), form.instruction].filter((text) => text !== '').join('\n\n');
    const allowed = allowedTools(this.tools.convert(config.tools), config);
    const tools = this.markedTools(system, [
      ...markDeferred(allowed, config, this.options, this.profile.optionsName),
      ...this.providerTools(),
    ]);
    const choice = toolChoiceOf(config, tools);
    const headers = { ...this.options.headers, ...config.httpOptions?.headers };
    const { optionsName } = this.profile;
    const thinking = thinkingOf(config.thinkingConfig, optionsName, this.model.specificationVersion);
    const providerOptions = this.providerOptions(thinking, form, tools);
    const settings = {
      ...samplingOf(config),
      ...(thinking.reasoning && { reasoning: thinking.reasoning }),
      ...(form.responseFormat && { responseFormat: form.responseFormat }),
      ...(tools.length > 0 && { tools }),
      ...(choice && tools.length > 0 && { toolChoice: choice }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(providerOptions && { providerOptions }),
    };
    const ignored = thinking.ignored.map((field) => `thinkingConfig.${field}`);
    return { form, ignored, exceeded: exceededLimits(tools, this.profile.toolLimits), system, settings };
  }

  /** A system instruction is marked itself, behind the tools. */
  private markedTools(system: string, tools: readonly PromptTool[]): readonly PromptTool[] {
    if (!this.marks || system !== '' || this.profile.cacheMark?.takesTools !== true) return tools;
    return this.marks.tools(tools);
  }

  private providerTools(): PromptTool[] {
    const type = this.model.specificationVersion === 'v2' ? 'provider-defined' : 'provider';
    return Object.entries(this.options.providerTools ?? {}).map(([name, tool]) => {
      const { id, args = {} } = tool as ProviderTool;
      return { type, id, name, args };
    });
  }

  /** The options that follow from the request, overridden by those of the user. */
  private providerOptions(
    thinking: Thinking,
    form: AnswerForm,
    tools: readonly PromptTool[],
  ): ProviderMetadata | undefined {
    const { optionsName, storesResponses, toolDialect } = this.profile;
    const given = this.givenOptions();
    const derived = {
      ...(storesResponses && { store: false }),
      ...(toolDialect === 'openai' && { strictJsonSchema: this.isStrict(form, tools) }),
      ...thinking.options,
      ...given[optionsName],
    };
    const all = Object.keys(derived).length === 0 ? given : { ...given, [optionsName]: derived };
    return Object.keys(all).length === 0 ? undefined : all;
  }

  /** In specification v2 this option holds for the tools too. */
  /** A mark of the whole request would be behind what changes, and is the value of ours. */
  private givenOptions(): ProviderMetadata {
    const { providerOptions = {} } = this.options;
    const { provider = '', option = '' } = (this.marks && this.profile.cacheMark) ?? {};
    const own = providerOptions[provider];
    if (own?.[option] === undefined) return providerOptions;
    const { [option]: _mark, ...others } = own;
    const { [provider]: _own, ...all } = providerOptions;
    return Object.keys(others).length === 0 ? all : { ...all, [provider]: others };
  }

  private isStrict(form: AnswerForm, tools: readonly PromptTool[]): boolean {
    const isSchemaStrict = form.isStrict || form.responseFormat === undefined;
    if (this.model.specificationVersion !== 'v2') return isSchemaStrict;
    return isSchemaStrict && tools.every((tool) => tool.type !== 'function' || isClosed(tool.inputSchema));
  }
}

/** The mark that the user states for all requests. */
function statedMark({ provider, option }: CacheMark, { providerOptions }: AiSdkModelOptions): unknown {
  return providerOptions?.[provider]?.[option];
}

/** True for a schema in strict form: each property is required. */
function isClosed(schema: Readonly<Record<string, unknown>>): boolean {
  const { properties, required, additionalProperties } = schema;
  const names = Object.keys(properties ?? {});
  return additionalProperties === false && Array.isArray(required) && required.length === names.length;
}

function samplingOf(config: Readonly<GenerateContentConfig>): Partial<CallOptions> {
  const { maxOutputTokens, temperature, topP, topK, seed } = config;
  const { stopSequences, presencePenalty, frequencyPenalty } = config;
  const given = {
    maxOutputTokens,
    temperature,
    topP,
    topK,
    seed,
    stopSequences,
    presencePenalty,
    frequencyPenalty,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** An instruction is a text, a part, a content or a list of them. */
function systemTextOf({ systemInstruction }: Readonly<GenerateContentConfig>): string {
  return [systemInstruction ?? []]
    .flat()
    .flatMap((one): (string | undefined)[] => {
      if (typeof one === 'string') return [one];
      return 'parts' in one ? (one.parts ?? []).map(({ text }) => text) : ['text' in one ? one.text : ''];
    })
    .filter((text) => text !== undefined && !isBlank(text))
    .join('\n\n');
}

function toolChoiceOf(
  { toolConfig }: Readonly<GenerateContentConfig>,
  tools: readonly PromptTool[],
): ToolChoice | undefined {
  const mode: string | undefined = toolConfig?.functionCallingConfig?.mode;
  if (mode === 'NONE') return { type: 'none' };
  if (mode !== 'ANY') return undefined;
  const [only, ...others] = tools;
  return only && others.length === 0 ? { type: 'tool', toolName: only.name } : { type: 'required' };
}

/** Of several allowed functions, providers take no list: the others are left out. */
function allowedTools(
  tools: readonly PromptTool[],
  { toolConfig }: Readonly<GenerateContentConfig>,
): PromptTool[] {
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames;
  if (!allowed || allowed.length === 0) return [...tools];
  return tools.filter(({ name }) => allowed.includes(name));
}
