import { createHash } from 'node:crypto';

import { MAX_NAME_BYTES } from '@adorn/core/backend';

/**
 * Different names that a store may confuse when it builds paths, statements or object keys from them. A store that
 * changes case, trims, truncates or sanitises names treats some of them as equal.
 */
export const HOSTILE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'toString',
  '../x',
  '../../x',
  '/x',
  'x',
  'X',
  'x ',
  ' x',
  'a/b',
  'a\u2215b',
  'a\\b',
  'a_b',
  'a:b',
  'a%2Fb',
  'a\u0000b',
  'a',
  '\u0000',
  "'; DROP TABLE sessions; --",
  '"quoted"',
  '%',
  '_',
  '*',
  '["a","b"]',
  'null',
  '.',
  '..',
  'line\nbreak',
  'caf\u00e9',
  'cafe\u0301',
  '\u{1f469}\u200d\u{1f680}',
  '\u{1f680}',
  'n'.repeat(300),
  `${'n'.repeat(299)}m`,
];

/** True if anything was written to `Object.prototype`. */
export function isPrototypeClean(): boolean {
  const names = Object.getOwnPropertyNames(Object.prototype);
  return Object.keys(Object.prototype).length === 0 && !names.includes('polluted');
}

/** A name of so many bytes that no index can compress, another one for each seed. */
function longName(seed: string, bytes: number): string {
  let name = '';
  while (name.length < bytes) name += createHash('sha256').update(`${seed} ${name}`).digest('hex');
  return name.slice(0, bytes);
}

/** The longest name that every store takes. */
export function longestName(seed: string): string {
  return longName(seed, MAX_NAME_BYTES);
}

/** Names that every store refuses: one byte too long, far too long, and too long in their stored form. */
export const TOO_LONG: readonly (readonly [what: string, name: string])[] = [
  ['one byte too many', longName('one', MAX_NAME_BYTES + 1)],
  ['10,000 bytes', longName('many', 10_000)],
  ['too many bytes in few characters', '\u{1f680}'.repeat(MAX_NAME_BYTES / 4 + 1)],
  ['too many characters that JSON escapes', '\u0000'.repeat(Math.ceil(MAX_NAME_BYTES / 6))],
];

/** Values that are no names, as callers without types pass them. Two of the numbers are one name to a careless SQL. */
export const NOT_NAMES: readonly (readonly [what: string, name: string])[] = [
  ['a number', 105],
  ['another number', 205],
  ['null', null],
  ['a boolean', true],
  ['an object', {}],
  ['a list', ['ada']],
  ['a symbol', Symbol('ada')],
  ['a String object', Object('ada')],
  ['an empty text', ''],
].map(([what, name]) => [what as string, name as string]);

/** How a store refuses one. */
export const NOT_A_NAME = { code: 'NAME_INVALID' };

/** How a store refuses a name that is too long. */
export const REFUSAL = { code: 'NAME_TOO_LONG' };
