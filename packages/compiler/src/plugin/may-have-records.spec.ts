import { mayHaveRecords } from './adorn-plugin.js';

describe('a look at the text of a file', () => {
  it.each([
    ['a decorator', "import { tool } from 'adorn'; export class A { @tool() run() {} }"],
    [
      'a decorator of another name',
      "import { offer } from './offer.js'; export class A { @offer() run() {} }",
    ],
    ['a subclass without a decorator', "import { A } from './a.js'; export class B extends A { run() {} }"],
    ['a function of another name', "import { make } from './make.js'; export const one = make(two);"],
    ['CommonJS', "const { tool } = require('adorn'); class A { @tool() run() {} }"],
  ])('does not exclude %s', (_what, text) => {
    expect(mayHaveRecords(text)).toBe(true);
  });

  it.each([
    ['types only', "import type { A } from './a.js'; export interface B { a: A }"],
    ['constants', "import { one } from './one.js'; export const two = one;"],
    ['what imports nothing', 'export class A { run() { return String(1); } }'],
  ])('excludes %s', (_what, text) => {
    expect(mayHaveRecords(text)).toBe(false);
  });
});
