import { kindOf, sourceName } from '@adorn/schema';
import type { ServiceToken } from '../../run/invocation-services.js';
import { Model, type ModelProvider } from '../../models/model.js';
import type { ModelResponse } from '../../models/model-response.js';
import type { AgentPlan } from './agent-plan.js';
import { AgentConfigInvalidError, ModelMissingError, ModelNameUnknownError } from './errors.js';

/**
 * Resolves a service from the container.
 *
 * @param asker the class that needs the service, for error messages
 */
export type TreeResolver = <Service>(token: ServiceToken<Service>, asker: string) => Promise<Service>;

/** Finds the models of agents. Creates one instance per name. */
export class ModelResolver {
  private readonly named = new Map<string, Model>();
  private readonly found = new Set<Model>();

  /**
   * @param forced replaces the model of every agent
   * @param fallback the service bound to `Model`
   */
  constructor(
    private readonly resolve: TreeResolver,
    private readonly provider: ModelProvider | undefined,
    private readonly forced: Model | undefined,
    private readonly fallback: Model | undefined,
  ) {}

  /** All models in use. */
  get models(): Iterable<Model> {
    return this.found;
  }

  /** @throws {ModelNameUnknownError | ServiceNotBoundError} */
  async find({ target, options }: AgentPlan, inherited: Model | undefined): Promise<Model | undefined> {
    const { model: stated } = options;
    if (this.forced) return this.forced;
    if (stated === undefined) return inherited ?? this.fallback;
    if (stated === null) return undefined;
    const className = sourceName(target);
    if (!isName(stated)) return ownModel(className, stated);
    return typeof stated === 'string' ? this.byName(className, stated) : this.resolve(stated, className);
  }

  /**
   * A model that an agent asks besides its own.
   *
   * @throws {ModelNameUnknownError | AgentConfigInvalidError}
   */
  other(className: string, stated: unknown): Model {
    const own = typeof stated === 'string' ? undefined : ownModel(className, stated);
    const model = this.forced ?? own ?? this.byName(className, String(stated));
    this.found.add(model);
    return model;
  }

  /** @throws {ModelMissingError} unless the agent states that it has none */
  require({ target, options }: AgentPlan, model: Model | undefined): Model {
    if (!model && options.model === null) return new NoModel(sourceName(target));
    if (!model) throw ModelMissingError.of(sourceName(target));
    this.found.add(model);
    return model;
  }

  private byName(className: string, name: string): Model {
    const model = this.named.get(name) ?? this.provider?.modelOf(name);
    if (!model) throw new ModelNameUnknownError(className, name);
    this.named.set(name, model);
    return model;
  }
}

/** Stands for the model of an agent whose tools are only called. */
class NoModel extends Model {
  readonly name = 'none';

  constructor(private readonly className: string) {
    super();
  }

  // eslint-disable-next-line require-yield -- it never answers
  override async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    throw ModelMissingError.whenAsked(this.className);
  }
}

/** True for a name and a token, which stand for a model. */
function isName(stated: unknown): stated is string | ServiceToken<Model> {
  return typeof stated === 'string' || typeof stated === 'symbol' || typeof stated === 'function';
}

/**
 * A model of another copy of this package is accepted too.
 *
 * @throws {AgentConfigInvalidError} for any other object
 */
function ownModel(className: string, stated: unknown): Model {
  if (stated instanceof Model || isModelLike(stated)) return stated;
  throw new AgentConfigInvalidError(
    className,
    `its model is ${kindOf(stated)}, and neither a Model, nor a name or a token of one`,
    'Extend Model and pass an instance: class MyModel extends Model { … }.',
  );
}

function isModelLike(value: unknown): value is Model {
  const { generate, ready } = (value ?? {}) as Partial<Record<keyof Model, unknown>>;
  return typeof generate === 'function' && typeof ready === 'function';
}
