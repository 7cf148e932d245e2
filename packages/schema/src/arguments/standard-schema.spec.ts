import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

import { isStandardSchema, toJsonSchema } from './standard-schema.js';

describe('isStandardSchema', () => {
  it.each([
    [true, 'a schema of a library', z.object({})],
    [false, 'JSON Schema', { type: 'object' }],
    [false, 'one that cannot check', { '~standard': { version: 1, vendor: 'old' } }],
  ])('is %s of %s', (is, _, schema) => {
    expect(isStandardSchema(schema)).toBe(is);
  });
});

describe('toJsonSchema', () => {
  it.each([
    ['zod', z.object({ city: z.string().describe('City.'), days: z.int().min(1).default(3) })],
    [
      'valibot',
      v.object({
        city: v.pipe(v.string(), v.description('City.')),
        days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3),
      }),
    ],
    ['arktype', type({ city: type('string').describe('City.', 'self'), days: 'number.integer >= 1 = 3' })],
  ])('is what %s takes, with its words', async (_, schema) => {
    const converted = await toJsonSchema(schema);

    expect(converted).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'City.' },
        days: { type: 'integer', minimum: 1 },
      },
      required: ['city'],
    });
    expect(converted).not.toHaveProperty('$schema');
  });

  it.each([
    ['zod', z.object({ length: z.string().transform(({ length }) => length) })],
    [
      'valibot',
      v.object({
        length: v.pipe(
          v.string(),
          v.transform(({ length }) => length),
        ),
      }),
    ],
    ['arktype', type({ length: type('string').pipe(({ length }) => length) })],
  ])('is the input of a transform of %s', async (_, schema) => {
    expect(await toJsonSchema(schema)).toMatchObject({ properties: { length: { type: 'string' } } });
  });

  it.each([
    ['zod', z.object({ city: z.string().refine(Boolean) })],
    [
      'valibot',
      v.object({
        city: v.pipe(
          v.string(),
          v.trim(),
          v.check((city: string) => city !== ''),
        ),
      }),
    ],
    ['arktype', type({ city: type('string').narrow(Boolean) })],
  ])('leaves to %s what JSON Schema has no word for', async (_, schema) => {
    expect(await toJsonSchema(schema)).toMatchObject({ properties: { city: { type: 'string' } } });
  });

  it.each([
    ['zod', z.object({ day: z.date() }), 'Date cannot be represented in JSON Schema'],
    ['zod', z.object({ day: z.map(z.string(), z.string()) }), 'Map cannot be represented in JSON Schema'],
    ['valibot', v.object({ day: v.date() }), 'The "date" schema cannot be converted to JSON Schema'],
    ['arktype', type({ day: 'Date' }), 'Date has no form in JSON'],
    ['arktype', type({ day: "Date > d'2020-01-01'" }), 'Date has no form in JSON'],
    ['arktype', type({ day: 'Map' }), 'Map has no form in JSON'],
    ['arktype', type({ day: 'bigint' }), 'bigint has no form in JSON'],
    ['arktype', type({ day: 'undefined' }), 'undefined has no form in JSON'],
  ])('is refused in the words of %s where JSON has no form: %#', async (vendor, schema, words) => {
    await expect(toJsonSchema(schema)).rejects.toMatchObject({
      message:
        `${vendor} cannot write it as JSON Schema: ${words}. Take what JSON can hold, such as a string, ` +
        'and convert it in a transform',
    });
  });

  it('keeps what the library threw, and leaves out its full stop alone', async () => {
    const cause = new Error('No 1.5 in JSON.');
    const refuse = (): never => {
      throw cause;
    };
    const refusing = { ...z.object({})['~standard'], jsonSchema: { input: refuse, output: refuse } };

    await expect(toJsonSchema({ '~standard': refusing })).rejects.toMatchObject({
      message: expect.stringContaining('as JSON Schema: No 1.5 in JSON. Take') as unknown,
      cause,
    });
  });

  it('asks for a version that has JSON Schema where a library has none', async () => {
    const validate = (value: unknown): StandardSchemaV1.Result<unknown> => ({ value });

    await expect(
      toJsonSchema({ '~standard': { version: 1, vendor: 'old', validate } }),
    ).rejects.toMatchObject({
      message:
        'old does not say what it is in JSON Schema. Take a version of old that has Standard JSON Schema, ' +
        'or give the JSON Schema itself',
    });
  });
});
