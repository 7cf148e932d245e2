import { type Logger, Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { SYSTEM_TIMING, type Timing } from '@adorn/core/backend';

import { type AiSdkModelOptions, checkOptions } from './ai-sdk-options.js';
import { streamedAnswer } from './answer/streamed-answer.js';
import { wholeAnswer } from './answer/whole-answer.js';
import { isJsonObject } from './is-json-object.js';
import { profileOf } from './profile.js';
import type { ProviderCall } from './provider-call.js';
import { RequestConverter } from './request/request-converter.js';
import { RequestFiles } from './request/request-files.js';
import { type AiSdkLanguageModel, checkModel, type ProviderModel } from './specification.js';

const TEN_MINUTES = 600_000;

/**
 * A model of an AI SDK provider, of provider specification v2, v3 or v4.
 *
 * @throws ModelConfigInvalidError (`MODEL_CONFIG_INVALID`) for a value that is not such a model, and for options that
 * do not exist.
 *
 * @example
 * @agent({ model: aiSdkModel(openai('gpt-5-mini')) })
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): AiSdkModel {
  return new AiSdkModel(model, options);
}

/** A model of an AI SDK provider. `aiSdkModel` creates it. */
export class AiSdkModel extends Model {
  private readonly model: ProviderModel;
  private readonly options: AiSdkModelOptions;
  private readonly converter: RequestConverter;
  private readonly files: RequestFiles;
  private readonly warnings: ProviderWarnings;

  /** @param timing is for specs, which do not wait. */
  constructor(
    model: AiSdkLanguageModel,
    options: AiSdkModelOptions = {},
    private readonly timing: Timing = SYSTEM_TIMING,
  ) {
    super();
    this.model = checkModel(model);
    this.options = checkOptions(options);
    this.converter = new RequestConverter(this.model, this.options);
    this.files = new RequestFiles({
      model: this.model,
      accepted: profileOf(this.model).files,
      downloads: this.options.downloads ?? {},
    });
    this.warnings = new ProviderWarnings(this.model.modelId);
  }

  get name(): string {
    return this.model.modelId;
  }

  override get provider(): string {
    return providerNameOf(this.model.provider);
  }

  /** True for OpenAI and Anthropic, unless `schemaBesideTools` says otherwise. */
  override get supportsSchemaBesideTools(): boolean {
    return (
      this.options.schemaBesideTools ?? profileOf(this.model, this.options.dialect).takesSchemaBesideTools
    );
  }

  /**
   * @throws AiSdkModelNotFoundError (`MODEL_NOT_FOUND`), AiSdkSettingsMissingError, AiSdkKeyRefusedError,
   * AiSdkUnreachableError (`MODEL_UNAVAILABLE`), AiSdkFailedError, AiSdkFileRefusedError (`MODEL_FAILED`), ContextTooLongError
   * (`CONTEXT_TOO_LONG`), and the signal's reason once the invocation is cancelled.
   */
  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const call = await this.prepare(request);
    if (request.stream) yield* streamedAnswer(call);
    else yield await wholeAnswer(call);
  }

  private async prepare(request: ModelRequest): Promise<ProviderCall> {
    const contents = await this.files.prepare(request);
    const { ignored, exceeded, ...converted } = this.converter.convert({ ...request, contents });
    const details = 'the provider has no option for it; see providerOptions';
    this.warnings.log(
      ignored.map((feature) => ({ feature, details })),
      request.logger,
    );
    const told = exceeded.map((message) => ({ message }));
    this.warnings.log(told, request.logger, 'a request exceeds a published limit of the provider');
    return {
      ...converted,
      model: this.model,
      signal: request.signal,
      timeout: this.options.timeout ?? TEN_MINUTES,
      retry: this.options.retry ?? {},
      timing: this.timing,
      warn: (warnings) => {
        this.warnings.log(warnings, request.logger);
      },
    };
  }
}

/** OpenTelemetry's names of providers by the first word of the AI SDK's, such as `openai.chat`. */
const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['azure-openai', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
]);

function providerNameOf(provider: string): string {
  if (provider.startsWith('google.vertex')) return 'gcp.vertex_ai';
  const [first = provider] = provider.split('.');
  return PROVIDER_NAMES.get(first) ?? first;
}

const IGNORED = "a model's provider ignored a part of the request";

/** Bounds the memory of a provider that warns differently each time. */
const MOST_WARNINGS = 100;

/** Logs what a provider ignored in requests, each warning once. */
class ProviderWarnings {
  private readonly logged = new Set<string>();

  constructor(private readonly model: string) {}

  /** @param warnings as a provider gives them; anything that is not a list is ignored */
  log(warnings: unknown, logger: Logger | undefined, what = IGNORED): void {
    if (!logger || !Array.isArray(warnings)) return;
    for (const warning of warnings as readonly unknown[]) {
      const text = isJsonObject(warning) ? textOf(warning) : '';
      if (text === '' || this.logged.has(text) || this.logged.size >= MOST_WARNINGS) continue;
      this.logged.add(text);
      logger.warn(what, { model: this.model, warning: text });
    }
  }
}

/** A warning names a feature (v3, v4) or a setting or tool (v2), or has a message. */
function textOf({ feature, setting, tool, details, message }: Readonly<Record<string, unknown>>): string {
  const named = isJsonObject(tool) ? tool['name'] : undefined;
  const texts = [feature, setting, named, message, details];
  return texts
    .filter((one) => typeof one === 'string')
    .join(': ')
    .slice(0, 300);
}
