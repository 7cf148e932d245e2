import { present } from './present.js';

describe('present', () => {
  it('leaves out what is undefined, and keeps every other value in its order', () => {
    const kept = present({ id: 'a', hint: undefined, payload: null, count: 0, isOpen: false, text: '' });

    expect(Object.entries(kept)).toEqual([
      ['id', 'a'],
      ['payload', null],
      ['count', 0],
      ['isOpen', false],
      ['text', ''],
    ]);
  });

  it('keeps a member that is named like one of every object', () => {
    const members = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as object;

    expect(Object.getPrototypeOf(present(members))).toBe(Object.prototype);
    expect(present(members)).toHaveProperty('constructor', 1);
  });
});
