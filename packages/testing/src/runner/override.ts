import { ContainerModule } from '@adorn/core';
import type { ServiceToken } from '@adorn/core/backend';

/** A value that a test runner gives in the place of a service. */
export interface Override {
  /** What the service is asked for by: a class, an abstract class, a text or a symbol. */
  readonly token: ServiceToken<unknown>;
  /** The value. */
  readonly value: unknown;
}

/**
 * Gives whoever asks for a service another value: `override(Shop, { refund })`.
 *
 * @param token the class, the text or the symbol by which the service is bound
 * @param value has what the service has
 */
export function override<Service>(token: ServiceToken<Service>, value: Service): Override {
  return { token, value };
}

/** Binds the values, also where a module before it has bound the tokens. */
export function overridesModule(overrides: readonly Override[]): ContainerModule {
  return new ContainerModule(async ({ bind, isBound, rebindAsync }) => {
    for (const { token, value } of overrides) {
      const binding = isBound(token) ? await rebindAsync(token) : bind(token);
      binding.toConstantValue(value);
    }
  });
}
