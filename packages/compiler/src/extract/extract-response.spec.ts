import type { DerivedTool } from '@adorn/core/compiler';

import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

interface Receipt { id: string; at: Date }
interface Night { /** @format date */ from: Date; /** @format email */ to: Date | null; /** @format date */ day: string }
interface Step { $ref: string; next?: Step }

class Money {
  private cents = 1;
  toJSON(): string { return String(this.cents); }
}

class Wallet {
  readonly currency = 'EUR' as const;
  private cents = 1;
  get euros(): number { return this.cents / 100; }
  accessor rate = 1;
  #pin = 1;
  format(): string { return ''; }
}

export class Results {
  @tool async awaited(): Promise<Receipt> { throw new Error(); }
  @tool inferred() { return { total: 1, currency: 'EUR' as const }; }
  @tool written(): { price: Money } { return { price: new Money() }; }
  @tool ordered(): 'z' | 'a' { return 'a'; }
  @tool async *streamed(): AsyncGenerator<number, Receipt> { throw new Error(); }
  @tool async *stepped(): AsyncGenerator<Step, Receipt> { throw new Error(); }
  @tool async *listed(): AsyncIterable<string> { yield 'a'; }
  @tool maybe(): string | undefined { return ''; }
  @tool holes(): (string | undefined)[] { return []; }
  @tool passedOver(): { id: string; run(): void; text: string | (() => string) } { throw new Error(); }
  @tool instance(): Wallet { return new Wallet(); }
  @tool async nothing(): Promise<void> {}
  @tool anything(): unknown { return 1; }
  @tool big(): { id: bigint; one: 1n } { return { id: 1n, one: 1n }; }
  @tool perhaps(): Map<string, number> | string { return ''; }
  @tool optional(): { index?: Map<string, number> } { return {}; }
  @tool nights(): Night[] { return []; }
  @tool failed(): Error { return new Error(); }
}
`;

describe('what a tool gives back', () => {
  const { classes, faults } = deriveSource(SOURCE);
  const responseOf = (method: string): Partial<DerivedTool> => {
    const { responseJsonSchema, yieldJsonSchema } = classes['Results']?.tools[method] ?? {};
    return { ...(responseJsonSchema && { responseJsonSchema }), ...(yieldJsonSchema && { yieldJsonSchema }) };
  };

  const receipt = {
    $ref: '#/$defs/Receipt',
    $defs: {
      Receipt: {
        type: 'object',
        properties: { id: { type: 'string' }, at: { type: 'string', format: 'date-time' } },
        required: ['id', 'at'],
      },
    },
  };

  it('is what its promise brings, or what is inferred', () => {
    expect(responseOf('awaited')).toEqual({ responseJsonSchema: receipt });
    expect(responseOf('inferred')).toEqual({
      responseJsonSchema: {
        type: 'object',
        properties: { total: { type: 'number' }, currency: { type: 'string', const: 'EUR' } },
        required: ['total', 'currency'],
      },
    });
    expect(responseOf('ordered')).toEqual({ responseJsonSchema: { type: 'string', enum: ['z', 'a'] } });
  });

  it('is what toJSON writes', () => {
    expect(responseOf('written')).toMatchObject({
      responseJsonSchema: { properties: { price: { type: 'string' } } },
    });
  });

  it('of a generator is what it yields and what it returns', () => {
    expect(responseOf('streamed')).toEqual({
      yieldJsonSchema: { type: 'number' },
      responseJsonSchema: receipt,
    });
    expect(responseOf('listed')).toEqual({ yieldJsonSchema: { type: 'string' } });
  });

  it('has the definitions that it refers to, to which a property called $ref adds none', () => {
    expect(responseOf('stepped')).toEqual({
      yieldJsonSchema: {
        $ref: '#/$defs/Step',
        $defs: {
          Step: {
            type: 'object',
            properties: { $ref: { type: 'string' }, next: { $ref: '#/$defs/Step' } },
            required: ['$ref'],
          },
        },
      },
      responseJsonSchema: receipt,
    });
  });

  it('is null where a missing value has a place, and has nothing that JSON.stringify passes over', () => {
    expect(responseOf('maybe')).toEqual({ responseJsonSchema: { type: ['string', 'null'] } });
    expect(responseOf('holes')).toEqual({
      responseJsonSchema: { type: 'array', items: { type: ['string', 'null'] } },
    });
    expect(responseOf('passedOver')).toEqual({
      responseJsonSchema: {
        type: 'object',
        properties: { id: { type: 'string' }, text: { type: 'string' } },
        required: ['id'],
      },
    });
  });

  it('of an instance is its own data, with room for what is private', () => {
    expect(responseOf('instance')).toEqual({
      responseJsonSchema: {
        $ref: '#/$defs/Wallet',
        $defs: {
          Wallet: {
            type: 'object',
            properties: { currency: { type: 'string', const: 'EUR' } },
            required: ['currency'],
          },
        },
      },
    });
  });

  it('writes a bigint by its digits, which a parameter of that type reads', () => {
    expect(responseOf('big')).toMatchObject({
      responseJsonSchema: {
        properties: { id: { type: 'string', pattern: '^-?[0-9]+$' }, one: { type: 'string', const: '1' } },
      },
    });
  });

  it('writes a Date with its time, also where a parameter of that type takes a date alone', () => {
    expect(responseOf('nights').responseJsonSchema?.['$defs']).toMatchObject({
      Night: {
        properties: {
          from: { type: 'string', format: 'date-time' },
          to: { type: ['string', 'null'], format: 'date-time' },
          day: { type: 'string', format: 'date' },
        },
      },
    });
  });

  it('is left out where there is nothing, anything, or what may be something that JSON cannot hold', () => {
    for (const method of ['nothing', 'anything', 'perhaps', 'optional', 'failed'])
      expect(responseOf(method)).toEqual({});
    expect(faults).toEqual({});
  });
});

describe('a result that no run could write as JSON', () => {
  it.each([
    [
      'a map',
      'Map<string, number>',
      '',
      'JSON has no form for it. Return a plain object: Object.fromEntries(…).',
    ],
    [
      'a set in a list',
      'ReadonlySet<string>[]',
      ' ("0")',
      'JSON has no form for it. Return an array: [...values].',
    ],
    [
      'a promise of a set',
      'Promise<Set<number>>',
      '',
      'JSON has no form for it. Return an array: [...values].',
    ],
    ['a function', '() => void', '', 'it is a function. Return the data that the function would give.'],
    [
      'a symbol in an object',
      '{ id: string; sign: symbol }',
      ' ("sign")',
      'JSON has no symbols. Return a string.',
    ],
    ['a generator', 'Generator<string>', '', 'it is an iterator. Return an array: [...values].'],
    ['a promise in an object', '{ user: Promise<string> }', ' ("user")', 'it is a promise. Await it.'],
    [
      'maps by name',
      'Record<string, Map<string, 1>>',
      ' ("[key]")',
      'JSON has no form for it. Return a plain',
    ],
    ['what a stream yields', 'AsyncGenerator<Map<string, 1>>', '', 'JSON has no form for it. Return a plain'],
    ['a private map of an instance', 'Index', ' ("byName")', 'JSON has no form for it. Return a plain'],
    ['an arrow function of an instance', 'Handlers', ' ("run")', 'it is a function. Return the data that'],
  ])('is a fault of its tool, as a parameter of such a type is: %s', (_what, type, part, said) => {
    const { faults } = deriveSource(`import { tool } from 'adorn';
class Index { private byName = new Map<string, number>(); }
class Handlers { id = 1; run = () => 1; }
export class Results {
  @tool give(): ${type} { throw new Error(); }
}`);

    expect(faults['Results']?.code).toBe('TYPE_NOT_REPRESENTABLE');

    expect(faults['Results']?.message.startsWith(`The result of Results.give${part} has the type "`)).toBe(
      true,
    );
    expect(faults['Results']?.message).toContain(`): ${said}`);
  });
});
