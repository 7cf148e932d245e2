import { kindOf } from '../../errors/describe-thrown.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { ModelConfigInvalidError } from '../errors.js';
import { requireModels, withVersion } from './model-list.js';
import { Model, type ModelRequest, type ProviderToolKind } from '../model.js';
import type { ModelResponse } from '../model-response.js';

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

  override get supportsSchemaBesideTools(): boolean {
    return this.areAll((model) => model.supportsSchemaBesideTools);
  }

  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return this.areAll((model) => model.supportsProviderTool(kind));
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return this.areAll((model) => model.supportsFunctionsBesideProviderTools);
  }

  override async ready(): Promise<void> {
    await Promise.all(this.models.map((model) => this.makeReady(model)));
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const model: unknown = await this.route(request);
    if (!(model instanceof Model)) {
      const fault = `its function returned ${kindOf(model)} for a request`;
      throw new ModelConfigInvalidError('routeModel', fault, 'Return a Model for every request.');
    }
    await this.makeReady(model);
    request.logger?.debug('a model was chosen', { model: model.name });
    for await (const response of model.generate(request)) yield withVersion(response, model.name);
  }

  private async makeReady(model: Model): Promise<void> {
    if (this.readyModels.has(model)) return;
    await model.ready();
    this.readyModels.add(model);
  }

  private areAll(test: (model: Model) => boolean): boolean {
    return this.models.length > 0 && this.models.every(test);
  }
}
