import { schemaOfDocument } from './document-schema.js';

describe('schemaOfDocument', () => {
  it.each([
    ['dict', 'object'],
    ['HashMap', 'object'],
    ['tuple', 'array'],
    ['ArrayList', 'array'],
    ['String', 'string'],
    ['long', 'integer'],
    ['float', 'number'],
    ['Boolean', 'boolean'],
    ['any', undefined],
    ['', undefined],
  ])('reads the type %p as %p', (type, read) => {
    expect(valueOf({ type })['type']).toBe(read);
  });

  it('takes null where null is the default, also beside an enum', () => {
    expect(valueOf({ type: 'String', default: null, enum: ['a'] })).toEqual({
      type: ['string', 'null'],
      default: null,
      enum: ['a', null],
    });
  });

  it('gives the enum of a list to its items', () => {
    expect(valueOf({ type: 'array', items: { type: 'string' }, enum: ['a', 'b'] })).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['a', 'b'] },
    });
  });

  it('keeps a parameter that is called as a keyword is, and requires only what there is', () => {
    const properties = { type: { type: 'dict', properties: { default: { type: 'integer' } } } };

    expect(schemaOfDocument({ type: 'dict', properties, required: ['type', 'gone'] })).toEqual({
      type: 'object',
      properties: {
        type: { type: 'object', properties: { default: { type: 'integer' } }, required: [] },
      },
      required: ['type'],
      additionalProperties: false,
    });
  });
});

function valueOf(document: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schemaOfDocument({ type: 'dict', properties: { value: document } });
  return (properties as { value: Record<string, unknown> }).value;
}
