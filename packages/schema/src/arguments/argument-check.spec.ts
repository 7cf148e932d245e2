import { type Arguments, compileArgumentCheck } from './argument-check.js';
import type { JsonSchema } from '../reader/schema-parts.js';

describe('compileArgumentCheck', () => {
  it('passes arguments that fit as they are', async () => {
    const check = await compileArgumentCheck(objectOf({ cents: { type: 'integer', minimum: 1 } }));
    const args = { cents: 500 };

    const checked = check(args);

    expect(checked).toEqual({ kind: 'valid', args });
    expect(checked.kind === 'valid' && checked.args).toBe(args);
  });

  it.each<[string, JsonSchema, unknown, unknown]>([
    ['a number written as text', { type: 'number' }, '12.5', 12.5],
    ['a negative number written as text', { type: 'number' }, '-3', -3],
    ['a whole number written as text', { type: 'integer' }, '500', 500],
    ['a whole number written as text with a zero fraction', { type: 'integer' }, '3.0', 3],
    ['a true written as text', { type: 'boolean' }, 'true', true],
    ['a false written as text', { type: 'boolean' }, 'false', false],
    ['a text written as a number', { type: 'string' }, 17, '17'],
    ['a text written as a boolean', { type: 'string' }, false, 'false'],
    ['a lone text where a list is asked', { type: 'array', items: { type: 'string' } }, 'a', ['a']],
    ['a lone number where a list is asked', { type: 'array', items: { type: 'number' } }, 1, [1]],
    ['a text in a list of numbers', { type: 'array', items: { type: 'number' } }, [1, '2', 3], [1, 2, 3]],
    [
      'a text deep inside',
      {
        type: 'object',
        properties: { items: { type: 'array', items: objectOf({ size: { type: 'integer' } }) } },
      },
      { items: [{ size: 1 }, { size: '2' }] },
      { items: [{ size: 1 }, { size: 2 }] },
    ],
    [
      'a text where one of two types is asked',
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      'true',
      true,
    ],
    ['an object written as text', objectOf({ a: { type: 'integer' } }), '{"a":1}', { a: 1 }],
    ['a text inside an object written as text', objectOf({ a: { type: 'integer' } }), '{"a":"1"}', { a: 1 }],
    ['a list written as text', { type: 'array', items: { type: 'string' } }, '["a","b"]', ['a', 'b']],
    [
      'a list of numbers written as texts in text',
      { type: 'array', items: { type: 'integer' } },
      '["1"]',
      [1],
    ],
    [
      'a name in another spelling',
      objectOf({ order_id: { type: 'integer' }, zipCode: { type: 'string' } }),
      { orderId: '5', 'ZIP-code': 'x' },
      { order_id: 5, zipCode: 'x' },
    ],
    [
      'values for the member of a union that has their names, rather than other spellings of them',
      { anyOf: [objectOf({ orderId: { type: 'string' } }), objectOf({ order_id: { type: 'integer' } })] },
      { order_id: '5' },
      { order_id: 5 },
    ],
    ['a fraction for a text', { type: 'string' }, 1.5, '1.5'],
    ['as many digits as a double holds', { type: 'number' }, '0.12345678901234', 0.12345678901234],
    [
      'as many digits as a double holds, for a text',
      { type: 'string' },
      0.12345678901234,
      '0.12345678901234',
    ],
    ['a list of numbers written as text', { type: 'array', items: { type: 'number' } }, '[1, 2]', [1, 2]],
    ['a lone text that only looks like a list', { type: 'array', items: { type: 'string' } }, '[1]', ['[1]']],
    ['a lone text for a list of numbers', { type: 'array', items: { type: 'number' } }, '5', [5]],
    [
      'a lone object for a list',
      { type: 'array', items: objectOf({ a: { type: 'string' } }) },
      { a: 1 },
      [{ a: '1' }],
    ],
    ['a text for one of the numbers that are allowed', { enum: [1, 2] }, '2', 2],
    ['a number for one of the texts that are allowed', { enum: ['1', '2'] }, 2, '2'],
    ['a text for a constant', { const: true }, 'true', true],
    [
      'elements of a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      [1, '2', '3'],
      ['1', 2, '3'],
    ],
    [
      'elements of lists in lists',
      { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
      [['1'], 2],
      [[1], [2]],
    ],
    [
      'properties without a name of their own',
      { type: 'object', additionalProperties: { type: 'integer' } },
      { a: '1' },
      { a: 1 },
    ],
    [
      'properties by their pattern',
      { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
      { n1: '1', x: '1' },
      { n1: 1, x: '1' },
    ],
    [
      'a text inside one of two objects',
      { anyOf: [objectOf({ a: { type: 'integer' } }), objectOf({ b: { type: 'boolean' } })] },
      { b: 'true' },
      { b: true },
    ],
    [
      'the object that a literal says is meant',
      {
        oneOf: [
          objectOf({ kind: { const: 'a' }, x: { type: 'string' } }),
          objectOf({ kind: { const: 'b' }, x: { type: 'integer' } }),
        ],
      },
      { kind: 'b', x: '1' },
      { kind: 'b', x: 1 },
    ],
    [
      'null for one of the values that are allowed, inside one of several',
      {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { kind: { const: 'a' }, size: { enum: [1, 2] } },
            required: ['kind'],
            additionalProperties: false,
          },
        ],
      },
      { kind: 'a', size: null },
      { kind: 'a' },
    ],
    ['what may also be null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '1', 1],
    ['what is said beside anything', { allOf: [true, { type: 'integer' }] }, '1', 1],
    [
      'a property beside one that may be anything',
      { type: 'object', properties: { a: true, b: { type: 'integer' } } },
      { a: '1', b: '1' },
      { a: '1', b: 1 },
    ],
    [
      'properties with and without a name of their own',
      {
        type: 'object',
        properties: { a: { type: 'integer' } },
        additionalProperties: { type: 'boolean' },
      },
      { a: '1', b: 'true' },
      { a: 1, b: true },
    ],
    [
      'null that only one of two schemas of a property takes',
      { type: 'object', properties: { n1: {} }, patternProperties: { '^n': { type: 'string' } } },
      { n1: null },
      {},
    ],
    [
      'null for what several schemas together do not take',
      { type: 'object', properties: { a: { allOf: [{ type: 'string' }] } } },
      { a: null },
      {},
    ],
    ['what all of several ask', { allOf: [{ type: 'integer' }, { minimum: 1 }] }, '1', 1],
  ])('coerces %s', async (_what, schema, given, coerced) => {
    const check = await compileArgumentCheck(objectOf({ value: schema }));
    const args = { value: given };
    const before = structuredClone(args);

    expect(check(args)).toEqual({ kind: 'valid', args: { value: coerced } });
    expect(args).toEqual(before);
  });

  it.each<[string, JsonSchema, unknown]>([
    ['a text where a text or a number is asked', { type: ['integer', 'string'] }, '5'],
    ['a number where a number or a text is asked', { type: ['integer', 'string'] }, 5],
    ['a text where a text or a list is asked', { type: ['string', 'array'] }, '["a"]'],
    ['a text for one of two types', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, '5'],
    ['a text that is allowed beside a number', { enum: [1, '1'] }, '1'],
    ['null where anything is asked', {}, null],
    ['null where a null or a list is asked', { type: ['null', 'array'] }, null],
  ])('leaves alone %s, whatever else is coerced', async (_what, schema, given) => {
    const check = await compileArgumentCheck({
      type: 'object',
      properties: { value: schema, other: { type: 'integer' } },
    });

    expect(check({ value: given, other: '7' })).toEqual({ kind: 'valid', args: { value: given, other: 7 } });
  });

  it.each<[string, Arguments, Arguments]>([
    ['a parameter', { id: 'A-17', note: null }, { id: 'A-17' }],
    ['a parameter deep inside', { id: 'A-17', at: { zone: null, hour: 7 } }, { id: 'A-17', at: { hour: 7 } }],
  ])('leaves out null for %s that may be left out', async (_what, given, coerced) => {
    const check = await compileArgumentCheck({
      type: 'object',
      properties: {
        id: { type: 'string' },
        note: { type: 'string' },
        at: { type: 'object', properties: { zone: { type: 'string' }, hour: { type: 'integer' } } },
      },
      required: ['id'],
      additionalProperties: false,
    });

    expect(check(given)).toEqual({ kind: 'valid', args: coerced });
  });

  it.each<[string, Arguments, readonly string[]]>([
    [
      'that has its name already',
      { order_id: 'A', orderId: 'B', a_b: 'x', aB: 'y' },
      ['orderId is not a parameter (did you mean orderIds?)'],
    ],
    [
      'that two spellings would fill',
      { orderId: 'A', OrderID: 'B', a_b: 'x', aB: 'y' },
      [
        'order_id is required and missing',
        'orderId is not a parameter (did you mean order_id?)',
        'OrderID is not a parameter (did you mean order_id?)',
      ],
    ],
    [
      'where another one has the same letters',
      { order_id: 'A', AB: 'x' },
      ['a_b is required and missing', 'aB is required and missing', 'AB is not a parameter'],
    ],
  ])('takes no other spelling for a parameter %s', async (_what, args, problems) => {
    const names = ['order_id', 'a_b', 'aB'];
    const check = await compileArgumentCheck({
      ...objectOf(Object.fromEntries([...names, 'orderIds'].map((name) => [name, { type: 'string' }]))),
      required: names,
    });

    expect(check(args)).toEqual({ kind: 'invalid', problems });
  });

  it('leaves every name alone where other names are allowed', async () => {
    const check = await compileArgumentCheck({
      type: 'object',
      properties: { order_id: { type: 'string' }, cents: { type: 'integer' } },
    });

    expect(check({ orderId: 'A', cents: '5' })).toEqual({ kind: 'valid', args: { orderId: 'A', cents: 5 } });
  });

  it('takes another spelling before it drops what it does not know', async () => {
    const check = await compileArgumentCheck(objectOf({ order_id: { type: 'string' } }));

    expect(check({ orderId: 'A', mood: 'good' }, 'drop')).toEqual({
      kind: 'valid',
      args: { order_id: 'A' },
    });
  });

  it('looks for other spellings of a hundred thousand names as fast as the rest', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `name${String(index)}`);
    const check = await compileArgumentCheck(objectOf({ id: { type: 'string' } }));

    const given = { ...Object.fromEntries(names.map((name) => [name, 1])), ID: 'A' };

    expect(check(given, 'drop')).toEqual({ kind: 'valid', args: { id: 'A' } });
  });

  it('coerces what a reference leads to, also where it leads back', async () => {
    const node = {
      type: 'object',
      properties: { size: { type: 'integer' }, next: { $ref: '#/$defs/Node' } },
      additionalProperties: false,
    };
    const check = await compileArgumentCheck({
      ...objectOf({ node: { $ref: '#/$defs/Node' } }),
      $defs: { Node: node },
    });

    expect(check({ node: { size: '1', next: '{"size":"2","next":null}' } })).toEqual({
      kind: 'valid',
      args: { node: { size: 1, next: { size: 2 } } },
    });
  });

  it('coerces what a reference to the whole leads to', async () => {
    const check = await compileArgumentCheck({
      type: 'object',
      properties: { size: { type: 'integer' }, next: { $ref: '#' } },
    });

    expect(check({ next: { size: '1' } })).toEqual({ kind: 'valid', args: { next: { size: 1 } } });
  });

  it('counts the elements of a tuple of which nothing is said', async () => {
    const span = { type: 'array', prefixItems: [true, { type: 'integer' }] };
    const check = await compileArgumentCheck(objectOf({ span }));

    expect(check({ span: ['1', '2'] })).toEqual({ kind: 'valid', args: { span: ['1', 2] } });
  });

  it('coerces a tuple as draft-07 writes it', async () => {
    const check = await compileArgumentCheck({
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...objectOf({
        span: { type: 'array', items: [{ type: 'integer' }], additionalItems: { type: 'boolean' } },
      }),
    });

    expect(check({ span: ['1', 'true'] })).toEqual({ kind: 'valid', args: { span: [1, true] } });
  });

  it('says what is still wrong after the rest was coerced', async () => {
    const choice = {
      anyOf: [objectOf({ a: { type: 'integer' }, b: { type: 'integer' } }), { type: 'null' }],
    };
    const check = await compileArgumentCheck(objectOf({ value: choice }));

    expect(check({ value: { a: '1', b: 'many' } })).toEqual({
      kind: 'invalid',
      problems: ['value.b must be integer, not "many"', 'value must be null, not {"a":1,"b":"many"}'],
    });
  });

  describe('where something is missing that has a default', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string' },
        days: { type: 'integer', default: 3 },
        at: {
          type: 'object',
          properties: { zone: { type: 'string', default: 'UTC' }, hour: { type: 'integer' } },
        },
        list: { type: 'array', items: { type: 'object', properties: { size: { default: 1 } } } },
        choice: {
          anyOf: [objectOf({ a: { type: 'string' } }), { type: 'object', properties: { b: { default: 2 } } }],
        },
      },
      required: ['id', 'days'],
      additionalProperties: false,
    };

    it('fills it in, at every depth, on a copy', async () => {
      const check = await compileArgumentCheck(schema);
      const args = { id: 'A', at: { hour: '7' }, list: [{}, { size: 2 }], choice: {} };
      const before = structuredClone(args);

      expect(check(args)).toEqual({
        kind: 'valid',
        args: {
          id: 'A',
          days: 3,
          at: { hour: 7, zone: 'UTC' },
          list: [{ size: 1 }, { size: 2 }],
          choice: { b: 2 },
        },
      });
      expect(args).toEqual(before);
    });

    it('passes on as they are arguments in which nothing is missing', async () => {
      const check = await compileArgumentCheck(schema);
      const args = { id: 'A', days: 1, at: { zone: 'CET' } };

      const checked = check(args);

      expect(checked.kind === 'valid' && checked.args).toBe(args);
    });

    it('gives each call a default of its own', async () => {
      const check = await compileArgumentCheck({ type: 'object', properties: { tags: { default: ['a'] } } });

      const [first, second] = [check({}), check({})].map((one) =>
        one.kind === 'valid' ? one.args['tags'] : undefined,
      );

      expect(first).toEqual(['a']);
      expect(first).not.toBe(second);
    });

    it('leaves out a default that does not fit, and keeps those that do', async () => {
      const check = await compileArgumentCheck({
        type: 'object',
        properties: {
          good: { type: 'integer', default: 1 },
          bad: { type: 'integer', default: 'many' },
          id: { type: 'string' },
        },
      });

      expect(check({})).toEqual({ kind: 'valid', args: { good: 1 } });
      expect(check({ id: 5 })).toEqual({ kind: 'valid', args: { good: 1, id: '5' } });
    });

    it('coerces a default that says the same in another form', async () => {
      const check = await compileArgumentCheck({
        type: 'object',
        properties: { days: { type: 'integer', default: '3' }, id: { type: 'string' } },
      });

      expect(check({})).toEqual({ kind: 'valid', args: { days: 3 } });
      expect(check({ id: 5 })).toEqual({ kind: 'valid', args: { days: 3, id: '5' } });
    });

    it('leaves to the code the defaults that are its own', async () => {
      const check = await compileArgumentCheck(schema, { ownDefaults: new Set(['days', 'zone']) });

      expect(check({ id: 'A', days: 1, at: {} })).toEqual({
        kind: 'valid',
        args: { id: 'A', days: 1, at: { zone: 'UTC' } },
      });
      expect(check({ id: 'A' }).kind).toBe('invalid');
    });

    it('fills it in for null, where null is none of its values', async () => {
      const check = await compileArgumentCheck(schema);

      expect(check({ id: 'A', days: null })).toEqual({ kind: 'valid', args: { id: 'A', days: 3 } });
    });
  });

  describe('where there are arguments that the tool does not have', () => {
    const schema = {
      ...objectOf({
        id: { type: 'string' },
        at: { type: 'object', properties: { hour: {} }, additionalProperties: false },
      }),
      patternProperties: { '^x-': {} },
    };
    const args = { id: 'A', 'x-trace': 1, colour: 'red', at: { hour: 7, zone: 'CET' } };

    it('refuses them, unless it is told otherwise', async () => {
      const check = await compileArgumentCheck(schema);

      expect(check(args)).toEqual({
        kind: 'invalid',
        problems: ['colour is not a parameter', 'at.zone is not a parameter'],
      });
    });

    it('drops them where it is told to, and coerces the rest', async () => {
      const check = await compileArgumentCheck(schema);

      expect(check({ ...args, id: 17 }, 'drop')).toEqual({
        kind: 'valid',
        args: { id: '17', 'x-trace': 1, at: { hour: 7 } },
      });
    });

    it('drops none that another member of a union has room for', async () => {
      const check = await compileArgumentCheck(
        objectOf({
          shape: { anyOf: [objectOf({ r: { type: 'integer' } }), objectOf({ side: { type: 'integer' } })] },
        }),
      );

      expect(check({ shape: { side: 1, colour: 'red' } }, 'drop')).toEqual({
        kind: 'valid',
        args: { shape: { side: 1 } },
      });
    });
  });

  it.each([{ no: 1 }, 'text', null, ['list']])(
    'gives an example of arguments that fit, not %j',
    async (other) => {
      const check = await compileArgumentCheck({
        properties: { id: { type: 'string' } },
        required: ['id'],
        examples: [other, { id: 'A-17' }],
      });

      expect(check({})).toEqual({
        kind: 'invalid',
        problems: ['id is required and missing'],
        example: { id: 'A-17' },
      });
    },
  );

  it.each([
    [20, 20, 'value[19] must be object, not "x"'],
    [50, 21, 'and 30 more of the kind'],
  ])('says of %i problems no more than a model can correct at once', async (given, told, last) => {
    const check = await compileArgumentCheck(
      objectOf({ value: { type: 'array', items: { type: 'object' } } }),
    );

    const checked = check({ value: Array.from({ length: given }, () => 'x') });

    expect(checked.kind === 'invalid' && checked.problems).toHaveLength(told);
    expect(checked.kind === 'invalid' && checked.problems.at(-1)).toBe(last);
  });

  it('leaves null where null is meant', async () => {
    const check = await compileArgumentCheck(
      objectOf({ value: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    );

    expect(check({ value: null })).toEqual({ kind: 'valid', args: { value: null } });
  });

  it.each<[string, JsonSchema, unknown, string]>([
    ['a word for a number', { type: 'number' }, 'many', 'value must be number, not "many"'],
    ['an empty text for a number', { type: 'number' }, '', 'value must be number, not ""'],
    ['a number with a unit', { type: 'number' }, '5 kg', 'value must be number, not "5 kg"'],
    ['a number with spaces', { type: 'number' }, ' 5 ', 'value must be number, not " 5 "'],
    ['a hexadecimal number', { type: 'number' }, '0x10', 'value must be number, not "0x10"'],
    ['a fraction for a whole number', { type: 'integer' }, 1.5, 'value must be integer, not 1.5'],
    ['a fraction in text for a whole number', { type: 'integer' }, '1.5', 'value must be integer, not 1.5'],
    ['a yes for a boolean', { type: 'boolean' }, 'yes', 'value must be boolean, not "yes"'],
    ['a one for a boolean', { type: 'boolean' }, 1, 'value must be boolean, not 1'],
    ['a true for a number', { type: 'number' }, true, 'value must be number, not true'],
    ['null for a required parameter', { type: 'number' }, null, 'value is required and missing'],
    ['null for a required list', { type: 'array' }, null, 'value is required and missing'],
    ['nothing for a required list', { type: 'array' }, undefined, 'value is required and missing'],
    [
      'null for a list in a list',
      { type: 'array', items: { type: 'array' } },
      [null],
      'value[0] must be array, not null',
    ],
    ['a number in text for a boolean', { type: 'boolean' }, '5', 'value must be boolean, not "5"'],
    [
      'a fraction in text that a double does not hold',
      { type: 'number' },
      '0.123456789012345',
      'value must be number, not "0.123456789012345"',
    ],
    [
      'a fraction that lost digits for a text',
      { type: 'string' },
      0.123456789012345,
      'value must be string, not 0.123456789012345',
    ],
    [
      'the words of JavaScript for an object',
      { enum: [{ a: 1 }] },
      '[object Object]',
      'value must be one of {"a":1}, not "[object Object]"',
    ],
    [
      'null in a list',
      { type: 'array', items: { type: 'string' } },
      ['a', null],
      'value[1] must be string, not null',
    ],
    ['a list for a text', { type: 'string' }, ['a'], 'value must be string, not ["a"]'],
    ['an object for a text', { type: 'string' }, { a: 1 }, 'value must be string, not {"a":1}'],
    [
      'a text that is no JSON for an object',
      { type: 'object' },
      '{"a":',
      'value must be object, not "{\\"a\\":"',
    ],
    ['a list in text for an object', { type: 'object' }, '[1]', 'value must be object, not "[1]"'],
    ['a number with a zero before it', { type: 'number' }, '007', 'value must be number, not "007"'],
    [
      'more digits than a double holds',
      { type: 'number' },
      '12345678901234567890',
      'value must be number, not "12345678901234567890"',
    ],
    [
      'a number that lost digits for a text',
      { type: 'string' },
      2 ** 60,
      'value must be string, not 1152921504606847000',
    ],
    ['a text that is no allowed number', { enum: [1, 2] }, '3', 'value must be one of 1, 2, not "3"'],
    ['a word that is not offered', { enum: ['a', 'b'] }, 'c', 'value must be one of "a", "b", not "c"'],
    ['another constant', { const: 'a' }, 'b', 'value must be "a", not "b"'],
    ['too small a number', { type: 'integer', minimum: 1 }, 0, 'value must be >= 1, and is 0'],
    ['too small a number in text', { type: 'integer', minimum: 1 }, '0', 'value must be >= 1, and is 0'],
    [
      'too long a text',
      { type: 'string', maxLength: 2 },
      'abc',
      'value must NOT have more than 2 characters, and is "abc"',
    ],
    [
      'a text of another pattern',
      { type: 'string', pattern: '^A' },
      'B',
      'value must match pattern "^A", and is "B"',
    ],
    [
      'no offset',
      { type: 'string', format: 'date-time' },
      '2026-11-23T10:00:00',
      'value must match format "date-time", and is "2026-11-23T10:00:00", for example "2026-11-23T10:00:00Z" or "2026-11-23T10:00:00+01:00"',
    ],
    [
      'no date',
      { type: 'string', format: 'date' },
      'soon',
      'value must match format "date", and is "soon", for example "2026-11-23"',
    ],
    [
      'a list that is too short',
      { type: 'array', minItems: 1 },
      [],
      'value must NOT have fewer than 1 items, and is []',
    ],
  ])('refuses %s', async (_what, schema, given, problem) => {
    const check = await compileArgumentCheck(objectOf({ value: schema }));

    expect(check({ value: given })).toStrictEqual({ kind: 'invalid', problems: [problem] });
  });

  it('tells everything that is wrong at once, what was coerced left out', async () => {
    const check = await compileArgumentCheck({
      type: 'object',
      properties: {
        id: { type: 'string' },
        cents: { type: 'integer' },
        zone: { enum: ['UTC'] },
        on: { type: 'boolean' },
      },
      required: ['id', 'cents'],
      additionalProperties: false,
    });

    const checked = check({ cents: 'many', zone: 'CET', colour: 'red', on: 'true' });

    expect(checked.kind).toBe('invalid');
    expect(checked.kind === 'invalid' && [...checked.problems].sort()).toEqual([
      'cents must be integer, not "many"',
      'colour is not a parameter',
      'id is required and missing',
      'zone must be one of "UTC", not "CET"',
    ]);
  });

  it.each<[string, JsonSchema, unknown, string[]]>([
    [
      'the faults of the branches of anyOf',
      { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'boolean' }] },
      'many',
      ['value must be integer or boolean, not "many"'],
    ],
    [
      'the demands of the branches of oneOf as one',
      { oneOf: [{ type: 'integer' }, { enum: ['a', 'b'] }, { const: 'c' }] },
      'many',
      ['value must be integer or one of "a", "b" or "c", not "many"'],
    ],
    [
      'what is wrong with the branch that a literal says is meant, the rest of it coerced',
      {
        oneOf: [
          objectOf({ kind: { const: 'a' }, x: { type: 'integer' } }),
          objectOf({ kind: { const: 'b' }, x: { type: 'integer' }, y: { type: 'integer' } }),
        ],
      },
      { kind: 'b', x: '1', y: 'many' },
      [
        'value.y is not a parameter',
        'value.kind must be "a", not "b"',
        'value.y must be integer, not "many"',
      ],
    ],
    [
      'what is wrong with each of several that may be meant, as it was given',
      { anyOf: [objectOf({ a: { type: 'integer' }, b: {} }), objectOf({ a: { type: 'boolean' } })] },
      { a: '1' },
      [
        'value.b is required and missing',
        'value.a must be integer, not "1"',
        'value.a must be boolean, not "1"',
      ],
    ],
    [
      'what is asked on a condition',
      { if: { type: 'object' }, then: { required: ['b'] } },
      {},
      ['value.b is required and missing'],
    ],
    [
      'that several branches fit, where none is at fault',
      { oneOf: [{ type: 'integer' }, { minimum: 1 }] },
      5,
      ['value must match exactly one schema in oneOf, and is 5'],
    ],
  ])('tells %s, and not that the choice failed', async (_what, schema, given, problems) => {
    const check = await compileArgumentCheck(objectOf({ value: schema }));

    expect(check({ value: given })).toEqual({ kind: 'invalid', problems });
  });

  it('checks each call by itself', async () => {
    const check = await compileArgumentCheck(objectOf({ value: { type: 'integer' } }));

    const checked = [{ value: 'many' }, { value: 1 }, {}, { value: '2' }].map((args) => check(args).kind);

    expect(checked).toEqual(['invalid', 'valid', 'invalid', 'valid']);
  });

  it('takes no property for given that every object inherits', async () => {
    const open = { type: 'object', properties: { toString: { type: 'string' } } };
    const strict = { type: 'object', required: ['constructor'] };

    expect((await compileArgumentCheck(open))({}).kind).toBe('valid');
    expect((await compileArgumentCheck(strict))({})).toEqual({
      kind: 'invalid',
      problems: ['constructor is required and missing'],
    });
  });

  it('answers in time where a pattern could be tried for ever', async () => {
    const check = await compileArgumentCheck(objectOf({ value: { type: 'string', pattern: '^(a+)+$' } }));

    expect(check({ value: 'aaa' }).kind).toBe('valid');
    expect(check({ value: `${'a'.repeat(60)}!` }).kind).toBe('invalid');
  });

  it.each<[string, JsonSchema, Arguments]>([
    [
      'fifty texts',
      { type: 'array', items: { type: 'string', pattern: '^(a|a)*$' } },
      { value: evilTexts(50) },
    ],
    [
      'twenty names',
      { type: 'object', patternProperties: { '^(a|a)*$': { type: 'integer' } }, additionalProperties: false },
      { value: Object.fromEntries(evilTexts(20).map((name) => [name, '1'])) },
    ],
    ['a text that must not match', { not: { pattern: '^(a|a)*$' } }, { value: evilTexts(1)[0] }],
  ])('refuses %s on which a pattern could be tried for ever', async (_what, schema, args) => {
    const check = await compileArgumentCheck(objectOf({ value: schema }));

    expect(check(args)).toMatchObject({
      kind: 'invalid',
      problems: ['matching a text against its pattern takes too long: give a shorter or simpler text'],
    });
  });

  it('shows a few of many invented names, and no name whole that is too long', async () => {
    const check = await compileArgumentCheck({ ...objectOf({ city: {} }), additionalProperties: false });
    const names = Array.from({ length: 1_000 }, (_, index) => [`unknown_${String(index)}`, 1] as const);

    const many = check(Object.fromEntries(names));
    const long = check({ ['n'.repeat(100_000)]: 1 });

    expect(many).toMatchObject({ kind: 'invalid' });
    expect((many as { problems: readonly string[] }).problems).toHaveLength(21);
    expect((many as { problems: readonly string[] }).problems.at(-1)).toBe('and 981 more of the kind');
    expect(JSON.stringify(long).length).toBeLessThan(500);
  });

  it('keeps the patterns of one schema apart', async () => {
    const patterns = { a: { type: 'string', pattern: '^A' }, b: { type: 'string', pattern: '^B' } };
    const check = await compileArgumentCheck(objectOf(patterns));

    expect([check({ a: 'A', b: 'B' }).kind, check({ a: 'B', b: 'A' }).kind]).toEqual(['valid', 'invalid']);
  });

  it('refuses what would be checked without an end', async () => {
    const endless = { type: 'object', properties: { value: { anyOf: [{ $ref: '#/properties/value' }] } } };

    expect((await compileArgumentCheck(endless))({ value: 1 })).toEqual({
      kind: 'invalid',
      problems: ['the arguments are nested too deeply to be checked'],
    });
  });

  it('throws at references that lead nowhere else', async () => {
    const endless = { type: 'object', properties: { value: { $ref: '#/properties/value' } } };

    await expect(compileArgumentCheck(endless)).rejects.toMatchObject({
      message: expect.stringContaining('only lead back to themselves') as unknown,
      cause: expect.any(RangeError) as unknown,
    });
  });

  it('throws at a schema that is none', async () => {
    await expect(compileArgumentCheck({ type: 'text' })).rejects.toThrow('schema is invalid');
  });

  it('compiles a schema that is known to be good with the first call only', async () => {
    const check = await compileArgumentCheck({ type: 'text' }, { isKnownGood: true });

    expect(() => check({})).toThrow('type must be JSONType');
  });
});

/** An object of required properties. */
function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Texts on which `^(a|a)*$` backtracks for ever. */
function evilTexts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${'a'.repeat(60)}!${String(index)}`);
}
