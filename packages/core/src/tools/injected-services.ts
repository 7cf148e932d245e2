import type { ServiceToken } from '../invocation/invocation-services.js';
import type { ClassReference } from '../metadata/class-metadata.js';
import { injectedMethodsOf, tokensOf } from '../metadata/injection-metadata.js';
import type { DerivedParameter } from '../schema/derived-class.js';
import type { ArgumentSource } from './bind-arguments.js';
import { InjectionMisplacedError, InjectionStaleError } from './errors.js';

/** @throws {InjectionMisplacedError} if `@inject` decorates a parameter of a method that is not a tool */
export function refuseInjectionOutsideTools(target: ClassReference, tools: ReadonlySet<string>): void {
  const misplaced = injectedMethodsOf(target).find((method) => !tools.has(method));
  if (misplaced !== undefined) throw new InjectionMisplacedError(target.name, misplaced);
}

/**
 * Finds the service of a parameter that the record says is injected, by the parameter's place.
 *
 * @throws {InjectionStaleError} where the record and the code do not agree
 */
export function servicesOf(
  target: ClassReference,
  method: string,
  parameters: readonly DerivedParameter[],
): (index: number) => ArgumentSource {
  const tokens = tokensOf(target, method);
  const injected = parameters.flatMap(({ kind }, index) => (kind === 'service' ? [index] : []));
  for (const index of new Set([...tokens.keys(), ...injected])) {
    const isInjected = tokens.has(index);
    if (isInjected !== injected.includes(index))
      throw new InjectionStaleError(target.name, method, index, isInjected);
  }
  return (index) => toService(tokens.get(index));
}

/** A method with a schema of its own gets what `@inject` fills at its places, and the rest in between. */
export function withServices(
  sources: readonly ArgumentSource[],
  target: ClassReference,
  method: string,
): readonly ArgumentSource[] {
  const laid = [...sources];
  for (const [index, token] of [...tokensOf(target, method)].sort(([a], [b]) => a - b))
    laid.splice(index, 0, toService(token));
  return laid;
}

function toService(token: unknown): ArgumentSource {
  return { kind: 'service', token: token as ServiceToken<unknown> };
}
