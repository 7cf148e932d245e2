import type { JsonSchema } from '@adorn/core';

import type { ts } from '../typescript.js';
import { Definitions } from './definitions.js';

const [ORDER, PLACE, PAGE] = [{}, {}, {}] as [ts.Type, ts.Type, ts.Type];
const SHORT: JsonSchema = { type: 'object', properties: { a: { type: 'string' } } };
const LONG: JsonSchema = { type: 'object', description: 'x'.repeat(400) };

describe('the definitions of a schema', () => {
  let definitions: Definitions;
  beforeEach(() => {
    definitions = new Definitions();
  });

  it('write a type with a name once, and refer to it wherever it is mentioned', () => {
    const write = jest.fn(() => SHORT);

    const references = [1, 2].map(() => definitions.define(ORDER, 'Order', write));

    expect(references).toEqual([{ $ref: '#/$defs/Order' }, { $ref: '#/$defs/Order' }]);
    expect(write).toHaveBeenCalledTimes(1);
    expect(definitions.all()).toEqual({ Order: SHORT });
  });

  it.each([
    ['Page<Item>', 'Page_Item'],
    ['{ a: string; }', 'a_string'],
    ['__proto__', 'proto'],
    ['$$$', 'Type'],
    ['', 'Type'],
    [`Long${'x'.repeat(80)}`, `Long${'x'.repeat(60)}`],
  ])('name a type that is called %j %j', (wanted, given) => {
    expect(definitions.define(ORDER, wanted, () => SHORT)).toEqual({ $ref: `#/$defs/${given}` });
  });

  it('number types of one name', () => {
    const names = [ORDER, PLACE, PAGE].map((type) => definitions.define(type, 'Order', () => SHORT)['$ref']);

    expect(names).toEqual(['#/$defs/Order', '#/$defs/Order_2', '#/$defs/Order_3']);
  });

  it('leave a type in its place that does not contain itself', () => {
    expect(definitions.inline(ORDER, 'Order', () => SHORT)).toBe(SHORT);
    expect(definitions.all()).toEqual({});
  });

  it('keep a type that contains itself', () => {
    const within = definitions.inline(ORDER, 'Order', () => ({
      properties: { next: definitions.inline(ORDER, 'Order', () => LONG) },
    }));

    expect(within).toEqual({ $ref: '#/$defs/Order' });
    expect(definitions.all()).toEqual({ Order: { properties: { next: { $ref: '#/$defs/Order' } } } });
    expect(definitions.inline(ORDER, 'Order', () => LONG)).toEqual({ $ref: '#/$defs/Order' });
  });

  it('keep a type in its place where the circle goes through a definition', () => {
    const around = definitions.inline(ORDER, 'Order', () => ({
      properties: {
        place: definitions.define(PLACE, 'Place', () => ({
          properties: { order: definitions.inline(ORDER, 'Order', () => SHORT) },
        })),
      },
    }));

    expect(around).toEqual({ properties: { place: { $ref: '#/$defs/Place' } } });
    expect(definitions.all()).toEqual({ Place: { properties: { order: SHORT } } });
  });

  it('write a short type out again, and refer to a long one from its second mention on', () => {
    const twice = (type: ts.Type, name: string, schema: JsonSchema): JsonSchema[] =>
      [1, 2, 3].map(() => definitions.inline(type, name, () => schema, true));

    expect(twice(ORDER, 'Order', SHORT)).toEqual([SHORT, SHORT, SHORT]);
    expect(twice(PLACE, 'Place', LONG)).toEqual([LONG, { $ref: '#/$defs/Place' }, { $ref: '#/$defs/Place' }]);
    expect(definitions.all()).toEqual({ Place: LONG });
  });

  it('ask anew for a type that depends on more than itself', () => {
    const schemas = [SHORT, LONG];

    expect(schemas.map((schema) => definitions.inline(ORDER, 'Order', () => schema))).toEqual(schemas);
  });
});
