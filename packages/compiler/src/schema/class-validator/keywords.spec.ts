import type { JsonSchema } from '@adorn/core';

import { saidBy } from './keywords.js';

describe('a decorator of class-validator', () => {
  it.each([
    ['IsString', 'string'],
    ['IsNumber', 'number'],
    ['IsBoolean', 'boolean'],
    ['IsArray', 'array'],
    ['IsObject', 'object'],
    ['IsIn', undefined],
  ])('@%s speaks of values of the kind %s', (name, kind) => {
    expect(saidBy(name, [])).toStrictEqual(kind === undefined ? { keywords: {} } : { kind, keywords: {} });
  });

  it.each<[name: string, args: readonly unknown[], keywords: JsonSchema]>([
    ['MinLength', [2], { minLength: 2 }],
    ['MaxLength', [2], { maxLength: 2 }],
    ['Length', [1, 3], { minLength: 1, maxLength: 3 }],
    ['Length', [1], { minLength: 1 }],
    ['Length', [undefined, 3], { maxLength: 3 }],
    ['Matches', [/^a$/], { pattern: '^a$' }],
    ['Matches', [/^a$/dgu], { pattern: '^a$' }],
    ['IsEmail', [], { format: 'email' }],
    ['IsUUID', ['4'], { format: 'uuid' }],
    ['IsRFC3339', [], { format: 'date-time' }],
    ['IsIP', [4], { format: 'ipv4' }],
    ['IsIP', ['4'], { format: 'ipv4' }],
    ['IsBooleanString', [], { enum: ['true', 'false', '1', '0'] }],
    ['IsInt', [], { type: 'integer' }],
    ['Min', [0], { minimum: 0 }],
    ['Max', [3], { maximum: 3 }],
    ['IsPositive', [], { exclusiveMinimum: 0 }],
    ['IsNegative', [], { exclusiveMaximum: 0 }],
    ['IsDivisibleBy', [2], { multipleOf: 2 }],
    ['ArrayNotEmpty', [], { minItems: 1 }],
    ['ArrayMinSize', [2], { minItems: 2 }],
    ['ArrayMaxSize', [2], { maxItems: 2 }],
    ['ArrayUnique', [], { uniqueItems: true }],
    ['IsNotEmptyObject', [], { minProperties: 1 }],
    ['IsNotEmpty', [], { minLength: 1 }],
    ['IsIn', [['a', 1]], { enum: ['a', 1] }],
    ['IsEnum', [{ Red: 'red', Blue: 'blue' }], { enum: ['red', 'blue'] }],
    ['IsEnum', [{ Low: 0, High: 'high' }], { enum: [0, 'high', 'Low'] }],
    ['Equals', ['a'], { enum: ['a'] }],
    ['IsLatitude', [], { minimum: -90, maximum: 90 }],
    ['IsLongitude', [], { minimum: -180, maximum: 180 }],
  ])('@%s with %j says %j', (name, args, keywords) => {
    expect(saidBy(name, args)?.keywords).toStrictEqual(keywords);
  });

  it.each<[name: string, args: readonly unknown[]]>([
    ['MinLength', [undefined]],
    ['Length', [undefined, undefined]],
    ['Matches', [/^a$/i]],
    ['Matches', [/^a$/m]],
    ['Matches', [/^a$/gi]],
    ['Matches', [/^a$/, 'i']],
    ['Matches', ['^a$']],
    ['Matches', [/^]$/]],
    ['Contains', [undefined]],
    ['IsEmail', [{ allow_display_name: true }]],
    ['IsAlpha', ['de-DE']],
    ['IsAlphanumeric', ['de-DE']],
    ['IsNumberString', [{ no_symbols: true }]],
    ['IsDivisibleBy', [2.5]],
    ['IsDivisibleBy', [0]],
    ['IsDivisibleBy', [-2]],
    ['IsIn', [undefined]],
    ['IsEnum', [undefined]],
    ['IsEnum', [null]],
    ['Equals', [undefined]],
  ])('@%s with %p says nothing, for it may let more through', (name, args) => {
    expect(saidBy(name, args)?.keywords).toStrictEqual({});
  });

  it.each([
    ['Contains', 'b.c/d', ['ab.c/d', 'b.c/de'], ['bxc/d']],
    ['IsDateString', undefined, ['2024-02-29', '+2024', '-0001-01-01'], ['29.02.2024', '202', ' 2024']],
    ['IsISO8601', undefined, ['2024-W05'], ['W05-2024']],
    ['IsAlpha', undefined, ['abYZ'], ['', 'a1', '1a', 'ä']],
    ['IsAlphanumeric', undefined, ['a1Z'], ['', '-a', 'a-']],
    ['IsAscii', undefined, ['a~\n'], ['', 'äa', 'aä']],
    ['IsLowercase', undefined, ['', 'a b1'], ['Ab', 'aB']],
    ['IsUppercase', undefined, ['', 'A B1'], ['aB', 'Ab']],
    ['IsHexadecimal', undefined, ['09afAF', '0xF', '0X1', '0h1', '0H1'], ['', 'g', 'fg', '0xx1', 'x1']],
    ['IsHexColor', undefined, ['#fff', 'ABC0', '#12345678'], ['#ff', '##fff', 'fffg', '#123456789']],
    [
      'IsMongoId',
      undefined,
      ['507f1F77bcf86cd799439011'],
      ['507f', '507f1f77bcf86cd7994390110', 'x'.repeat(24)],
    ],
    ['IsMilitaryTime', undefined, ['00:59', '2359', '19:00'], ['24:00', '2:00', '12:60', '112:00', '12:000']],
    ['IsNumberString', undefined, ['1', '-1.5', '+.5', '12.34'], ['', '1.', '1e5', 'a1', '--1', '1.x5']],
    ['IsPort', undefined, ['0', '65535'], ['', '123456', 'a1', '1a']],
    ['IsISO31661Alpha2', undefined, ['DE', 'de'], ['D', 'DEU', '1D', 'D1']],
    ['IsISO31661Alpha3', undefined, ['USA', 'usa'], ['US', 'USAX', '1US']],
    ['IsISO4217CurrencyCode', undefined, ['EUR', 'eur'], ['EU', 'EURO', '1EU']],
  ])('@%s(%j) has a pattern that lets %j through, and stops %j', (name, arg, passed, stopped) => {
    const source = saidBy(name, arg === undefined ? [] : [arg])?.keywords['pattern'] as string;
    const pattern = new RegExp(source, 'u');

    expect(passed.filter((text) => !pattern.test(text))).toEqual([]);
    expect(stopped.filter((text) => pattern.test(text))).toEqual([]);
  });

  it('that asks for a part asks for it as it is written, every sign of it', () => {
    const part = '\\^$.*+?()[]{}|/-';
    const pattern = saidBy('Contains', [part])?.keywords['pattern'] as string;

    expect(new RegExp(pattern, 'u').exec(`before ${part} behind`)?.[0]).toBe(part);
  });

  it.each([
    ['IsIP', 'An IP address.'],
    ['IsUrl', 'A URL.'],
    ['IsISO8601', 'A date, or a date and time, by ISO 8601.'],
    ['IsPhoneNumber', 'A phone number.'],
    ['IsMobilePhone', 'A mobile phone number.'],
    ['IsFQDN', 'A domain name.'],
    ['IsTimeZone', 'A time zone by its IANA name.'],
    ['IsJSON', 'JSON text.'],
    ['IsBase64', 'Base64.'],
    ['IsCreditCard', 'A credit card number.'],
    ['IsIBAN', 'An IBAN.'],
    ['IsSemVer', 'A semantic version.'],
    ['IsMimeType', 'A MIME type.'],
    ['IsLocale', 'A locale, such as en-GB.'],
  ])('@%s, which no keyword can say, is said in words: %s', (name, description) => {
    expect(saidBy(name, [])).toMatchObject({ kind: 'string', keywords: { description } });
  });

  it.each(['IsHash', 'toString', 'Allow'])('@%s says nothing that a schema could', (name) => {
    expect(saidBy(name, [])).toBeUndefined();
  });
});
