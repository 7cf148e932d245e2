import { simplify } from './simple-schema.js';

describe('simplify', () => {
  it('reads examples from the description and resolves references', () => {
    const schema = {
      type: 'object',
      properties: { id: { $ref: '#/$defs/Id', description: 'Order number, such as "W2611340".' } },
      required: ['id'],
      $defs: { Id: { type: 'string', pattern: '^W' } },
    };

    const [, id] = simplify(schema).properties[0] ?? [];

    expect(id).toMatchObject({ type: 'string', pattern: '^W', examples: ['W2611340'] });
  });

  it('takes a union of constants as choices, and leaves null out', () => {
    expect(simplify({ anyOf: [{ const: 'late' }, { const: 'lost' }, { type: 'null' }] }).choices).toEqual([
      'late',
      'lost',
    ]);
    expect(simplify({ type: ['null', 'integer'] })).toMatchObject({ type: 'number', whole: true });
  });

  it('takes what is behind a reference, or a reference in a union, as if it stood in place', () => {
    const root = {
      $defs: {
        Reason: { anyOf: [{ $ref: '#/$defs/Late' }, { const: 'lost' }, { type: 'null' }] },
        Late: { enum: ['late', 'too late'] },
      },
      properties: { reason: { $ref: '#/$defs/Reason' } },
    };

    expect(simplify(root).properties).toMatchObject([['reason', { choices: ['late', 'too late', 'lost'] }]]);
  });

  it("reads Gemini's own spelling of types", () => {
    expect(simplify({ type: 'OBJECT', properties: { n: { type: 'INTEGER' } } })).toMatchObject({
      type: 'object',
      properties: [['n', { type: 'number', whole: true }]],
    });
  });

  it('ends where a schema refers to itself', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' } } };

    expect(simplify(tree).type).toBe('object');
    expect(simplify({ anyOf: [{ $ref: '#' }, { type: 'null' }] }).type).toBe('string');
  });
});
