import { describeThrown } from '../../errors/describe-thrown.js';
import { ModelConfigInvalidError } from '../errors.js';
import { Model, type ModelRequest, type ProviderToolKind } from '../model.js';
import type { ModelResponse } from '../model-response.js';
import { requireModels, withVersion } from './model-list.js';

/**
 * A model that asks the given models in order until one answers.
 *
 * The next model is asked when a model throws, or gives no usable answer at all (`EMPTY_RESPONSE`,
 * `MALFORMED_RESPONSE`, `STREAM_INTERRUPTED`), before its first piece. After the first piece nothing falls back: the
 * user has seen it. A blocked answer (`SAFETY`) is an answer. If all models fail, the last error is thrown. Each
 * fallback is logged as a warning, and `modelVersion` of the event names the model that answered.
 *
 * @throws {ModelConfigInvalidError} without a model, or if an element is not a `Model`
 *
 * @example
 * fallbackModel([new GeminiModel({ model: 'gemini-2.5-pro' }), aiSdkModel(openai('gpt-5-mini'))])
 */
export function fallbackModel(models: readonly Model[]): Model {
  requireModels('fallbackModel', models);
  if (models.length === 0) {
    const cure = 'Pass the preferred model first, then those to fall back to.';
    throw new ModelConfigInvalidError('fallbackModel', 'its list of models is empty', cure);
  }
  return new FallbackModel([...models]);
}

/** Answers that contain nothing: another model may do better. */
const UNUSABLE: ReadonlySet<string> = new Set(['EMPTY_RESPONSE', 'MALFORMED_RESPONSE', 'STREAM_INTERRUPTED']);

class FallbackModel extends Model {
  readonly name: string;

  constructor(private readonly models: readonly Model[]) {
    super();
    this.name = models.map(({ name }) => name).join(' | ');
  }

  override get supportsSchemaBesideTools(): boolean {
    return this.models.every((model) => model.supportsSchemaBesideTools);
  }

  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return this.models.every((model) => model.supportsProviderTool(kind));
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return this.models.every((model) => model.supportsFunctionsBesideProviderTools);
  }

  /** Ready if one of the models is. @throws the first model's error if none is. */
  override async ready(): Promise<void> {
    const checks = this.models.map(async (model) => {
      await model.ready();
    });
    const results = await Promise.allSettled(checks);
    const [first] = results;
    if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected'))
      throw first.reason;
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    for (const [index, model] of this.models.entries()) {
      const attempt = new Attempt(model, request, this.models[index + 1]);
      yield* attempt.answer();
      if (!attempt.hasFailed) return;
    }
  }
}

/** One model asked, with the model to ask next; without a next one, failures are passed on. */
class Attempt {
  hasFailed = false;
  private hasBegun = false;

  constructor(
    private readonly model: Model,
    private readonly request: ModelRequest,
    private readonly next: Model | undefined,
  ) {}

  async *answer(): AsyncGenerator<ModelResponse, void, undefined> {
    try {
      for await (const response of this.model.generate(this.request)) {
        if (this.fallsBackFor(response)) {
          this.fail(String(response.errorCode));
          return;
        }
        this.hasBegun = true;
        yield withVersion(response, this.model.name);
      }
    } catch (error) {
      if (this.hasBegun || this.next === undefined || this.request.signal.aborted) throw error;
      const { code, name } = describeThrown(error);
      this.fail(code ?? name);
    }
  }

  private fallsBackFor({ errorCode }: ModelResponse): boolean {
    return !this.hasBegun && this.next !== undefined && errorCode !== undefined && UNUSABLE.has(errorCode);
  }

  private fail(code: string): void {
    this.hasFailed = true;
    const facts = { model: this.model.name, code, next: this.next?.name };
    this.request.logger?.warn('a model failed before its first piece; the next one is asked', facts);
  }
}
