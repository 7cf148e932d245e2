import type { Derived } from './derive-cases.js';
import { judgeCase } from './judge-case.js';
import type { TypeCase } from './type-case.js';

const CASE: TypeCase = {
  corpus: 'typescript-json-schema',
  folder: 'some',
  name: 'some',
  isObject: true,
  expected: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  sources: { 'main.ts': 'interface MyObject { a: string }' },
  roots: [{ file: 'main.ts', type: 'MyObject' }],
};

const TAKES_TEXT: Derived = { schema: CASE.expected };
const TAKES_NUMBER: Derived = {
  schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};

function fault(text: string): Derived {
  return {
    error: `Parameter "input" of ConformanceOfTypes.take ("input.a") has the type "F" (a.ts:1): ${text}`,
  };
}

function tagFault(text: string): Derived {
  return {
    error: `The schema derived for ConformanceOfTypes.take (a.ts:1) is not valid: at "input.a", ${text}. Correct the tags.`,
  };
}

describe('judgeCase', () => {
  it.each([
    ['the same schema', CASE, TAKES_TEXT, 'agrees'],
    ['another schema', CASE, TAKES_NUMBER, 'differs'],
    ['another schema of a quirk', { ...CASE, folder: 'typeof-keyword' }, TAKES_NUMBER, 'quirk'],
    ['a schema where none may be', { ...CASE, folder: 'type-mapped-symbol' }, TAKES_TEXT, 'differs'],
    ['an error by a rule', CASE, fault('it is a function. Write data.'), 'error as demanded'],
    ['an error by no rule', CASE, fault('it is odd. Write data.'), 'differs'],
    [
      'an error by a rule of a tag',
      CASE,
      tagFault('@format says "time", and a Date is sent as "date" or "date-time"'),
      'error as demanded',
    ],
    ['an error by no rule of a tag', CASE, tagFault('@format says "time"'), 'differs'],
    ['an error that names nothing', CASE, { error: 'F: it is a function. Write data.' }, 'differs'],
  ])('%s', (_, one, derived, outcome) => {
    expect(judgeCase(one, [derived], 1).outcome).toBe(outcome);
  });

  it('tells a schema that allows anything, unless the source says so', () => {
    const silent: Derived = { schema: { type: 'object', properties: { a: { description: 'A.' } } } };
    const spoken = { ...CASE, expected: silent.schema, sources: { 'main.ts': 'type A = { a?: unknown }' } };

    expect(judgeCase(CASE, [silent], 1)).toEqual({
      outcome: 'differs',
      reason: 'allows anything at $.properties.a, and no source says so',
    });
    expect(judgeCase(spoken, [silent], 1)).toEqual({ outcome: 'agrees' });
  });

  it('asks of several types of one name that one agree', () => {
    expect(judgeCase(CASE, [TAKES_NUMBER, TAKES_TEXT], 1)).toEqual({ outcome: 'agrees' });
  });
});
