import type { CallbackContext } from '@adorn/core';

import { stateView } from './state-view.js';

interface Caller {
  name?: string;
  mood?: number | null;
}

describe('the view of a state', () => {
  it('reads and writes keys as properties', () => {
    const { view, values } = viewOf({ name: 'Ada' });
    view.mood = 0.5;

    expect([view.name, view.mood]).toEqual(['Ada', 0.5]);
    expect(Object.fromEntries(values)).toEqual({ name: 'Ada', mood: 0.5 });
  });

  it('gives undefined for an absent key, and has only those with a value', () => {
    const { view } = viewOf({ name: 'Ada' });

    expect(view.mood).toBeUndefined();
    expect(['name' in view, 'mood' in view]).toEqual([true, false]);
  });

  it('removes a key that is deleted', () => {
    const { view, values } = viewOf({ name: 'Ada' });

    expect(delete view.name).toBe(true);
    expect(values.get('name')).toBeNull();
  });

  it('can be listed and spread', () => {
    const { view } = viewOf({ name: 'Ada', mood: 1 });

    expect(Object.keys(view)).toEqual(['name', 'mood']);
    expect({ ...view }).toEqual({ name: 'Ada', mood: 1 });
    expect(Object.entries(viewOf({ name: 'Ada', mood: null }).view)).toEqual([['name', 'Ada']]);
    expect(Object.getOwnPropertyDescriptor(view, 'name')).toEqual({
      value: 'Ada',
      configurable: true,
      enumerable: true,
      writable: true,
    });
  });

  it('has nothing under a symbol, and keeps nothing under it', () => {
    const { view, values } = viewOf({ name: 'Ada' });
    const key = Symbol('key');

    expect(Reflect.get(view, key)).toBeUndefined();
    expect(Reflect.has(view, key)).toBe(false);
    expect(Reflect.set(view, key, 1)).toBe(false);
    expect(Reflect.deleteProperty(view, key)).toBe(true);
    expect(Object.getOwnPropertyDescriptor(view, key)).toBeUndefined();
    expect([...values.keys()]).toEqual(['name']);
  });
});

/** A view of these keys, and what is in them. A key whose value is null has none. */
function viewOf(written: Caller) {
  const values = new Map<unknown, unknown>(Object.entries(written));
  const state = {
    get: (key: unknown) => values.get(key) ?? undefined,
    has: (key: unknown) => (values.get(key) ?? undefined) !== undefined,
    set: (key: unknown, value: unknown) => void values.set(key, value),
    entries: () => [...values],
  };
  return { view: stateView<Caller>({ state } as unknown as CallbackContext), values };
}
