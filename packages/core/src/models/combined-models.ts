import { hasContent } from '../events/has-content.js';
import { readContent } from '../events/read-content.js';
import { describeThrown, kindOf } from '@adorn/schema';
import type { Awaitable } from '../runtime/awaitable.js';
import type { Logger } from '../runtime/logger.js';
import { judgedResponse, type ModelResponse, readModelResponse } from './model-response.js';
import { Model, ModelConfigInvalidError, type ModelRequest, type ProviderToolKind } from './model.js';

/**
 * A model that asks the given models in order until one answers.
 *
 * The next model is asked when a model throws, or gives no usable answer at all (`EMPTY_RESPONSE`,
 * `MALFORMED_RESPONSE`, `MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`, `STREAM_INTERRUPTED`, or `MAX_TOKENS` without
 * content), before its first piece with content: thoughts do not count. After that nothing falls back: the user has seen
 * it. A blocked answer (`SAFETY`) is an answer. If all models fail, the last error is thrown. Each
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

const UNUSABLE: ReadonlySet<string> = new Set([
  'EMPTY_RESPONSE',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'STREAM_INTERRUPTED',
  'UNEXPECTED_TOOL_CALL',
]);

/** True for an answer of which nothing can be used: another model may do better. */
function isUnusable(response: ModelResponse): boolean {
  const { errorCode } = response;
  if (errorCode !== undefined && UNUSABLE.has(errorCode)) return true;
  return errorCode === 'MAX_TOKENS' && !hasContent(readContent(response.content));
}

class FallbackModel extends Model {
  readonly name: string;

  constructor(private readonly models: readonly Model[]) {
    super();
    this.name = models.map(({ name }) => name).join(' | ');
  }

  /** The smallest of the models: each of them may have to answer. */
  override get contextWindow(): number | undefined {
    return smallestWindow(this.models);
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
  override async ready(logger?: Logger): Promise<void> {
    const checks = this.models.map(async (model) => {
      await model.ready(logger);
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
      for await (const received of this.model.generate(this.request)) {
        const isPiece = received.partial === true;
        const response = isPiece ? received : judgedResponse(readModelResponse(received));
        if (!isPiece && this.fallsBackFor(response)) {
          this.fail(String(response.errorCode));
          return;
        }
        this.hasBegun ||= !isPiece || hasContent(readContent(response.content));
        yield withVersion(response, this.model.name);
      }
    } catch (error) {
      if (this.hasBegun || !this.next || this.request.signal.aborted) throw error;
      const { code, name } = describeThrown(error);
      this.fail(code ?? name);
    }
  }

  private fallsBackFor(response: ModelResponse): boolean {
    return !this.hasBegun && this.next !== undefined && isUnusable(response);
  }

  private fail(code: string): void {
    this.hasFailed = true;
    const facts = { model: this.model.name, code, next: this.next?.name };
    this.request.logger?.warn('a model failed before its first piece; the next one is asked', facts);
  }
}

/** Chooses the model of one request. Must not change the request. */
export type ModelRoute = (request: ModelRequest) => Awaitable<Model>;

/**
 * A model that chooses a model for each request. `modelVersion` of the event names the model that answered.
 *
 * @param models the models that may be chosen. They are checked when the runner is created, and an output schema is
 * sent beside tools if all of them accept it. Default: none; a model is then checked when it is first chosen, and an
 * output schema beside tools is declared as a tool.
 * @throws {ModelConfigInvalidError} for arguments of other types; `generate` throws it if the function returns no
 * `Model`
 *
 * @example
 * routeModel(({ contents }) => (contents.length > 40 ? large : small), [small, large])
 */
export function routeModel(route: ModelRoute, models: readonly Model[] = []): Model {
  if (typeof (route as unknown) !== 'function') {
    const fault = `its first argument is ${kindOf(route)}`;
    throw new ModelConfigInvalidError('routeModel', fault, 'Pass a function from a request to a Model.');
  }
  requireModels('routeModel', models);
  return new RouteModel(route, [...models]);
}

class RouteModel extends Model {
  readonly name = 'route';
  private readonly readyModels = new WeakSet<Model>();

  constructor(
    private readonly route: ModelRoute,
    private readonly models: readonly Model[],
  ) {
    super();
  }

  /** The smallest of the models that may be chosen; undefined if they are not known. */
  override get contextWindow(): number | undefined {
    return smallestWindow(this.models);
  }

  override get supportsSchemaBesideTools(): boolean {
    return this.areAll((model) => model.supportsSchemaBesideTools);
  }

  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return this.areAll((model) => model.supportsProviderTool(kind));
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return this.areAll((model) => model.supportsFunctionsBesideProviderTools);
  }

  override async ready(logger?: Logger): Promise<void> {
    await Promise.all(this.models.map((model) => this.makeReady(model, logger)));
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const model: unknown = await this.route(request);
    if (!(model instanceof Model)) {
      const fault = `its function returned ${kindOf(model)} for a request`;
      throw new ModelConfigInvalidError('routeModel', fault, 'Return a Model for every request.');
    }
    await this.makeReady(model, request.logger);
    request.logger?.debug('a model was chosen', { model: model.name });
    for await (const response of model.generate(request)) yield withVersion(response, model.name);
  }

  private async makeReady(model: Model, logger: Logger | undefined): Promise<void> {
    if (this.readyModels.has(model)) return;
    await model.ready(logger);
    this.readyModels.add(model);
  }

  private areAll(test: (model: Model) => boolean): boolean {
    return this.models.length > 0 && this.models.every(test);
  }
}

/** Undefined if the window of none is known. */
function smallestWindow(models: readonly Model[]): number | undefined {
  const windows = models.map(({ contextWindow }) => contextWindow).filter((window) => window !== undefined);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/**
 * Checks the models that a combined model is given.
 *
 * @param owner the function that was called
 * @throws {ModelConfigInvalidError}
 */
function requireModels(owner: string, models: unknown): asserts models is readonly Model[] {
  const cure = 'Pass a list of models, such as [new GeminiModel({ … })].';
  if (!Array.isArray(models))
    throw new ModelConfigInvalidError(owner, `its models are ${kindOf(models)}, not a list`, cure);
  const list: readonly unknown[] = models;
  const index = list.findIndex((one) => !(one instanceof Model));
  if (index === -1) return;
  const fault = `element ${String(index)} of its models is ${kindOf(list[index])}, not a Model`;
  throw new ModelConfigInvalidError(owner, fault, cure);
}

/** Names the model that answered, unless its provider did. */
function withVersion(response: ModelResponse, name: string): ModelResponse {
  if (response.partial === true || response.modelVersion !== undefined) return response;
  return { ...response, modelVersion: name };
}
