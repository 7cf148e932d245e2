import { Model, type ModelRequest, type ModelResponse } from '@adorn/core';
import { SYSTEM_TIMING, type Timing } from '@adorn/core/backend';

import { type AiSdkModelOptions, checkOptions } from './ai-sdk-options.js';
import { streamedAnswer } from './answer/streamed-answer.js';
import { wholeAnswer } from './answer/whole-answer.js';
import { profileOf } from './profile.js';
import type { ProviderCall } from './provider-call.js';
import { ProviderWarnings } from './provider-warnings.js';
import { RequestConverter } from './request/request-converter.js';
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
    this.warnings = new ProviderWarnings(this.model.modelId);
  }

  get name(): string {
    return this.model.modelId;
  }

  /** True for OpenAI and Anthropic, unless `schemaBesideTools` says otherwise. */
  override get supportsSchemaBesideTools(): boolean {
    return (
      this.options.schemaBesideTools ?? profileOf(this.model, this.options.dialect).takesSchemaBesideTools
    );
  }

  /**
   * @throws AiSdkModelNotFoundError (`MODEL_NOT_FOUND`), AiSdkSettingsMissingError, AiSdkKeyRefusedError,
   * AiSdkUnreachableError (`MODEL_UNAVAILABLE`), AiSdkFailedError (`MODEL_FAILED`), and the signal's reason once the
   * invocation is cancelled.
   */
  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const call = this.prepare(request);
    if (request.stream) yield* streamedAnswer(call);
    else yield await wholeAnswer(call);
  }

  private prepare(request: ModelRequest): ProviderCall {
    return {
      ...this.converter.convert(request),
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
