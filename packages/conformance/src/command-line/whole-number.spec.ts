import { UsageError } from './usage.error.js';
import { positive, positives, wholeNumber } from './whole-number.js';

it.each([
  ['0', 0],
  ['200', 200],
])('a whole number is digits: %s', (text, value) => {
  expect(wholeNumber('seeds', text)).toBe(value);
});

it.each(['', '-1', '1.5', 'few', '1e3', '9007199254740993'])('a whole number is not "%s"', (text) => {
  expect(() => wholeNumber('seeds', text)).toThrow(
    new UsageError(`--seeds takes a whole number, not "${text}".`),
  );
});

it.each(['', '0', '-1', '1.5', 'few'])('a positive number is not "%s", alone or in a list', (text) => {
  expect(() => positive('rounds', text)).toThrow(
    new UsageError(`--rounds takes a whole number above 0, not "${text}".`),
  );
  expect(() => positives('sizes', `1,${text}`)).toThrow(
    new UsageError(`--sizes takes whole numbers above 0, not "${text}".`),
  );
});

it('positive numbers may stand in a list', () => {
  expect(positives('sizes', '1,100,1000')).toEqual([1, 100, 1000]);
});
