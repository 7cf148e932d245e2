import type { JsonSchema } from '@adorn/core';

import { deriveSource } from '../../fixtures/temporary-project.js';

/** A property as it is declared, and its schema. Its name tells whether it must be there: `optional` or `needed`. */
const CASES: readonly (readonly [what: string, declared: string, schema: JsonSchema])[] = [
  ['a keyword of its kind', '@MaxLength(5) needed!: string', { type: 'string', maxLength: 5 }],
  ['keywords of all of them', '@Min(1) @Max(3) needed!: number', { type: 'number', minimum: 1, maximum: 3 }],
  ['nothing of another kind', '@MinLength(2) needed!: number', { type: 'number' }],
  ['nothing that only run time can check', '@IsHash("md5") needed!: string', { type: 'string' }],
  ['nothing on a condition', '@ValidateIf(() => no) @MaxLength(5) optional!: string', { type: 'string' }],
  ['that it is optional', '@IsOptional() @Min(1) optional!: number', { type: 'number', minimum: 1 }],
  ['that it is there', '@IsDefined() @Min(1) needed?: number', { type: 'number', minimum: 1 }],
  [
    'what holds of each element',
    '@MinLength(2, { each: true }) needed!: string[]',
    { type: 'array', items: { type: 'string', minLength: 2 } },
  ],
  [
    'what holds of each element of a tuple',
    '@MinLength(2, { each: true }) needed!: [string, number, ...string[]]',
    {
      type: 'array',
      prefixItems: [{ type: 'string', minLength: 2 }, { type: 'number' }],
      items: { type: 'string', minLength: 2 },
      minItems: 2,
    },
  ],
  [
    'the values of elements of a tuple, which are not optional as the tuple is',
    '@IsOptional() @IsIn(["a"], { each: true }) optional!: [any]',
    { type: 'array', prefixItems: [{ enum: ['a'] }], minItems: 1, maxItems: 1 },
  ],
  [
    'nothing of each where there are no elements',
    '@Min(1, { each: true }) needed!: number',
    { type: 'number' },
  ],
  [
    'the type of elements, which are not optional as the list is',
    '@IsOptional() @IsString({ each: true }) optional!: any[]',
    { type: 'array', items: { type: 'string' } },
  ],
  [
    'of the alternatives, what holds of their kind',
    '@MinLength(2) needed!: "long" | string[] | Item | null',
    {
      anyOf: [
        { type: 'string', const: 'long', minLength: 2 },
        { type: 'array', items: { type: 'string' } },
        { $ref: '#/$defs/Item' },
        { type: 'null' },
      ],
    },
  ],
  [
    'of an object by its name',
    '@IsNotEmptyObject() needed!: Item',
    { $ref: '#/$defs/Item', minProperties: 1 },
  ],
  [
    'nothing else of an object by its name',
    '@MinLength(1) @IsIn(["a"]) needed!: Item',
    { $ref: '#/$defs/Item' },
  ],
  ['the type of what may be anything', '@MinLength(2) needed!: any', { type: 'string', minLength: 2 }],
  [
    'the type or null where it is optional',
    '@IsOptional() @IsBoolean() optional: any',
    { type: ['boolean', 'null'] },
  ],
  [
    'the type of what has words only',
    '/** Text. @title T @default d @example e\n @deprecated */ @IsString() needed!: any',
    { description: 'Text.', title: 'T', default: 'd', examples: ['e'], deprecated: true, type: 'string' },
  ],
  [
    'no type of what has more than words',
    '/** Text. @minimum 1 */ @IsString() @IsInt() @IsNotEmptyObject() needed!: any',
    { description: 'Text.', minimum: 1 },
  ],
  ['whole numbers', '@IsInt() needed!: number', { type: 'integer' }],
  ['whole numbers or null', '@IsInt() needed!: number | null', { type: ['integer', 'null'] }],
  ['whole numbers among others', '@IsInt() needed!: string | number', { type: ['string', 'integer'] }],
  ['whole numbers of what may be anything', '@IsInt() needed!: any', { type: 'integer' }],
  [
    'more of whole numbers',
    '@IsInt() @Min(1) @IsIn([1, 2]) needed!: number',
    { type: 'integer', minimum: 1, enum: [1, 2] },
  ],
  ['values', '@IsIn(["a", "b"]) needed!: string', { type: 'string', enum: ['a', 'b'] }],
  [
    'values that the type also has',
    '@IsIn([1, "a", true, null]) needed!: number',
    { type: 'number', enum: [1] },
  ],
  ['truth', '@IsIn([true, "true"]) needed!: boolean', { type: 'boolean', enum: [true] }],
  [
    'values of several types',
    '@IsIn([1, "a", true]) needed!: string | number',
    { type: ['string', 'number'], enum: [1, 'a'] },
  ],
  ['no values where the type has none', '@IsIn(["a"]) needed!: number', { type: 'number' }],
  ['values and null', '@IsIn(["a"]) needed!: string | null', { type: ['string', 'null'], enum: ['a', null] }],
  [
    'values with null',
    '@IsIn([null, 1]) needed!: number | null',
    { type: ['number', 'null'], enum: [null, 1] },
  ],
  ['values of anything', '@IsIn(["a", 1]) needed!: any', { enum: ['a', 1] }],
  ['values of anything or null', '@IsOptional() @IsIn(["a"]) optional!: any', { enum: ['a', null] }],
  [
    'no null where the type has none',
    '@IsOptional() @IsIn(["a"]) optional!: string',
    { type: 'string', enum: ['a'] },
  ],
  [
    'values that are also in the type',
    '@IsIn(["b", "c"]) needed!: "a" | "b"',
    { type: 'string', enum: ['b'] },
  ],
  [
    'values, and the null of a tag',
    '/** @enum ["a", "b", null] */ @IsIn(["a"]) needed!: string',
    { type: 'string', enum: ['a', null] },
  ],
  ['no values over the one of the type', '@IsIn(["a", "b"]) needed!: "a"', { type: 'string', const: 'a' }],
  ['no values that are the same by chance only', '@IsIn(["a", { a: 1 }]) needed!: any', {}],
  [
    'that elements differ',
    '@ArrayUnique() needed!: string[]',
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
  ],
  [
    'that elements differ, null among them',
    '@ArrayUnique() needed!: (string | null)[]',
    { type: 'array', items: { type: ['string', 'null'] }, uniqueItems: true },
  ],
  [
    'not that objects differ',
    '@ArrayUnique() needed!: Item[]',
    { type: 'array', items: { $ref: '#/$defs/Item' } },
  ],
  [
    'not that records differ',
    '@ArrayUnique() needed!: object[]',
    { type: 'array', items: { type: 'object' } },
  ],
  [
    'not that lists differ',
    '@ArrayUnique() needed!: string[][]',
    { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  ],
  ['not that things of any sort differ', '@ArrayUnique() needed!: any', { type: 'array' }],
  ['words', '@IsUrl() needed!: string', { type: 'string', description: 'A URL.' }],
  [
    'no words over those of a comment',
    '/** Where. */ @IsUrl() needed!: string',
    { type: 'string', description: 'Where.' },
  ],
];

const SOURCE = `
import { tool } from 'adorn';
import { ${[...new Set(CASES.flatMap(([, declared]) => declared.match(/(?<=@)[A-Z]\w+/g) ?? []))].join(', ')} } from 'class-validator';
declare const no: boolean;
class Item { @IsString() a!: string }
${CASES.map(
  ([, declared], index) => `class Input${String(index)} { ${declared} }
export class Tool${String(index)} { @tool run(input: Input${String(index)}): void {} }`,
).join('\n')}
`;

describe('the decorators of a property', () => {
  const { classes, faults } = deriveSource(SOURCE);

  it.each(CASES.map((one, index) => [...one, index] as const))(
    'say %s: %s',
    (_what, declared, schema, index) => {
      const parameters = classes[`Tool${String(index)}`]?.tools['run']?.parametersJsonSchema ?? {};
      const input = (parameters['$defs'] as Readonly<Record<string, JsonSchema>>)[`Input${String(index)}`];
      const name = declared.includes('optional') ? 'optional' : 'needed';

      expect(faults).toEqual({});
      expect(input).toStrictEqual({
        type: 'object',
        properties: { [name]: schema },
        ...(name === 'needed' && { required: [name] }),
        additionalProperties: false,
      });
    },
  );
});
