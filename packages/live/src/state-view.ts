import type { CallbackContext } from '@adorn/core';

/** The state of a conversation with the types of its keys. Reading an absent key gives undefined. */
export type StateView<State extends object> = Partial<State>;

/** The keys of the session as properties. Writes go to the context, which stores them. */
export function stateView<State extends object>({ state }: Pick<CallbackContext, 'state'>): StateView<State> {
  const read = (key: string): unknown => state.get(key);
  return new Proxy<Partial<State>>(
    {},
    {
      get: (_target, key): unknown => (typeof key === 'string' ? read(key) : undefined),
      has: (_target, key) => typeof key === 'string' && state.has(key),
      set: (_target, key, value: unknown) => {
        if (typeof key === 'string') state.set(key, value);
        return typeof key === 'string';
      },
      deleteProperty: (_target, key) => {
        if (typeof key === 'string') state.set(key, null);
        return true;
      },
      ownKeys: () => state.entries().map(([key]) => key),
      getOwnPropertyDescriptor: (_target, key) =>
        typeof key === 'string' && state.has(key)
          ? { value: read(key), configurable: true, enumerable: true, writable: true }
          : undefined,
    },
  );
}
