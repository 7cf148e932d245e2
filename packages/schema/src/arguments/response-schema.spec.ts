import { responseSchemaOf } from './response-schema.js';

const text = { type: 'string' };
const receipt = { type: 'object', properties: { id: text }, required: ['id'] };
const refund = { type: 'object', properties: { cents: { type: 'number' } } };
const $defs = { Receipt: receipt, Refund: refund, Id: text };
const wrapped = (result: object): object => ({
  type: 'object',
  properties: { result },
  required: ['result'],
});

describe('responseSchemaOf', () => {
  it.each<[string, object, object]>([
    ['an object', receipt, receipt],
    ['a text', text, wrapped(text)],
    ['a list of objects', { type: 'array', items: receipt }, wrapped({ type: 'array', items: receipt })],
    ['null', { type: 'null' }, wrapped({ type: 'null' })],
    ['a text or null', { type: ['string', 'null'] }, wrapped({ type: ['string', 'null'] })],
    ['a choice of texts', { enum: ['a', null] }, wrapped({ enum: ['a', null] })],
    ['a literal', { const: 5 }, wrapped({ const: 5 })],
    ['several objects', { anyOf: [receipt, refund] }, { type: 'object', anyOf: [receipt, refund] }],
    [
      'an object or null',
      { ...receipt, type: ['object', 'null'] },
      { type: 'object', anyOf: [receipt, wrapped({ type: 'null' })] },
    ],
    [
      'objects, a text and a list',
      { anyOf: [receipt, text, { type: 'array' }, refund] },
      { type: 'object', anyOf: [receipt, refund, wrapped({ anyOf: [text, { type: 'array' }] })] },
    ],
    [
      'objects all at once',
      { allOf: [receipt, refund] },
      { type: 'object', anyOf: [{ allOf: [receipt, refund] }] },
    ],
  ])('wraps what is no object under "result": %s', (_what, result, response) => {
    expect(responseSchemaOf(result as Record<string, unknown>)).toEqual(response);
  });

  it.each<[string, object, object]>([
    ['to an object', { $ref: '#/$defs/Receipt' }, receipt],
    ['to a text', { $ref: '#/$defs/Id' }, wrapped(text)],
    ['with words', { $ref: '#/$defs/Receipt', description: 'Paid.' }, { ...receipt, description: 'Paid.' }],
    [
      'in a union',
      { anyOf: [{ $ref: '#/$defs/Receipt' }, { type: 'null' }] },
      { type: 'object', anyOf: [receipt, wrapped({ type: 'null' })] },
    ],
  ])('follows a reference %s', (_what, result, response) => {
    expect(responseSchemaOf({ ...result, $defs })).toEqual({ ...response, $defs });
  });

  it('opens a union that contains itself once', () => {
    const json = { anyOf: [text, { type: 'array', items: { $ref: '#/$defs/Json' } }, { type: 'object' }] };

    expect(responseSchemaOf({ $ref: '#/$defs/Json', $defs: { Json: json } })).toEqual({
      type: 'object',
      anyOf: [{ type: 'object' }, wrapped({ anyOf: json.anyOf.slice(0, 2) })],
      $defs: { Json: json },
    });
  });

  it.each([
    ['anything', {}],
    ['an object or anything', { anyOf: [receipt, {}] }],
    ['values of both forms', { enum: ['a', { a: 1 }] }],
    ['what is nowhere', { $ref: '#/$defs/Lost' }],
  ])('promises nothing of %s', (_what, result) => {
    expect(responseSchemaOf(result)).toBeUndefined();
  });
});
