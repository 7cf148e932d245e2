import { limitGrowth } from './limit-growth.js';

const PAGE = 65_536;

describe('limitGrowth', () => {
  it.each([
    ['up to the limit', 4 * PAGE],
    ['up to the last whole page below it', 5 * PAGE - 1],
  ])('lets a memory grow %s', (_, limit) => {
    class Memory {
      buffer = new ArrayBuffer(PAGE);

      grow(pages: number): number {
        const before = this.buffer.byteLength / PAGE;
        this.buffer = new ArrayBuffer((before + pages) * PAGE);
        return before;
      }
    }
    limitGrowth(Memory.prototype, limit);
    const memory = new Memory();

    expect(() => memory.grow(4)).toThrow(new RangeError('the memory limit is reached'));
    expect([memory.grow(3), memory.buffer.byteLength]).toEqual([1, 4 * PAGE]);
    expect(() => memory.grow(1)).toThrow(new RangeError('the memory limit is reached'));
    expect(memory.grow(0)).toBe(4);
  });
});
