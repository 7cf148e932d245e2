/**
 * Names that a store confuses where it builds paths, statements or keys of plain objects out of them. They are all
 * different, and a store that folds, trims, cuts or cleans names takes some of them for one another.
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
