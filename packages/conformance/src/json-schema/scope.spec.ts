import { fileOutOfScope, groupOutOfScope } from './scope.js';

describe('the scope', () => {
  it.each([
    ['refRemote.json', true],
    ['optional/format/uuid.json', true],
    ['format.json', true],
    ['pattern.json', false],
    ['optional/ecmascript-regex.json', false],
  ])('tells of %s whether it is left out', (path, isLeftOut) => {
    expect(fileOutOfScope({ path, groups: [] }) !== undefined).toBe(isLeftOut);
  });

  it('leaves out a schema for what is somewhere in it, in the draft that means something else by it', () => {
    const schema = { properties: { a: { $ref: '#/definitions/a', maxItems: 2 } } };
    const group = { description: '', schema, tests: [] };

    expect(groupOutOfScope('draft7', group)).toContain('beside a $ref');
    expect(groupOutOfScope('draft2020-12', group)).toBeUndefined();
  });
});
