import type { DerivedTool } from '@adorn/core/compiler';

import { deriveSource } from '../fixtures/temporary-project.js';

const LIMITS = `
export const LIMITS = { days: 3 } as const;
export const GREETING: string = 'hello';
`;

const SOURCE = `
import { tool, type ToolContext, ReadonlyContext } from 'adorn';
import { GREETING, LIMITS as limits } from './limits.js';

enum Mode { Fast = 'fast' }
interface Options { /** Days ahead. */ days: number; note?: string }
class LiveToolContext extends ReadonlyContext {}

export class Tools {
  static readonly PAGE = 4 * 5;

  /**
   * Refund an order to the card that paid for it.
   * @param id - Order number, such as "W2611340".
   * @param cents Amount in cents. @minimum 1
   */
  @tool() async refund(id: string, cents: number, context: ToolContext): Promise<string> { return id + cents; }

  /** Says hello. */
  @tool({ name: 'greet' }) hello(name?: string, times = 1, word = GREETING, days: number = limits.days, mode = Mode.Fast, size = Tools.PAGE, at = new Date(), list = ['a', -1]): void {}

  @tool rest(first: string, ...others: number[]): void {}

  /**
   * @param from Where it starts.
   * @param options.to Where it ends.
   */
  @tool taken({ from, to = 'home', deep }: { from: string; to: string; /** Own words. */ deep?: Options }, signal: AbortSignal): void {}

  /** @param options Nothing special. */
  @tool named(options: Options): void {}

  @tool injected(context: LiveToolContext, signal: AbortSignal | undefined, query: string, rest?: ToolContext): void {}

  @tool none(): void {}

  /**
   * Book a table.
   * @example
   * {"day": "2026-07-01", "guests": 4}
   * @param day When. @example "2026-07-01"
   */
  @tool book(day: string, guests: number): void {}

  /** Cancel. @example tools.cancel('A-17') */
  @tool cancel(id: string): void {}
}
`;

describe('a tool', () => {
  const derived = deriveSource(SOURCE, { 'src/limits.ts': LIMITS });
  const tool = (method: string): DerivedTool | undefined => derived.classes['Tools']?.tools[method];

  it('has the words of its method, of its parameters, and nothing of what Adorn fills in', () => {
    expect(tool('refund')).toEqual({
      description: 'Refund an order to the card that paid for it.',
      parameters: [
        { kind: 'argument', name: 'id' },
        { kind: 'argument', name: 'cents' },
        { kind: 'context' },
      ],
      parametersJsonSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Order number, such as "W2611340".' },
          cents: { type: 'number', description: 'Amount in cents.', minimum: 1 },
        },
        required: ['id', 'cents'],
        additionalProperties: false,
      },
      responseJsonSchema: { type: 'string' },
    });
  });

  it('has the defaults that are constants, and requires nothing that has a default', () => {
    expect(tool('hello')?.parametersJsonSchema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        times: { type: 'number', default: 1 },
        word: { type: 'string', default: 'hello' },
        days: { type: 'number', default: 3 },
        mode: { type: 'string', const: 'fast', default: 'fast' },
        size: { type: 'number', default: 20 },
        at: { type: 'string', format: 'date-time' },
        list: { type: 'array', items: { type: ['string', 'number'] }, default: ['a', -1] },
      },
      additionalProperties: false,
    });
  });

  it('takes a rest parameter as an array that may be absent', () => {
    expect(tool('rest')).toEqual({
      parameters: [
        { kind: 'argument', name: 'first' },
        { kind: 'argument', name: 'others', rest: true },
      ],
      parametersJsonSchema: {
        type: 'object',
        properties: { first: { type: 'string' }, others: { type: 'array', items: { type: 'number' } } },
        required: ['first'],
        additionalProperties: false,
      },
    });
  });

  it('takes the properties of its only parameter for the arguments, where that is taken apart', () => {
    expect(tool('taken')).toMatchObject({
      parameters: [{ kind: 'arguments' }, { kind: 'signal' }],
      parametersJsonSchema: {
        type: 'object',
        properties: {
          from: { type: 'string', description: 'Where it starts.' },
          to: { type: 'string', description: 'Where it ends.', default: 'home' },
          deep: { $ref: '#/$defs/Options', description: 'Own words.' },
        },
        required: ['from'],
        additionalProperties: false,
      },
    });
  });

  it('keeps an object with a name under its name', () => {
    expect(tool('named')).toMatchObject({
      parameters: [{ kind: 'argument', name: 'options' }],
      parametersJsonSchema: {
        properties: { options: { $ref: '#/$defs/Options', description: 'Nothing special.' } },
      },
    });
  });

  it('finds contexts and signals by type, wherever they stand', () => {
    expect(tool('injected')).toEqual({
      parameters: [
        { kind: 'context' },
        { kind: 'signal' },
        { kind: 'argument', name: 'query' },
        { kind: 'context' },
      ],
      parametersJsonSchema: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
        additionalProperties: false,
      },
    });
  });

  it('says for which arguments the code has a default, known or not', () => {
    expect(tool('hello')?.initialized).toEqual(['times', 'word', 'days', 'mode', 'size', 'at', 'list']);
    expect(tool('taken')?.initialized).toEqual(['to']);
    expect(tool('refund')).not.toHaveProperty('initialized');
  });

  it('has the examples of calls that are written as JSON, and others in its description', () => {
    expect(tool('book')?.parametersJsonSchema).toMatchObject({
      properties: { day: { description: 'When.', examples: ['2026-07-01'] } },
      examples: [{ day: '2026-07-01', guests: 4 }],
    });
    expect(tool('cancel')?.parametersJsonSchema).not.toHaveProperty('examples');
    expect(tool('cancel')?.description).toMatch(/^Cancel\.\n\nExample: tools\.cancel\('A-17'\)/);
  });

  it('without parameters takes an empty object', () => {
    expect(tool('none')).toEqual({
      parameters: [],
      parametersJsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    });
  });
});
