import { Condition } from './condition.js';

describe('Condition', () => {
  it('does not wait for what is met', async () => {
    await new Condition().until(() => true);
  });

  it('looks again whenever it is told, and resolves every wait that is met', async () => {
    const condition = new Condition();
    const resolved: number[] = [];
    let count = 0;
    const waits = [1, 2, 1].map(async (least) => {
      await condition.until(() => count >= least);
      resolved.push(least);
    });

    count = 1;
    await settled();
    expect(resolved).toEqual([]);
    condition.notify();
    await settled();
    expect(resolved).toEqual([1, 1]);
    count = 2;
    condition.notify();
    await Promise.all(waits);
    expect(resolved).toEqual([1, 1, 2]);
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
