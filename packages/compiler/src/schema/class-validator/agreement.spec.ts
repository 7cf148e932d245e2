/** @slow */

import { pathToFileURL } from 'node:url';

import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { deriveFiles } from '../../derive/derive-files.js';
import { TemporaryProject, TSCONFIG } from '../../fixtures/temporary-project.js';
import { ts } from '../../typescript.js';

type Json = Readonly<Record<string, unknown>>;

const TEXTS = [
  ...['', 'a', 'ab', 'abc', 'ABC', 'Abc', 'a b', ' a ', 'äöü', 'a\nb', '😀', '-', 'a-b', 'x'.repeat(40)],
  ...['0', '1', '12', '-1', '+1.5', '1.', '.5', '1e5', '0x1F', 'deadBEEF', '65535', '23:59', '2359', '24:00'],
  ...[
    'true',
    'false',
    'ada@example.org',
    'example.org',
    'https://example.org/a?b#c',
    '127.0.0.1',
    '::1',
    '#fff',
  ],
  ...['2024-02-29', '2024-02-29T12:00:00Z', '2024-02-29T12:00:00', '2024-W05', '2024-02-29 12:00:00+01:00'],
  ...[
    '9c5f1f6e-6f0c-4f2e-8a57-1a2b3c4d5e6f',
    '507f1f77bcf86cd799439011',
    'DE',
    'USA',
    'EUR',
    'de',
    '{"a":1}',
  ],
];
const NUMBERS = [0, 1, 2, 3, 4, 10, 90, 91, 180, -1, -90, -180.5, 1.5, 0.1, 19.99, 1e21];
const LISTS = [[], [''], ['a'], ['a', 'a'], ['a', 'b'], ['abc', 'x'], ['a', 'b', 'c', 'd']];
const OBJECTS = [{}, { a: 1 }, { a: null }, { b: 'x' }];

/** Values of each type, as JSON. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: TEXTS,
  'string | null': [...TEXTS, null],
  number: NUMBERS,
  'number | null': [...NUMBERS, null],
  boolean: [true, false],
  'string | number': [...TEXTS, ...NUMBERS],
  'string[]': LISTS,
  'string[] | null': [...LISTS, null],
  'number[]': [[], [1], [1, 1], [0, -1], [1.5], [90, 91, 5]],
  'Item[]': [[], [{ a: 'x' }], [{ a: 'x' }, { a: 'x' }]],
  object: OBJECTS,
  any: [...TEXTS, ...NUMBERS, ...LISTS, ...OBJECTS, true, false, null],
  Color: ['red', 'blue'],
  'Color | null': ['red', 'blue', null],
  "'a' | 'b'": ['a', 'b'],
};

/** Decorators, the type they stand at, and where it matters the word of the property. */
const CASES: readonly (readonly [decorators: string, type: string, optional?: '?'])[] = [
  ...both('@IsString()', 'string', 'any'),
  ...both('@IsNumber()', 'number', 'any'),
  ...both('@IsBoolean()', 'boolean', 'any'),
  ...both('@IsArray()', 'string[]', 'any'),
  ...both('@IsObject()', 'object', 'any'),
  ...both('@IsInt()', 'number', 'number | null', 'any', 'string | number'),
  ...both('@IsNumber({ maxDecimalPlaces: 1 })', 'number'),
  ...both('@Min(1)', 'number', 'string | number', 'any'),
  ...both('@Max(3)', 'number'),
  ...both('@IsPositive()', 'number'),
  ...both('@IsNegative()', 'number'),
  ...both('@IsDivisibleBy(2)', 'number'),
  ...both('@IsDivisibleBy(2.5)', 'number'),
  ...both('@IsLatitude()', 'number', 'string'),
  ...both('@IsLongitude()', 'number', 'string | number'),
  ...both('@MinLength(2)', 'string', 'string | null', 'string | number', 'any'),
  ...both('@MaxLength(2)', 'string'),
  ...both('@Length(1)', 'string'),
  ...both('@Length(1, 3)', 'string'),
  ...both('@IsNotEmpty()', 'string', 'string[]', 'any', 'string | null'),
  ...both('@IsEmpty()', 'string'),
  ...both('@Contains("b.c")', 'string'),
  ...both('@Contains("b")', 'string'),
  ...both('@Matches(/^[a-z]+$/)', 'string'),
  ...both('@Matches(/^[a-z]+$/i)', 'string'),
  ...both('@Matches(/^.b$/s)', 'string'),
  ...both('@Matches(/^b$/m)', 'string'),
  ...both('@Matches(/^[\\w-.]+$/)', 'string'),
  ...both('@Matches(/\\-/)', 'string'),
  ...both('@Matches("^A", "i")', 'string'),
  ...both('@Matches("^a")', 'string'),
  ...both('@Matches(PATTERN, { message: () => "no" })', 'string'),
  ...both('@IsEmail()', 'string'),
  ...both('@IsEmail({ allow_display_name: true })', 'string'),
  ...both('@IsUrl()', 'string'),
  ...both('@IsUrl({ require_protocol: true })', 'string'),
  ...both('@IsUUID()', 'string'),
  ...both('@IsUUID("4")', 'string'),
  ...both('@IsIP()', 'string'),
  ...both('@IsIP(4)', 'string'),
  ...both('@IsIP("6")', 'string'),
  ...both('@IsDateString()', 'string'),
  ...both('@IsISO8601({ strict: true })', 'string'),
  ...both('@IsRFC3339()', 'string'),
  ...both('@IsAlpha()', 'string'),
  ...both('@IsAlpha("de-DE")', 'string'),
  ...both('@IsAlphanumeric()', 'string'),
  ...both('@IsAscii()', 'string'),
  ...both('@IsLowercase()', 'string'),
  ...both('@IsUppercase()', 'string'),
  ...both('@IsHexadecimal()', 'string'),
  ...both('@IsHexColor()', 'string'),
  ...both('@IsMongoId()', 'string'),
  ...both('@IsMilitaryTime()', 'string'),
  ...both('@IsNumberString()', 'string'),
  ...both('@IsNumberString({ no_symbols: true })', 'string'),
  ...both('@IsBooleanString()', 'string'),
  ...both('@IsPort()', 'string'),
  ...both('@IsISO31661Alpha2()', 'string'),
  ...both('@IsISO31661Alpha3()', 'string'),
  ...both('@IsISO4217CurrencyCode()', 'string'),
  ...both('@IsFQDN()', 'string'),
  ...both('@IsJSON()', 'string'),
  ...both('@IsIn(["a", "ab"])', 'string', 'string | null', "'a' | 'b'", 'any'),
  ...both('@IsIn(WORDS, { message: () => "no" })', 'string'),
  ...both('@IsIn([1, "a"])', 'string | number', 'number'),
  ...both('@IsIn([1, 2, null])', 'number | null'),
  ...both('@IsNotIn(["a"])', 'string'),
  ...both('@Equals("a")', 'string', 'any'),
  ...both('@NotEquals("a")', 'string'),
  ...both('@IsEnum(Color)', 'string', 'Color', 'Color | null', 'any'),
  ...both('@IsEnum(Level)', 'number', 'string', 'any'),
  ...both('@IsEnum({ A: "a", B: "ab" })', 'string'),
  ...both('@IsEnum(Spaced)', 'any'),
  ...both('@IsEnum(Wider)', 'string'),
  ...both('@ArrayNotEmpty()', 'string[]', 'string[] | null', 'any'),
  ...both('@ArrayMinSize(2)', 'string[]'),
  ...both('@ArrayMaxSize(1)', 'string[]'),
  ...both('@ArrayUnique()', 'string[]', 'Item[]'),
  ...both('@ArrayContains(["a"])', 'string[]'),
  ...both('@MinLength(2, { each: true })', 'string[]', 'string[] | null'),
  ...both('@IsIn(["a"], { each: true, message: () => "no" })', 'string[]'),
  ...both('@IsIn(["a"], EACH)', 'string[]'),
  ...both('@IsIn(["a"], { each })', 'any'),
  ...both('@IsInt({ each: true })', 'number[]'),
  ...both('@Min(0, { each: true })', 'number[]'),
  ...both('@MaxLength(1, { groups: ["other"] })', 'string'),
  ...both('@IsNotEmptyObject()', 'object'),
  ...both('@IsNotEmptyObject({ nullable: true })', 'object'),
  ...both('@MinLength(2) @MaxLength(3) @Matches(/^a/)', 'string'),
  ...both('@IsDefined() @MaxLength(1)', 'string'),
  ...both('@ValidateIf(() => false) @MaxLength(1)', 'string'),
  ...both('@ValidateIf((one) => one.value !== "abc") @MaxLength(1)', 'string'),
  ...both('@Transform(({ value }) => String(value).trim()) @MaxLength(1)', 'string'),
  ...both('@Expose({ name: "value" }) @MaxLength(1)', 'string'),
  ...both('@IsNumber({}, { each: true })', 'number[]'),
];

const HEAD = `
import { tool } from 'adorn';
import { ${namesIn(/@(?!Transform|Expose)(\w+)/g)} } from 'class-validator';
import { Expose, Transform } from 'class-transformer';
enum Color { Red = 'red', Blue = 'blue' }
enum Level { Low, High = 10 }
enum Spaced { 'a b' = 1 }
enum Wider { A = 'a' }
namespace Wider { export const B = 'ab'; }
const each = true;
class Item { @IsString() a!: string }
const PATTERN = /^a/;
const WORDS = ['a', 'ab'] as const;
const EACH = { each: true };
`;

describe('what class-validator lets through', () => {
  const project = new TemporaryProject({
    ...TSCONFIG,
    compilerOptions: { ...TSCONFIG.compilerOptions, types: [] },
  });
  afterAll(() => {
    project.remove();
  });

  it('is never refused by the schema that is read from its decorators', async () => {
    const source = HEAD + CASES.map(writeClass).join('\n');
    const file = project.write('src/main.ts', source);
    const answer = deriveFiles([file])[file];
    if (answer === undefined || 'error' in answer) throw new Error(answer?.error.message);
    expect(answer.faults).toEqual({});
    const classes = await load(project, source);

    const refused: string[] = [];
    for (const [index, [decorators, type, optional]] of CASES.entries()) {
      const schema = answer.classes[`Tool${String(index)}`]?.tools['run']?.parametersJsonSchema ?? {};
      const accepts = ajv.compile(schema);
      const values = VALUES[type] ?? [];
      for (const value of [...values.map((one) => ({ value: one })), ...(optional ? [{}] : [])]) {
        if (!(await isValid(classes[`Input${String(index)}`], value)) || accepts({ input: value })) continue;
        refused.push(`${decorators} ${type}: ${JSON.stringify(value)}`);
      }
    }
    expect(refused).toEqual([]);
  });
});

const ajv = new Ajv2020({ strict: false, logger: false });
(formats as unknown as (instance: Ajv2020) => void)(ajv);

/** The case as it stands for each of the types, demanded and optional. */
function both(decorators: string, ...types: readonly string[]): (readonly [string, string, '?'?])[] {
  return types.flatMap((type) => [
    [decorators, type] as const,
    [`@IsOptional() ${decorators}`, type, '?'] as const,
  ]);
}

function namesIn(pattern: RegExp): string {
  const used = CASES.flatMap(([decorators]) => [...decorators.matchAll(pattern)].map(([, name]) => name));
  return [...new Set(used)].join(', ');
}

function writeClass([decorators, type, optional]: (typeof CASES)[number], index: number): string {
  return `export class Input${String(index)} { ${decorators} value${optional ?? '!'}: ${type} }
class Tool${String(index)} { @tool run(input: Input${String(index)}): void {} }`;
}

async function load(project: TemporaryProject, source: string): Promise<Record<string, new () => object>> {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      useDefineForClassFields: false,
    },
  });
  const file = project.write('build/main.mjs', outputText);
  return (await import(pathToFileURL(file).href)) as Record<string, new () => object>;
}

async function isValid(type: (new () => object) | undefined, value: Json): Promise<boolean> {
  const { validate } = await import('class-validator');
  const { plainToInstance } = await import('class-transformer');
  if (type === undefined) throw new Error('the class is not exported');
  const rules = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };
  return (await validate(plainToInstance(type, value), rules)).length === 0;
}
