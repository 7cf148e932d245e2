import { SchemaReferences } from './schema-converter.js';

describe('SchemaReferences', () => {
  const size = { type: 'integer' };
  const references = new SchemaReferences({
    properties: { tree: { $ref: '#/$defs/Tree' }, list: { anyOf: [{ $ref: '#/definitions/List' }] } },
    $defs: {
      Tree: { items: [{ $ref: '#/$defs/Tree' }] },
      Left: { not: { $ref: '#/$defs/Right' } },
      Right: { not: { $ref: '#/$defs/Left' } },
      Leaf: { default: { $ref: '#/$defs/Leaf' }, $defs: { Own: { $ref: '#/$defs/Leaf' } } },
      Named: { properties: { default: { $ref: '#/$defs/Named' } } },
      Old: { definitions: { Own: { $ref: '#/$defs/Old' } } },
    },
    definitions: { List: { items: size }, 'a/b~c d': size },
    allOf: [size],
  });

  it.each([
    ['#/definitions/List/items', size],
    ['#/definitions/a~1b~0c%20d', size],
    ['#/allOf/0', size],
    ['#/definitions/None/items', undefined],
    ['#/definitions/List/items/type', undefined],
    ['definitions/List', undefined],
    ['https://example.com/definitions/List', undefined],
    ['#List', undefined],
  ])('finds what %s leads to', (reference, found) => {
    expect(references.find(reference)).toBe(found);
  });

  it('finds the whole', () => {
    expect(references.find('#')).toHaveProperty('properties.tree');
  });

  it.each([
    ['#/$defs/Tree', true],
    ['#/$defs/Left', true],
    ['#/$defs/Named', true],
    ['#/$defs/Leaf', false],
    ['#/$defs/Old', false],
    ['#/definitions/List', false],
  ])('tells whether %s leads back to itself: %s', (reference, isCyclic) => {
    expect(references.isCyclic(reference)).toBe(isCyclic);
  });

  it('counts the schemas there are once references are put in place, those of data and definitions left out', () => {
    const item = { $ref: '#/$defs/Item' };
    const counted = new SchemaReferences({
      allOf: [item, item],
      default: { deep: { deeper: {} } },
      $defs: { Item: { not: { not: {} } }, Unused: { not: {} } },
      definitions: { Unused: { not: {} } },
    });

    expect(counted.expandedSize()).toBe(1 + 2 * (1 + 3));
  });

  it('names each reference by its last step, and those that end alike by their order', () => {
    const wanted = ['#/$defs/Item', '#/definitions/Item', '#/$defs/a~1b', '#', '#/$defs/%2F', '#/x/Item'];

    expect(wanted.map((one) => references.nameOf(one))).toEqual([
      'Item',
      'Item-2',
      'a_b',
      'Root',
      'Root-2',
      'Item-3',
    ]);
    expect(references.nameOf('#/definitions/Item')).toBe('Item-2');
  });
});
