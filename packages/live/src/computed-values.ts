import type { CallbackContext } from '@adorn/core';

import type { DeclaredValue } from './phase.decorator.js';
import { PhasesInvalidError } from './phases-invalid.error.js';
import { stateView } from './state-view.js';

/**
 * Writes computed values, each after those that it reads. A value of undefined writes nothing.
 *
 * @param make calls the method of a value
 * @throws {PhasesInvalidError} for a value that depends on itself
 */
export function computeValues(
  agent: string,
  values: readonly DeclaredValue[],
  context: CallbackContext,
  make: (value: DeclaredValue, state: object) => unknown,
): void {
  const state = stateView<Record<string, unknown>>(context);
  const order = new ComputeOrder(values, state, (value, reading) => {
    const made = make(value, reading);
    if (made !== undefined) context.state.set(value.key, made);
  });
  const key = order.run();
  if (key !== undefined) throw new PhasesInvalidError(agent, `the computed value '${key}' depends on itself`);
}

/** The first key of a value that depends on itself when it is made from an empty state; undefined if none does. */
export function cycleIn(
  values: readonly DeclaredValue[],
  make: (value: DeclaredValue, state: object) => unknown,
): string | undefined {
  const order = new ComputeOrder(values, {}, (value, reading) => {
    try {
      make(value, reading);
    } catch (error) {
      if (error instanceof CycleError) throw error;
      // An empty state does not have what it needs.
    }
  });
  return order.run();
}

/** Makes values, each after those that it reads. */
class ComputeOrder {
  private readonly open = new Set<string>();
  private readonly done = new Set<string>();

  constructor(
    private readonly values: readonly DeclaredValue[],
    private readonly state: Record<string, unknown>,
    private readonly make: (value: DeclaredValue, reading: object) => void,
  ) {}

  /** Returns the key of a value that depends on itself. */
  run(): string | undefined {
    try {
      for (const { key } of this.values) this.compute(key);
      return undefined;
    } catch (error) {
      if (error instanceof CycleError) return error.key;
      throw error;
    }
  }

  private compute(name: string | symbol): void {
    const value = this.values.find((one) => one.key === name);
    if (!value || this.done.has(value.key)) return;
    const { key } = value;
    if (this.open.has(key)) throw new CycleError(key);
    this.open.add(key);
    const reading = new Proxy(this.state, {
      get: (_target, read) => {
        this.compute(read);
        return Reflect.get(this.state, read) as unknown;
      },
    });
    this.make(value, reading);
    this.open.delete(key);
    this.done.add(key);
  }
}

class CycleError extends Error {
  constructor(readonly key: string) {
    super(`the value '${key}' depends on itself`);
  }
}
