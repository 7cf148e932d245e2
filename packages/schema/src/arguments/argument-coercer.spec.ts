import fc from 'fast-check';

import { compileArgumentCheck } from './argument-check.js';
import type { JsonSchema } from '../reader/schema-parts.js';

describe('what is coerced', () => {
  it('says the same as what was given, which stays as it is; coercing it again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anySchema, anyArguments, async (properties, args) => {
        const check = await compileArgumentCheck(objectOf(properties));
        const before = structuredClone(args);

        const checked = check(args);

        expect(args).toEqual(before);
        if (checked.kind === 'invalid') return;
        expect([args, checked.args, saysTheSame(args, checked.args)]).toEqual([args, checked.args, true]);
        const again = check(checked.args);
        expect(again.kind === 'valid' && again.args).toBe(checked.args);
      }),
      { numRuns: 400 },
    );
  });

  it('takes another spelling of a property for its null', async () => {
    const check = await compileArgumentCheck(objectOf({}, { b: { type: 'string' } }));

    expect(check({ b: null, _b: 'a' })).toEqual({ kind: 'valid', args: { b: 'a' } });
  });

  it('is what was meant, where a model writes it in one of its ways', async () => {
    await fc.assert(
      fc.asyncProperty(meantAndWritten, async ({ schema, meant, written }) => {
        const check = await compileArgumentCheck(objectOf({ value: schema }));

        expect(check({ value: meant })).toEqual({ kind: 'valid', args: { value: meant } });
        expect(check({ value: written })).toEqual({ kind: 'valid', args: { value: meant } });
      }),
      { numRuns: 400 },
    );
  });
});

interface Written {
  readonly schema: JsonSchema;
  readonly meant: unknown;
  /** The same as a model may write it. */
  readonly written: unknown;
}

const { anySchema } = fc.letrec<{ schema: JsonSchema; anySchema: Record<string, JsonSchema> }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'number', minimum: 0 },
      { type: 'boolean' },
      { type: ['string', 'null'] },
      { enum: ['a', 1, true] },
    ),
    tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
    fc.tuple(tie('schema'), tie('schema')).map(([a, b]): JsonSchema => ({ anyOf: [a, b] })),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }).map((properties): JsonSchema => ({
      type: 'object',
      properties,
      additionalProperties: false,
    })),
  ),
  anySchema: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { minKeys: 1, maxKeys: 3 }),
}));

const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(
      'a',
      '1',
      '1.5',
      'true',
      '[1]',
      '["a"]',
      '{"a":"1"}',
      1,
      -1.5,
      true,
      null,
      '007',
    ),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;

const anyArguments = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'A', '_b'), anyValue, { maxKeys: 3 });

const meantAndWritten: fc.Arbitrary<Written> = fc.letrec<{ any: Written }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc
      .tuple(fc.maxSafeInteger(), fc.boolean())
      .map(([number, isText]) => writtenAs({ type: 'integer' }, number, isText ? String(number) : number)),
    fc
      .tuple(fc.boolean(), fc.boolean())
      .map(([flag, isText]) => writtenAs({ type: 'boolean' }, flag, isText ? String(flag) : flag)),
    fc.maxSafeInteger().map((number) => writtenAs({ type: 'string' }, String(number), number)),
    fc.string().map((text) => writtenAs({ type: 'string' }, text, text)),
    fc.tuple(tie('any'), fc.constantFrom('list', 'alone', 'text')).map(([one, way]) => writtenList(one, way)),
    fc.tuple(tie('any'), tie('any'), fc.boolean()).map(([a, b, isText]) => {
      const written = { a: a.written, b: b.written, c: null };
      return writtenAs(
        objectOf({ a: a.schema, b: b.schema }, { c: { type: 'string' } }),
        { a: a.meant, b: b.meant },
        isText ? JSON.stringify(written) : written,
      );
    }),
    tie('any').map(({ schema, meant, written }) =>
      writtenAs({ anyOf: [schema, { type: 'null' }] }, meant, written),
    ),
  ),
})).any;

function writtenAs(schema: JsonSchema, meant: unknown, written: unknown): Written {
  return { schema, meant, written };
}

/** A list alone could be its own only element, and a text the text of a list. */
function writtenList({ schema, meant, written }: Written, way: string): Written {
  const list = { type: 'array', items: schema };
  const isPlain = typeof written !== 'string' && !Array.isArray(written) && written !== null;
  if (way === 'alone' && isPlain) return writtenAs(list, [meant], written);
  if (way === 'text' && typeof meant !== 'string') return writtenAs(list, [meant], JSON.stringify([meant]));
  return writtenAs(list, [meant], [written]);
}

function objectOf(
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    ...(Object.keys(optional).length > 0 && { required: Object.keys(properties) }),
    additionalProperties: false,
  };
}

/** Whether nobody could have meant another value; what undoes coercion, and knows nothing of how it is done. */
function saysTheSame(given: unknown, coerced: unknown): boolean {
  if (Object.is(given, coerced) || JSON.stringify(given) === JSON.stringify(coerced)) return true;
  if (typeof given === 'string' && saysTheSameParsed(given, coerced)) return true;
  if (typeof coerced === 'string')
    return (typeof given === 'number' || typeof given === 'boolean') && String(given) === coerced;
  if (Array.isArray(coerced)) {
    const [only] = coerced as unknown[];
    if (coerced.length === 1 && saysTheSame(given, only)) return true;
    return (
      Array.isArray(given) &&
      given.length === coerced.length &&
      given.every((one, index) => saysTheSame(one, coerced[index]))
    );
  }
  if (!isObject(given) || !isObject(coerced)) return false;
  const isKept = ([name, value]: [string, unknown]): boolean => {
    const kept = namedIn(coerced, name);
    if (kept === undefined) return value === null;
    const isInOtherSpelling =
      value === null && Object.keys(given).some((one) => one !== name && isSpelling(one, name));
    return isInOtherSpelling || saysTheSame(value, coerced[kept]);
  };
  return (
    Object.entries(given).every(isKept) &&
    Object.keys(coerced).every((name) => namedIn(given, name) !== undefined)
  );
}

/** The name in an object, which may have another spelling. */
function namedIn(object: Record<string, unknown>, name: string): string | undefined {
  if (Object.hasOwn(object, name)) return name;
  return Object.keys(object).find((one) => isSpelling(one, name));
}

function isSpelling(one: string, name: string): boolean {
  const letters = (text: string): string => text.replace('_', '').toLowerCase();
  return letters(one) === letters(name);
}

function saysTheSameParsed(text: string, coerced: unknown): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed !== 'string' && saysTheSame(parsed, coerced);
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
