import { calculate } from './calculator.js';
import { Refusal } from './refusal.js';

describe('calculate', () => {
  it.each([
    ['3131.1 + 4777.75 + 367.38', '8276.23'],
    ['135.24 - 153.23', '-17.99'],
    ['2 + 3 * 4', '14.0'],
    ['(2 + 3) * -4', '-20.0'],
    ['8 / 4 / 2', '1.0'],
    ['10 - 4 - 3', '3.0'],
    ['--2 + +.5 + 1.', '3.5'],
    ['0.125 * 1', '0.12'],
  ])('gives %s as %s', (expression, value) => {
    expect(calculate(expression)).toBe(value);
  });

  it.each([
    ['2 + x', 'invalid characters in expression'],
    ['1 / 0', 'division by zero'],
    ['1.0 / 0', 'float division by zero'],
    ['1 / 0 3', 'invalid syntax (<string>, line 1)'],
    ['(1 + 2', 'invalid syntax (<string>, line 1)'],
    ['1 + 2)', 'invalid syntax (<string>, line 1)'],
    ['2 ** 3', 'invalid syntax (<string>, line 1)'],
    ['1.2.3', 'invalid syntax (<string>, line 1)'],
    ['', 'invalid syntax (<string>, line 1)'],
  ])('refuses %p: %s', (expression, reason) => {
    expect(() => calculate(expression)).toThrow(new Refusal(reason));
  });
});
