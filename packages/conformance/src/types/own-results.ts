import type { TypeCase } from './type-case.js';

/** A type, and values of it as a method returns them: of the platform, of classes, absent. */
export interface OwnResult {
  readonly type: string;
  readonly values: readonly unknown[];
}

const DECLARATIONS = `
interface Person { name: string; born?: Date }
type Alias = Person;
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Shape = { kind: 'circle'; r: number } | { kind: 'square'; side: number };
interface Tree { value: number; kids: Tree[] }
class Money { constructor(readonly cents: bigint) {} private note = 'secret'; }
class Price { cents = 1; toJSON(): string { return String(this.cents); } }
`;

class Money {
  protected readonly note = 'secret';
  constructor(readonly cents: bigint) {}
}

class Price {
  cents = 1;
  toJSON(): string {
    return String(this.cents);
  }
}

const ADA = { name: 'Ada' };
const BORN = { name: 'Ada', born: new Date(0) };

/** What the inputs of schema generators have not: they speak of values as JSON has them. */
export const OWN_RESULTS: readonly OwnResult[] = [
  { type: 'Person', values: [ADA, BORN, { ...ADA, born: undefined }] },
  { type: 'Alias', values: [ADA, BORN] },
  { type: 'Person | null', values: [ADA, null] },
  { type: 'Person | undefined', values: [ADA, undefined] },
  { type: 'Person | string', values: [ADA, 'Ada'] },
  { type: 'Person | Shape', values: [ADA, { kind: 'square', side: 2 }] },
  { type: 'Person[]', values: [[], [ADA, BORN]] },
  { type: 'Promise<Person | Person[]>', values: [ADA, [ADA]] },
  { type: 'Partial<Person>', values: [{}, BORN] },
  { type: 'Readonly<Person> & { id: string }', values: [{ ...ADA, id: 'a' }] },
  { type: 'Record<string, Person>', values: [{}, { ada: ADA }] },
  { type: 'Shape', values: [{ kind: 'circle', r: 1 }] },
  { type: 'Shape | null', values: [{ kind: 'circle', r: 1 }, null] },
  { type: 'Json', values: ['a', 1, true, null, ['a'], { a: [{}] }, {}] },
  { type: 'Tree', values: [{ value: 1, kids: [{ value: 2, kids: [] }] }] },
  { type: 'Tree | null', values: [{ value: 1, kids: [] }, null] },
  { type: 'bigint', values: [0n, -1n, 2n ** 64n] },
  { type: 'bigint | null', values: [1n, null] },
  { type: '{ id: bigint; one: 1n }', values: [{ id: 2n ** 70n, one: 1n }] },
  { type: 'Date', values: [new Date(0)] },
  { type: 'Date | undefined', values: [new Date(0), undefined] },
  { type: 'Money', values: [new Money(5n)] },
  { type: 'Price', values: [new Price()] },
  { type: 'Price | Money', values: [new Price(), new Money(5n)] },
  { type: 'object', values: [{}, { a: 1 }] },
  { type: '[string, Date?]', values: [['a'], ['a', new Date(0)]] },
  { type: "'a' | 'b' | undefined", values: ['a', undefined] },
  { type: 'number | undefined', values: [1, undefined] },
  { type: 'string | void', values: ['a', undefined] },
  { type: 'unknown', values: ['a', {}, null] },
];

/** A case for each of them. */
export function ownCases(): TypeCase[] {
  return OWN_RESULTS.map(({ type }) => ({
    corpus: 'adorn',
    folder: type,
    name: type,
    isObject: false,
    expected: {},
    sources: { 'main.ts': DECLARATIONS },
    roots: [{ file: 'main.ts', type }],
  }));
}
