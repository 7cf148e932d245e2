import type { TestGroup } from './test-group.js';

const LONG = `${'a'.repeat(5_000)}!`;
const DEEP = 20_000;

/**
 * Schemas that could keep a validator busy for ever, and values with the verdicts that are due in time. A value whose
 * match has no end in time is refused, also where it would be valid.
 */
export const HOSTILE: readonly TestGroup[] = [
  pattern('repeats within repeats', '^(a+)+$'),
  pattern('alternatives that say the same', '^(a|a)*$'),
  pattern('a reference back under repeats', '^(.+)*\\1$'),
  {
    description: 'a hostile pattern of names',
    schema: { patternProperties: { '^(a+)+$': false } },
    tests: [{ description: 'a long name', data: { [LONG]: 1 }, valid: false }],
  },
  circular('a choice of itself', { anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }] }),
  {
    description: 'a list of itself',
    schema: { type: 'array', items: { $ref: '#' } },
    tests: [
      { description: 'a list of lists', data: [[[], []]], valid: true },
      { description: 'a text within', data: [[['a']], [1]], valid: false },
      { description: 'a list as deep as no stack is', data: nested(DEEP), valid: false },
    ],
  },
];

/** Schemas that say nothing but that they are themselves: they are refused. */
export const ENDLESS: readonly TestGroup[] = [
  { description: 'a reference to itself', schema: { $ref: '#' }, tests: [] },
  {
    description: 'references to each other',
    schema: {
      $ref: '#/definitions/a',
      definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } },
    },
    tests: [],
  },
];

function pattern(description: string, source: string): TestGroup {
  return {
    description,
    schema: { type: 'string', pattern: source },
    tests: [{ description: 'a long text that does not match', data: LONG, valid: false }],
  };
}

/** A choice that is only of itself lets nothing in. */
function circular(description: string, schema: unknown): TestGroup {
  return { description, schema, tests: [{ description: 'any value', data: 'a', valid: false }] };
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
