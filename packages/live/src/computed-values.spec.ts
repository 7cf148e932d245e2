import type { CallbackContext } from '@adorn/core';

import { computeValues } from './computed-values.js';

type Make = (state: Record<string | symbol, unknown>) => unknown;

describe('computed values', () => {
  it('are written in an order in which each is made after those that it reads, once', () => {
    const made: string[] = [];
    const written = computedOf({
      total: ({ net, tax }) => {
        made.push('total');
        return Number(net) + Number(tax);
      },
      tax: ({ net }) => {
        made.push('tax');
        return Number(net) / 10;
      },
      net: ({ price }) => {
        made.push('net');
        return price;
      },
    });

    expect(made).toEqual(['net', 'tax', 'total']);
    expect(written).toEqual({ price: 100, net: 100, tax: 10, total: 110 });
  });

  it('write nothing where they are undefined, and null where they are null', () => {
    expect(computedOf({ net: () => undefined, tax: () => null })).toStrictEqual({ price: 100, tax: null });
  });

  it('may look at their state by a symbol', () => {
    expect(computedOf({ net: (state) => String(state[Symbol.toStringTag]) })).toMatchObject({
      net: 'undefined',
    });
  });

  it.each<[string, Record<string, Make>]>([
    ['net', { net: ({ net }) => net }],
    ['net', { net: ({ tax }) => tax, tax: ({ net }) => net }],
  ])('are refused if they depend on themselves: %s', (key, values) => {
    expect(() => computedOf(values)).toThrow(
      `The live agent Desk cannot be used: the computed value '${key}' depends on itself. Correct its decorators.`,
    );
  });
});

/** The state after its values were computed. */
function computedOf(values: Readonly<Record<string, Make>>): Record<string, unknown> {
  const written: Record<string, unknown> = { price: 100 };
  const state = {
    get: (key: string) => written[key],
    has: (key: string) => written[key] !== undefined,
    set: (key: string, value: unknown) => void (written[key] = value),
  };
  const declared = Object.keys(values).map((key) => ({ method: key, key }));
  computeValues('Desk', declared, { state } as unknown as CallbackContext, ({ key }, view) =>
    values[key]?.(view as Record<string | symbol, unknown>),
  );
  return written;
}
