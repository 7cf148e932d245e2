import { isPlain, schemaCompiler } from './ajv.js';
import type { JsonSchema } from '../reader/schema-parts.js';

describe('schemaCompiler', () => {
  /** What each dialect has a word for, and others pass over. */
  const OLD_TUPLE = { items: [{ type: 'integer' }] };
  const NEW_TUPLE = { prefixItems: [{ type: 'integer' }] };
  const CLOSED = { unevaluatedProperties: false };

  it.each<[string | undefined, JsonSchema, boolean, boolean]>([
    ['http://json-schema.org/draft-06/schema#', OLD_TUPLE, false, true],
    ['http://json-schema.org/draft-07/schema#', OLD_TUPLE, false, true],
    ['https://json-schema.org/draft/2019-09/schema', OLD_TUPLE, false, false],
    ['https://json-schema.org/draft/2020-12/schema', NEW_TUPLE, false, false],
    [undefined, NEW_TUPLE, false, false],
  ])('reads a schema of %s as that dialect does', async ($schema, tuple, takesText, takesOthers) => {
    const schema = { ...($schema !== undefined && { $schema }), ...tuple, ...CLOSED };
    const validate = (await schemaCompiler(schema))();

    expect([validate([1]), validate(['x']), validate({ a: 1 })]).toEqual([true, takesText, takesOthers]);
  });

  it('refuses a schema that breaks the rules of its dialect, unless it is known to be good', async () => {
    const schema = { type: 'string', minLength: -1 };
    const known = await schemaCompiler(schema, { isKnownGood: true });

    await expect(schemaCompiler(schema)).rejects.toThrow('schema is invalid: data/minLength must be >= 0');
    expect(known()('x')).toBe(true);
  });

  it('compiles schemas of the same text once, as long as they are small and not many others came since', async () => {
    const compiled = async (size: number, text = 'a') =>
      (await schemaCompiler({ type: 'string', description: text.repeat(size) }))();
    const [small, large] = [await compiled(10), await compiled(5_000)];

    expect(await compiled(10)).toBe(small);
    expect(await compiled(10, 'b')).not.toBe(small);
    expect(await compiled(5_000)).not.toBe(large);
    for (let size = 20; size < 220; size++) await compiled(size);
    expect(await compiled(10)).not.toBe(small);
  });

  it('takes no number that JSON does not have', async () => {
    const validate = (await schemaCompiler({ type: 'number' }))();

    expect([validate(1), validate(NaN), validate(Infinity)]).toEqual([true, false, false]);
  });

  it.each([{}, { $id: 'https://example.com/list' }])('follows a reference to the whole of %j', async (id) => {
    const compile = await schemaCompiler({ ...id, type: 'array', items: { $ref: '#' } });

    expect([compile()([[], [[]]]), compile()([[1]])]).toEqual([true, false]);
  });

  it('keeps schemas of one id apart', async () => {
    const $id = 'https://example.com/size';
    const [number, text] = [
      { $id, type: 'number' },
      { $id, type: 'string' },
    ];
    const compile = await schemaCompiler(number);

    expect([compile()(1), compile(text)(1)]).toEqual([true, false]);
  });
});

describe('a schema that is plain', () => {
  it.each<[JsonSchema]>([
    [{ type: 'object', properties: { a: { $ref: '#/$defs/b' } } }],
    [{ anyOf: [{ pattern: '[' }] }],
    [{ enum: [] }],
    [{ items: { nullable: true } }],
    [{ properties: { a: { not: { id: 'b' } } } }],
  ])('is not %j, which Ajv refuses', async (schema) => {
    const compile = await schemaCompiler(schema, { isKnownGood: true });

    expect(compile).toThrow();
    expect(isPlain(schema)).toBe(false);
  });
});
