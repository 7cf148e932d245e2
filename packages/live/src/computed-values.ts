import type { CallbackContext } from '@adorn/core';

import { PhasesInvalidError } from './check-declarations.js';
import type { DeclaredValue } from './phase.decorator.js';
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
  const open = new Set<string>();
  const done = new Set<string>();
  const compute = (name: string | symbol): void => {
    const value = values.find((one) => one.key === name);
    if (!value || done.has(value.key)) return;
    const { key } = value;
    if (open.has(key)) throw new PhasesInvalidError(agent, `the computed value '${key}' depends on itself`);
    open.add(key);
    const reading = new Proxy(state, {
      get: (_target, name) => {
        compute(name);
        return Reflect.get(state, name) as unknown;
      },
    });
    const made = make(value, reading);
    if (made !== undefined) context.state.set(key, made);
    open.delete(key);
    done.add(key);
  };
  for (const { key } of values) compute(key);
}
