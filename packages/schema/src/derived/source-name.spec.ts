import { DERIVED, type DerivedClass } from './derived-class.js';
import { sourceName } from './derived-records.js';

class a {
  static readonly [DERIVED]: DerivedClass = { name: 'Orders', tools: {} };
  readonly kind: string = 'orders';
}

class RushOrders extends a {}

describe('sourceName', () => {
  it('is what the build wrote down, whatever a minifier made of it', () => {
    expect(sourceName(a)).toBe('Orders');
  });

  it("is the class's own name where nothing was written down for it, whatever its base is called", () => {
    expect(sourceName(RushOrders)).toBe('RushOrders');
  });
});
