import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { compileArgumentCheck } from '../arguments/argument-check.js';
import { isObject, type JsonSchema } from '../reader/schema-parts.js';
import type { Loss } from './conversion/keywords.js';
import { toStrictSchema } from './strict-schema.js';

const ajv = new Ajv2020({ strict: false });

describe('a strict schema', () => {
  it('takes every value of the original, once what is absent is null', () => {
    fc.assert(
      fc.property(
        documents().chain(({ bare }) => fc.tuple(fc.constant(bare), values(bare))),
        ([schema, { original, strict }]) => {
          const validate = ajv.compile(strictly(schema));

          expect(ajv.validate(schema, original)).toBe(true);
          expect([validate(strict), validate.errors]).toEqual([true, null]);
        },
      ),
    );
  });

  it('takes no value that the original does not take, once the nulls of optional properties are dropped', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents().chain(({ bare }) => fc.tuple(fc.constant(bare), values(strictly(bare)))),
        async ([schema, { strict }]) => {
          const check = await compileArgumentCheck(schema);

          expect(check(strict as Record<string, unknown>)).toMatchObject({ kind: 'valid' });
        },
      ),
    );
  });

  it('says all else in words, and reports each of it with its place', () => {
    fc.assert(
      fc.property(documents(), ({ bare, full, rules }) => {
        const losses: Loss[] = [];
        const schema = toStrictSchema(full, (loss) => losses.push(loss));

        expect(withoutWords(schema)).toEqual(strictly(bare));
        expect(unique(losses)).toEqual(unique(rules.map((rule) => ({ ...rule, outcome: 'described' }))));
        for (const { keyword } of rules) expect(JSON.stringify(schema)).toContain(`${keyword}: `);
      }),
    );
  });
});

/** A schema as it is without what strict mode cannot say, as it is with it, and what that is. */
interface Case {
  readonly bare: JsonSchema;
  readonly full: JsonSchema;
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly path: string;
  readonly keyword: string;
  readonly value: unknown;
}

function documents(): fc.Arbitrary<Case> {
  return object(fc.oneof({ depthSize: 'small', maxDepth: 3 }, leaf(), nested())).map((root) => ({
    ...root,
    bare: { ...root.bare, $defs: DEFINITIONS },
    full: { ...root.full, $defs: DEFINITIONS },
  }));
}

const DEFINITIONS = {
  Node: {
    type: 'object',
    properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } },
    required: ['name'],
    additionalProperties: false,
  },
};

function nested(): fc.Arbitrary<Case> {
  return fc.letrec<{ any: Case }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      leaf(),
      plain({ $ref: '#/$defs/Node' }),
      list(tie('any')),
      object(tie('any')),
      union(tie('any')),
    ),
  })).any;
}

function leaf(): fc.Arbitrary<Case> {
  return fc.oneof(
    plain({ type: 'boolean' }),
    plain({ type: ['integer', 'null'] }),
    plain({ type: 'string', enum: ['x', 'y'] }),
    plain({ type: 'integer', enum: [1] }),
    ruled({ type: 'string' }, { minLength: 2, pattern: '^a', format: 'date', maxLength: 3, default: 'a' }),
    ruled({ type: 'number' }, { minimum: 1, exclusiveMaximum: 9, multipleOf: 2, examples: [2] }),
  );
}

function plain(schema: JsonSchema): fc.Arbitrary<Case> {
  return fc.constant({ bare: schema, full: schema, rules: [] });
}

function ruled(bare: JsonSchema, possible: JsonSchema): fc.Arbitrary<Case> {
  return fc.subarray(Object.entries(possible)).map((chosen) => ({
    bare,
    full: { ...bare, ...Object.fromEntries(chosen) },
    rules: chosen.map(([keyword, value]) => ({ path: '', keyword, value })),
  }));
}

function list(items: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(items, ruled({ type: 'array' }, { minItems: 1, uniqueItems: true }))
    .map(([item, array]) => ({
      bare: { ...array.bare, items: item.bare },
      full: { ...array.full, items: item.full },
      rules: [...array.rules, ...under('[]', item.rules)],
    }));
}

function object(property: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const properties = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('a', 'b', 'c'), property, required: fc.boolean() }),
    {
      selector: ({ name }) => name,
      maxLength: 3,
    },
  );
  return properties.map((chosen) => {
    const required = chosen.filter((one) => one.required).map(({ name }) => name);
    const schemaOf = (kind: 'bare' | 'full'): JsonSchema => ({
      type: 'object',
      properties: Object.fromEntries(chosen.map(({ name, property: { [kind]: schema } }) => [name, schema])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    });
    const rules = chosen.flatMap(({ name, property: { rules: own } }) => under(name, own));
    return { bare: schemaOf('bare'), full: schemaOf('full'), rules };
  });
}

/** Of a text and an object that says what it is, so that a value fits one of them only. */
function union(property: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc.tuple(object(property), fc.boolean()).map(([{ bare, full, rules }, isNullable]) => {
    const unionOf = (schema: JsonSchema): JsonSchema => ({
      anyOf: [
        { type: 'string' },
        {
          ...schema,
          properties: { kind: { const: 'k' }, ...(schema['properties'] as JsonSchema) },
          required: ['kind', ...((schema['required'] ?? []) as string[])],
        },
        ...(isNullable ? [{ type: 'null' }] : []),
      ],
    });
    return { bare: unionOf(bare), full: unionOf(full), rules };
  });
}

function under(step: string, rules: readonly Rule[]): Rule[] {
  return rules.map((rule) => {
    const isDotted = rule.path !== '' && !rule.path.startsWith('[');
    return { ...rule, path: isDotted ? `${step}.${rule.path}` : step + rule.path };
  });
}

/** A value of the original, and the same for the strict schema, with null for what is absent. */
interface Value {
  readonly original: unknown;
  readonly strict: unknown;
}

const DEEPEST = 6;

function values(schema: JsonSchema, root = schema, depth = 0): fc.Arbitrary<Value> {
  const { $ref, anyOf, const: only, enum: allowed, type } = schema;
  if (typeof $ref === 'string') return values(definition(root, $ref), root, depth + 1);
  if (only !== undefined) return same(fc.constant(only));
  if (Array.isArray(allowed)) return same(fc.constantFrom(...(allowed as unknown[])));
  if (Array.isArray(anyOf)) return either((anyOf as JsonSchema[]).toReversed(), root, depth);
  if (Array.isArray(type))
    return either(
      type.toReversed().map((one: unknown) => ({ ...schema, type: one })),
      root,
      depth,
    );
  if (type === 'object') return objects(schema, root, depth);
  if (type === 'array') return arrays(schema['items'] as JsonSchema, root, depth);
  if (type === 'string') return same(fc.string({ maxLength: 3 }));
  if (type === 'boolean') return same(fc.boolean());
  if (type === 'null') return same(fc.constant(null));
  return same(type === 'integer' ? fc.integer() : fc.double({ noNaN: true, noDefaultInfinity: true }));
}

/** The last alternative alone, which is null where there is one, once it has gone deep enough. */
function either(schemas: readonly JsonSchema[], root: JsonSchema, depth: number): fc.Arbitrary<Value> {
  const possible = depth > DEEPEST ? schemas.slice(0, 1) : schemas;
  return fc.oneof(...possible.map((one) => values(one, root, depth + 1)));
}

function objects(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<Value> {
  const required = (schema['required'] ?? []) as readonly string[];
  const entries = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  const members = entries.map(([name, property]) => {
    const absent = fc.constant({ name, original: undefined, strict: null });
    if (depth > DEEPEST && !required.includes(name)) return absent;
    const present = values(property, root, depth + 1).map((value) => ({ name, ...value }));
    return required.includes(name) ? present : fc.oneof(absent, present);
  });
  return fc.tuple(...members).map((chosen) => ({
    original: Object.fromEntries(
      chosen.filter(({ original }) => original !== undefined).map(({ name, original }) => [name, original]),
    ),
    strict: Object.fromEntries(chosen.map(({ name, strict }) => [name, strict])),
  }));
}

function arrays(items: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<Value> {
  const maxLength = depth > DEEPEST ? 0 : 2;
  return fc.array(values(items, root, depth + 1), { maxLength }).map((elements) => ({
    original: elements.map(({ original }) => original),
    strict: elements.map(({ strict }) => strict),
  }));
}

function same(value: fc.Arbitrary<unknown>): fc.Arbitrary<Value> {
  return value.map((one) => ({ original: one, strict: one }));
}

function definition(root: JsonSchema, ref: string): JsonSchema {
  return (root['$defs'] as Readonly<Record<string, JsonSchema>>)[ref.slice('#/$defs/'.length)] ?? {};
}

function strictly(schema: JsonSchema): JsonSchema {
  const strict = toStrictSchema(schema);
  if (strict === undefined) throw new Error(`Not expressed: ${JSON.stringify(schema)}`);
  return strict;
}

function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutWords(member)]));
}

function unique(losses: readonly object[]): string[] {
  return [...new Set(losses.map((loss) => JSON.stringify(Object.entries(loss).sort())))].sort();
}
