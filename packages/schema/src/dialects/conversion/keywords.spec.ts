import { Ajv2019 } from 'ajv/dist/2019.js';

import { isConstraint, rulesOf } from './keywords.js';

/** What Ajv has code for, but for what is about the document, and for `nullable`, which is one more type. */
const CHECKED = Object.entries(new Ajv2019().RULES.all)
  .filter(([keyword, rule]) => typeof rule === 'object' && !/^(\$.*|id|nullable)$/.test(keyword))
  .map(([keyword]) => keyword);

describe('the keywords that exclude values', () => {
  it.each([...CHECKED, 'prefixItems', 'contentEncoding', 'contentMediaType', 'contentSchema'])(
    'are known: %s',
    (keyword) => {
      expect(isConstraint(keyword)).toBe(true);
      expect(rulesOf({ [keyword]: 1, title: 'T', description: 'D.' })).toEqual([keyword]);
    },
  );

  it.each(['default', 'examples'])('are not all that a model should know of: %s', (keyword) => {
    expect(isConstraint(keyword)).toBe(false);
    expect(rulesOf({ [keyword]: [], $comment: 'C' })).toEqual([keyword]);
  });

  it.each([
    { additionalItems: true },
    { additionalProperties: true },
    { items: true },
    { unevaluatedItems: true },
    { unevaluatedProperties: true },
    { uniqueItems: false },
    { required: [] },
    { type: undefined },
  ])('exclude nothing where they say so: %j', (schema) => {
    expect(rulesOf(schema)).toEqual([]);
  });
});
