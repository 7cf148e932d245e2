import type { BindingConstraints, Container, Newable } from 'inversify';

import type { TreeResolver } from '../agents/tree/model-resolver.js';
import { AdornError, type ClassReference, sourceName } from '@adorn/schema';
import type { ServiceToken } from '../run/invocation-services.js';
import {
  type InjectedElement,
  type Injection,
  injectionsOf,
  toInjection,
  unclearMemberOf,
} from '../metadata/injection-metadata.js';
import { isShared } from '../metadata/shared-class.js';
import {
  InjectionUnclearError,
  ServiceAmbiguousError,
  ServiceCircleError,
  ServiceFailedError,
  ServiceNotBoundError,
} from './errors.js';

/** The internal record of a binding in inversify, reduced to the fields needed here. */
type Binding = { isSatisfiedBy(constraints: BindingConstraints): boolean } & (
  | { readonly type: 'Instance'; readonly implementationType: ClassReference }
  | { readonly type: 'ServiceRedirection'; readonly targetServiceIdentifier: unknown }
  | { readonly type: 'ResolvedValue'; readonly metadata: { readonly arguments: readonly InjectedElement[] } }
  | { readonly type: 'ConstantValue' | 'DynamicValue' | 'Factory' }
);

/** The internal registry of a container's bindings, including its parents'. */
interface Bindings {
  get(token: unknown): Iterable<Binding> | undefined;
}

/** An injection with its asker, and the step that leads to it. */
interface Need {
  readonly injection: Injection;
  readonly asker: string;
  readonly above: Step | undefined;
}

/** A binding whose dependencies are followed. */
interface Step {
  readonly need: Need;
  readonly binding: Binding;
}

/** The brands of inversify's errors, the same in every installed copy. */
const BRANDS = ['core/InversifyCoreError', 'container/InversifyContainerError'].map((name) =>
  Symbol.for(`@inversifyjs/${name}`),
);

/** The mark of an inversify plugin. */
const IS_PLUGIN = Symbol.for('@inversifyjs/plugin/isPlugin');

/**
 * Walks the dependencies of a container's bindings without constructing anything. Finds the fault behind an error of
 * inversify, with the path to it.
 */
export class ServiceGraph {
  private readonly bindings: Bindings;

  constructor(private readonly container: Container) {
    this.bindings = bindingsOf(container);
  }

  /** True if a binding applies to the injection, considering names and tags. */
  isBound(injection: Injection): boolean {
    return this.applicable({ injection, asker: '', above: undefined }).length > 0;
  }

  /**
   * Checks that the container can resolve an injection and all its dependencies.
   *
   * @throws {ServiceNotBoundError | ServiceAmbiguousError | ServiceCircleError | InjectionUnclearError}
   */
  check(injection: Injection, asker: string): void {
    this.checkNeed({ injection, asker, above: undefined }, new Set());
  }

  /** Resolves a service. Errors of the container become `AdornError`s; errors of services are rethrown unchanged. */
  readonly resolve: TreeResolver = async <Service>(token: ServiceToken<Service>, asker: string) => {
    try {
      // Abstract classes are identifiers as good as any; inversify's types do not say so.
      return await this.container.getAsync<Service>(token as Newable<Service>);
    } catch (error) {
      throw this.explain(error, token, asker);
    }
  };

  /** Like {@link resolve}, synchronously. */
  get<Service>(token: ServiceToken<Service>, asker: string): Service {
    try {
      return this.container.get<Service>(token as Newable<Service>);
    } catch (error) {
      throw this.explain(error, token, asker);
    }
  }

  /** All services bound to the token, in the order of binding. */
  async resolveAll<Service>(token: ServiceToken<Service>, asker: string): Promise<Service[]> {
    try {
      return await this.container.getAllAsync<Service>(token as Newable<Service>);
    } catch (error) {
      throw this.explain(error, token, asker, true);
    }
  }

  private explain(error: unknown, token: unknown, asker: string, isMultiple = false): unknown {
    if (!isOfContainer(error)) return error;
    try {
      this.check({ ...toInjection('a dependency', ''), token, isMultiple }, asker);
    } catch (fault) {
      if (AdornError.is(fault)) fault.cause = error;
      return fault;
    }
    return new ServiceFailedError(asker, error);
  }

  /** @param sound bindings whose dependencies were checked already */
  private checkNeed(need: Need, sound: Set<Binding>): void {
    const { isMultiple, isOptional } = need.injection;
    const found = this.applicable(need);
    if (found.length === 0 && !isOptional && !isMultiple) throw notBound(need);
    if (found.length > 1 && !isMultiple) throw new ServiceAmbiguousError(dependencyOf(need));
    for (const binding of found) {
      if (sound.has(binding)) continue;
      refuseCircle(need, binding);
      this.checkBinding({ need, binding }, sound);
      sound.add(binding);
    }
  }

  private checkBinding(step: Step, sound: Set<Binding>): void {
    const { binding, need } = step;
    if (binding.type === 'ServiceRedirection') {
      const injection = { ...need.injection, token: binding.targetServiceIdentifier };
      this.checkNeed({ ...need, injection, above: step }, sound);
    }
    if (binding.type === 'ResolvedValue') {
      for (const [index, element] of binding.metadata.arguments.entries()) {
        const injection = toInjection(`argument ${String(index + 1)} of its factory`, '', element);
        this.checkNeed({ injection, asker: nameOf(need.injection.token), above: step }, sound);
      }
    }
    if (binding.type === 'Instance') this.checkClass(binding.implementationType, step, sound);
  }

  private checkClass(made: ClassReference, step: Step, sound: Set<Binding>): void {
    const unclear = unclearMemberOf(made);
    if (unclear !== undefined) throw new InjectionUnclearError(sourceName(made), unclear, pathOf(step));
    for (const injection of injectionsOf(made)) {
      this.checkNeed({ injection, asker: sourceName(made), above: step }, sound);
    }
  }

  private applicable(need: Need): Binding[] {
    const { token } = need.injection;
    const constraints = constraintsOf(need);
    return [...(this.bindings.get(token) ?? [])].filter((binding) => binding.isSatisfiedBy(constraints));
  }
}

/** The name of a token as its source has it. */
export function nameOf(token: unknown): string {
  return typeof token === 'function' ? sourceName(token as ClassReference) : String(token);
}

/** Reads the bindings as a plugin, to which inversify shows them. */
function bindingsOf(container: Container): Bindings {
  const shown: Bindings[] = [];
  class Reader {
    readonly [IS_PLUGIN] = true;

    constructor(_container: Container, context: { readonly bindingService: Bindings }) {
      shown.push(context.bindingService);
    }

    load(): void {
      // Nothing is added to the container.
    }
  }
  container.register(Reader);
  return shown[0] as Bindings;
}

/** Converts an error of inversify to an AdornError; returns other errors unchanged. */
export function containerFault(error: unknown, asker: string): unknown {
  return isOfContainer(error) ? new ServiceFailedError(asker, error) : error;
}

function isOfContainer(error: unknown): error is Error {
  return error instanceof Error && BRANDS.some((brand) => brand in error);
}

/** The constraints of an injection, for the conditions of bindings. */
function constraintsOf({ injection, above }: Need): BindingConstraints {
  return {
    name: injection.name,
    tags: injection.tags,
    serviceIdentifier: injection.token as Newable,
    getAncestor: () => above && constraintsOf(above.need),
  };
}

function notBound(need: Need): AdornError {
  const { token, member } = need.injection;
  return isPlatformType(token)
    ? new InjectionUnclearError(need.asker, member, pathOf(need.above))
    : new ServiceNotBoundError(dependencyOf(need));
}

/** True for a constructor that neither the platform nor Adorn declares. */
export function isMakeable(token: unknown): token is ClassReference {
  if (typeof token !== 'function' || isShared(token)) return false;
  const isOfPlatform = (globalThis as Record<string, unknown>)[token.name] === token;
  const { prototype } = token as { prototype?: { readonly constructor?: unknown } };
  return !isOfPlatform && prototype?.constructor === token;
}

/** True for `Object`, `String`, …, which the compiler emits for parameter types that are not classes. */
function isPlatformType(token: unknown): boolean {
  return typeof token === 'function' && (globalThis as Record<string, unknown>)[token.name] === token;
}

function refuseCircle(need: Need, binding: Binding): void {
  const steps = stepsTo(need.above);
  const first = steps.findIndex((step) => step.binding === binding);
  if (first < 0) return;
  const names = [...steps.map(labelOf), nameOf(need.injection.token)];
  throw new ServiceCircleError(names.slice(first), first === 0 ? [] : names);
}

function dependencyOf(need: Need) {
  const service = nameOf(need.injection.token);
  const above = pathOf(need.above);
  const path = [...(above.length === 0 ? [need.asker] : above), service];
  const { member, token } = need.injection;
  return { asker: need.asker, member, service, path, isMakeable: isMakeable(token) };
}

/** The services that lead to a step, itself included, after the class that asked first. */
function pathOf(step: Step | undefined): string[] {
  const steps = stepsTo(step);
  const [first] = steps;
  if (!first) return [];
  const labels = steps.map(labelOf);
  return first.need.asker === labels[0] ? labels : [first.need.asker, ...labels];
}

function stepsTo(step: Step | undefined): Step[] {
  return step ? [...stepsTo(step.need.above), step] : [];
}

/** `Ledger`, or `Ledger (SqlLedger)` if another class is bound to it. */
function labelOf({ need, binding }: Step): string {
  const name = nameOf(need.injection.token);
  const isOther = binding.type === 'Instance' && binding.implementationType !== need.injection.token;
  return isOther ? `${name} (${sourceName(binding.implementationType)})` : name;
}
