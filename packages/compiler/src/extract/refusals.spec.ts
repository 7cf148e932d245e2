import { deriveSource } from '../fixtures/temporary-project.js';

const HEAD = `import { tool } from 'adorn';
import { Lost } from './lost.js';
interface Handlers { onDone: () => void }
interface Broken extends Lost { id: string }
interface Keyed { [Symbol.iterator]: string }
interface Endless<T> { next: Endless<T[]> }
class Static { static x = 1 }
class Service { run(): void {} }
class Hidden { private at = 0; now(): number { return this.at; } toString(): string { return ''; } }
interface Doing { run(): void }
interface Proto { '__proto__': string }
`;

/** Each parameter, what the message says of it, and what it says to do. */
const REFUSED: readonly (readonly [parameter: string, reason: string, cure: string])[] = [
  ['callback: () => void', 'it is a function.', 'Write the data'],
  ['handlers: Handlers', '("handlers.onDone")', 'Write the data'],
  ['deep: { list: { at: symbol }[] }', '("deep.list.[].at")', 'Write a string'],
  ['mixed: string | (() => string)', 'it is a function.', 'Write the data'],
  ['map: Map<string, number>', 'JSON has no form for it.', 'Write Record<string, …>'],
  ['set: Set<string>', 'JSON has no form for it.', 'Write an array'],
  ['later: Promise<string>', 'JSON has no form for it.', 'Write the type of the value it brings.'],
  ['pattern: RegExp', 'JSON has no form for it.', 'Write a string'],
  ['error: Error', 'JSON has no form for it.', 'Write a string with its message.'],
  ['never: never', 'no JSON value has it.', 'Take it away'],
  ['nothing: undefined', 'no JSON value has it.', 'Take it away'],
  ['type: typeof Static', 'it is a class itself', 'Write its name'],
  ['keyed: Keyed', 'its name is a symbol', 'Name the property with a string.'],
  ['lost: Lost', 'TypeScript cannot find it.', 'Correct the import'],
  ['inherits: Broken', 'TypeScript cannot find it.', 'Correct the import'],
  ['inside: Omit<Lost, "id">', 'TypeScript cannot find it.', 'Correct the import'],
  ['endless: Endless<string>', '("endless.next.next.next.next.next.next.…")', 'Write a type that ends.'],
  ['contradiction: { kind: "a" } & { kind: "b" }', 'no JSON value has it.', 'Take it away'],
  ['proto: Proto', 'no object keeps a property called __proto__.', 'Give it another name.'],
  ['symbolic: { [key: symbol]: string }', 'JSON has no symbols.', 'Write a string'],
  ['either: string | Uint8Array', 'the base64 of bytes is a text too', 'Write one of them'],
  ['listed: (Buffer | string | null)[]', 'the base64 of bytes is a text too', 'Write one of them'],
  ['bytes: DataView', 'JSON has no form for it.', 'Write Uint8Array for bytes'],
  ['defaulted = null', 'it has no type, and a tool method without types has no schema.', 'Write its type'],
  ['untyped', 'it has no type, and a tool method without types has no schema.', 'Write its type'],
  ['part: { inner }', 'no type is written.', 'Write its type'],
  ['service: Service', 'it is a class with methods and without any data', 'Inject it (@inject)'],
  ['hidden: { clock: Hidden }', '("hidden.clock")', 'Inject it (@inject)'],
  ['interface_: Doing', 'it is a function.', 'Write the data'],
  ['misprinted: { toString(): number }', '("misprinted.toString")', 'Write the data'],
  ['{ a }: { a: string }, more: string', 'so it has no name to send it under.', 'Give it a name'],
];

const SOURCE =
  HEAD +
  REFUSED.map(
    ([parameter], index) => `export class Refused${String(index)} { @tool run(${parameter}): void {} }`,
  ).join('\n') +
  `
export class Generic { @tool run<T>(value: T): void {} }
export class Fine<T extends string> { @tool run(value: T): void {} }
export class Known { @tool run(value: 'none' | Uint8Array, size: number | Uint8Array): void {} }
export class Many { @tool one(a: symbol, b: string, c: () => void): void {} @tool two(d: Set<string>): void {} }
export class BadTag { /** @param n Number. @minimum lots */ @tool run(n: number): void {} }
export class Misfit { /** @param n Number. @minLength 3 */ @tool run(n: number): void {} }
export class BadInside { @tool run(a: { /** @pattern ([ */ b: string }[]): void {} }
export class Flagged { /** @param a Text. @pattern /^a/i */ @tool run(a: string): void {} }
export class Sealed { @tool run(a: { /** @additionalProperties false */ b: Static }): void {} }
export class OnStatic { @tool static run(): void {} }
export class OnPrivate { @tool private run(): void {} }
export class OnProtected { @tool protected run(): void {} }
export class OnGetter { @tool get run(): string { return ''; } }
export class OnProperty { @tool run = () => 1; }
`;

describe('what cannot be a tool', () => {
  const { classes, faults } = deriveSource(SOURCE);

  it.each(REFUSED.map((refused, index) => [...refused, index] as const))(
    '%s is refused: %s',
    (_, reason, cure, index) => {
      const fault = faults[`Refused${String(index)}`];

      expect(fault?.code).toBe('TYPE_NOT_REPRESENTABLE');
      expect(fault?.message).toContain(reason);
      expect(fault?.message).toContain(cure);
    },
  );

  it('is named with its class, method, parameter, type, file and line', () => {
    expect(faults['Refused1']?.message).toMatch(
      /^Parameter "handlers" of Refused1\.run \("handlers\.onDone"\) has the type "\(\) => void" \(.*\/src\/main\.ts:13\): it is a function\. Write Omit<Handlers, 'onDone'> where the method does without it\. Write the data that the function would be called with\.$/,
    );
  });

  it('is no literal beside bytes, and no number', () => {
    expect(faults['Known']).toBeUndefined();
  });

  it('leaves the other classes of the file alone', () => {
    expect(Object.keys(classes)).toEqual(['Fine', 'Known']);
    expect(classes['Fine']?.tools['run']?.parametersJsonSchema).toMatchObject({
      properties: { value: { type: 'string' } },
    });
  });

  it('has a parameter whose type only the caller knows', () => {
    expect(faults['Generic']).toMatchObject({
      code: 'TYPE_NOT_REPRESENTABLE',
      message: expect.stringContaining('the type "T"') as unknown,
    });
  });

  it('is told all at once', () => {
    expect(faults['Many']?.code).toBe('TYPE_NOT_REPRESENTABLE');
    expect(faults['Many']?.message.split('\n')).toEqual([
      expect.stringContaining('Parameter "a" of Many.one has the type "symbol"'),
      expect.stringContaining('Parameter "c" of Many.one has the type "() => void"'),
      expect.stringContaining('Parameter "d" of Many.two has the type "Set<string>"'),
    ]);
  });

  it('has a tag that makes the schema invalid', () => {
    expect(faults['BadTag']).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(
        /^The schema derived for BadTag\.run \(.*main\.ts:\d+\) is not valid: at "n", @minimum says "lots", where a number belongs\. /,
      ) as unknown,
    });
  });

  it.each([
    ['Misfit', 'at "n", @minLength speaks of texts, and the type it stands at is number.'],
    ['BadInside', 'at "a.[].b", @pattern says "([", where a regular expression without flags belongs.'],
    ['Flagged', 'at "a", @pattern says "/^a/i", where a regular expression without flags belongs.'],
    ['Sealed', 'at "a.b", @additionalProperties speaks of an object written in place'],
  ])('%s has a tag that cannot be followed', (name, problem) => {
    expect(faults[name]).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining(problem) as unknown,
    });
  });

  it.each([
    ['OnStatic', 'static'],
    ['OnPrivate', 'private'],
    ['OnProtected', 'protected'],
    ['OnGetter', 'an accessor'],
    ['OnProperty', 'not a method'],
  ])('%s has its @tool on a member that is %s', (name, kind) => {
    expect(faults[name]).toMatchObject({
      code: 'TOOL_MISPLACED',
      message: expect.stringContaining(`@tool decorates ${name}.run, which is ${kind} (`) as unknown,
    });
  });
});
