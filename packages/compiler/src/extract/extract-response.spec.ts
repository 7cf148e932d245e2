import type { DerivedTool } from '@adorn/core/compiler';

import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

interface Receipt { id: string; at: Date }
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
  shout = () => this.currency;
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
  @tool passedOver(): { id: string; run(): void; sign: symbol; text: string | (() => string) } { throw new Error(); }
  @tool instance(): Wallet { return new Wallet(); }
  @tool async nothing(): Promise<void> {}
  @tool anything(): unknown { return 1; }
  @tool map(): Map<string, number> { return new Map(); }
  @tool big(): { id: bigint } { return { id: 1n }; }
  @tool handler(): () => void { return () => undefined; }
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

  it('is left out where there is nothing, anything, or what JSON cannot hold, and is never a fault', () => {
    for (const method of ['nothing', 'anything', 'map', 'big', 'handler'])
      expect(responseOf(method)).toEqual({});
    expect(faults).toEqual({});
  });
});
