import { type Container, decorate, injectable, injectFromBase, type Newable } from 'inversify';

import { baseOf, type ClassReference, type DerivedRecords, sourceName } from '@adorn/schema';
import {
  hasOwnConstructor,
  type Injection,
  injectionsOf,
  isMarkedInjectable,
  methodInjectionsOf,
  toInjection,
  unclearMemberOf,
} from '../metadata/injection-metadata.js';
import type { BuildOrder } from './build-order.js';
import { InjectionUnclearError, ServiceNotBoundError } from './errors.js';
import { isMakeable, nameOf, type ServiceGraph } from './service-graph.js';

/** An unbound class that is constructed because another class depends on it. */
export interface ImpliedService {
  readonly asker: ClassReference;
  readonly injection: Injection;
  readonly token: ClassReference;
  /** From the class of the tree to the service, both included. */
  readonly path: readonly string[];
}

/** Binds the classes of a tree and their unbound dependencies. */
export class ClassBinder {
  /** The classes that were bound because another class depends on them. */
  readonly implied: ImpliedService[] = [];
  private readonly bound = new Set<ClassReference>();

  constructor(
    private readonly container: Container,
    private readonly graph: ServiceGraph,
    private readonly order: BuildOrder,
  ) {}

  /**
   * Binds a class to itself unless it is bound, and its dependencies.
   *
   * @throws {AdornError} if a dependency cannot be resolved
   */
  bind(target: ClassReference, lifetime: 'singleton' | 'transient'): void {
    this.bindBelow(target, lifetime, [sourceName(target)]);
    this.graph.check({ ...toInjection('a dependency', ''), token: target }, sourceName(target));
    for (const injection of methodInjectionsOf(target)) this.graph.check(injection, sourceName(target));
  }

  /**
   * Refuses abstract classes among the implied services, if the records know them.
   *
   * @throws {ServiceNotBoundError}
   */
  refuseAbstract(records: DerivedRecords): void {
    const refused = this.implied.find((service) => kindOf(service, records) === 'abstract');
    if (refused) throw this.notBound(refused, 'an abstract class');
  }

  /**
   * Constructs the implied services whose class has no methods. An instance without properties comes from an abstract
   * class, unless a record says that the class is concrete.
   *
   * @param find finds the records of classes, if available
   * @throws {ServiceNotBoundError}
   */
  async refuseEmpty(find: (askers: readonly ClassReference[]) => Promise<DerivedRecords>): Promise<void> {
    const empty: ImpliedService[] = [];
    for (const service of this.implied.filter(({ token }) => isWithoutMembers(token))) {
      const made = await this.graph.resolve(service.token, sourceName(service.asker));
      if (Reflect.ownKeys(made).length === 0) empty.push(service);
    }
    if (empty.length === 0) return;
    const records = await find([...new Set(empty.map(({ asker }) => asker))]);
    this.refuseAbstract(records);
    const unknown = empty.find((service) => kindOf(service, records) === undefined);
    if (unknown) throw this.notBound(unknown, 'a class without members, like an abstract class');
  }

  private notBound({ asker, injection, token, path }: ImpliedService, nature: string): ServiceNotBoundError {
    const { member } = injection;
    const implementation = [...this.bound].find((one) => one.prototype instanceof token);
    return new ServiceNotBoundError(
      {
        asker: sourceName(asker),
        member,
        service: nameOf(token),
        path,
        implementation: implementation && sourceName(implementation),
      },
      nature,
    );
  }

  private bindBelow(
    target: ClassReference,
    lifetime: 'singleton' | 'transient',
    path: readonly string[],
  ): void {
    markInjectable(target);
    this.bound.add(target);
    const byMethod = methodInjectionsOf(target);
    const byConstructor = injectionsOf(target);
    for (const { token } of [...byConstructor, ...byMethod]) this.order.watch(token);
    this.order.watch(target);
    const isNew = !this.container.isBound(target);
    if (isNew) this.bindToSelf(target, lifetime, path);
    for (const injection of isNew ? [...byConstructor, ...byMethod] : byMethod)
      this.bindImplied(target, injection, path);
  }

  private bindImplied(asker: ClassReference, injection: Injection, above: readonly string[]): void {
    const { token, isOptional, isMultiple } = injection;
    if (isOptional || isMultiple || this.graph.isBound(injection) || !isMakeable(token)) return;
    const path = [...above, nameOf(token)];
    this.implied.push({ asker, injection, token, path });
    this.bindBelow(token, 'singleton', path);
  }

  private bindToSelf(
    target: ClassReference,
    lifetime: 'singleton' | 'transient',
    path: readonly string[],
  ): void {
    const unclear = unclearMemberOf(target);
    if (unclear !== undefined) throw new InjectionUnclearError(sourceName(target), unclear, path);
    const binding = this.container.bind(target as Newable<object>).toSelf();
    if (lifetime === 'singleton') binding.inSingletonScope();
    else binding.inTransientScope();
  }
}

/** True if the class and its bases have no methods, accessors or constructor parameters. */
function isWithoutMembers(target: ClassReference): boolean {
  const base = baseOf(target);
  return (
    target.length === 0 &&
    injectionsOf(target).length === 0 &&
    Reflect.ownKeys(target.prototype as object).length === 1 &&
    (base === undefined || isWithoutMembers(base))
  );
}

function kindOf(
  { asker, injection }: ImpliedService,
  records: DerivedRecords,
): 'abstract' | 'concrete' | undefined {
  return records.get(asker)?.services?.[injection.place];
}

/**
 * Marks a class and its base classes as injectable, once. A subclass without a constructor inherits the injections of
 * its base; otherwise it would silently get no arguments.
 */
function markInjectable(target: ClassReference): void {
  const base = baseOf(target);
  if (base) markInjectable(base);
  if (isMarkedInjectable(target)) return;
  decorate(injectable(), target);
  if (!base) return;
  decorate(
    injectFromBase({ extendConstructorArguments: !hasOwnConstructor(target), extendProperties: true }),
    target,
  );
}
