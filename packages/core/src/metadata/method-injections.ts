import { type ClassReference, readMetadata } from './class-metadata.js';
import { type Injection, toInjection, unwrapLazy } from './injection-metadata.js';
import { defineParameterSlot } from './parameter-metadata.js';

/** The tokens that `@inject` names before parameters of methods. */
export const METHOD_INJECTIONS = defineParameterSlot<unknown>('method-injections');

/** What the container gives to a method when it is called as a tool, by the parameter's place. */
export function tokensOf(target: ClassReference, method: string): ReadonlyMap<number, unknown> {
  const tokens = readMetadata(target, METHOD_INJECTIONS).get(method) ?? new Map<number, unknown>();
  return new Map([...tokens].map(([index, token]) => [index, unwrapLazy(token)]));
}

/** What the container has to have for the methods of a class. */
export function methodInjectionsOf(target: ClassReference): Injection[] {
  return [...readMetadata(target, METHOD_INJECTIONS).keys()].flatMap((method) =>
    [...tokensOf(target, method)].map(([index, token]) => ({
      ...toInjection(`parameter ${String(index + 1)} of ${method}`, `${method}(${String(index)})`),
      token,
    })),
  );
}

/** The methods with an injected parameter. */
export function injectedMethodsOf(target: ClassReference): string[] {
  return [...readMetadata(target, METHOD_INJECTIONS).keys()];
}
