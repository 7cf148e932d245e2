import type { DerivedTool, Hydration } from '@adorn/core/compiler';

import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { Allow, IsInt, IsString, ValidateNested } from 'class-validator';
import { tool } from 'adorn';

interface Visit { at: Date; note?: string; next?: Visit }
interface Trip { from: Date; to: Date | null; where?: { link: URL }[] }
interface Plain { id: string; next?: Plain }
class Line { @IsString() sku!: string; constructor(readonly count = 1) {} }
class Order {
  @IsString() @Expose({ name: 'order_id' }) id!: string;
  @ValidateNested() @Type(() => Line) lines!: Line[];
  @ValidateNested() first?: Line;
  @Transform(({ value }) => new Date(value)) sent!: Date;
  @Exclude() secret = 'x';
  note?: string;
  private log: string[] = [];
  total(): number { return this.lines.length; }
}
class Rush extends Order { @IsInt() hours!: number }
class Box<Content> { content!: Content; open(): Content { return this.content; } }
class Circle { kind!: 'circle'; r!: number; }
class Square { kind!: 'square'; side!: Date; }
abstract class Data { id!: string }

export class Shop {
  @tool leaves(a: Date, b: URL, c: bigint, d: Buffer, e: Uint8Array, f: Float64Array, g: ArrayBuffer, h: string): void {}
  @tool parts(trip: Trip, days: Record<string, Date>, span: [string, Date, ...URL[]], grid: Date[][], plain: Plain): void {}
  @tool patterned(byKey: { [key: \`at-\${string}\`]: Date }): void {}
  @tool recursive(visit: Visit): void {}
  @tool optional(at?: Date, ...rest: Date[]): void {}
  @tool taken({ at, order }: { at: Date; order?: Order }): void {}
  @tool classes(order: Order, rush: Rush, box: Box<Date>, data: Data): void {}
  @tool inInterface(cart: { line: Line; count: number }): void {}
  @tool choices(a: Date | number, b: Date | string, c: Circle | Square, d: Line | string[], e: 'now' | Date, f: bigint | string): void {}
}
export class Nested { @tool place({ lines }: Order): void {} }
`;

const REFUSED = `
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { tool } from 'adorn';
import { Line as Other } from './line.js';
class Line { sku!: string }
abstract class Shape { abstract area(): number }
class Circle extends Shape { r!: number; area(): number { return 1; } }
class Closed { private constructor() {} size(): number { return 1; } }
class Cat { name!: string } class Dog { name!: string }
class Order { id!: string; total(): number { return 1; } }
class Canvas { @Type(() => Shape, { discriminator: { property: 'kind', subTypes: [] } }) shape!: Shape }
export class Abstract { @tool run(shape: Shape): void {} }
export class Private { @tool run(in_: { closed: Closed }): void {} }
export class Twins { @tool run(a: Line, b: Other): void {} }
export class Doubt { @tool run(pet: Cat | Dog): void {} }
export class Bytes { @tool run(value: Date | Buffer): void {} }
export class Streams { @tool run(value: Uint8Array | ArrayBuffer): void {} }
class Atlas { @ValidateNested() cities?: Record<string, Line> }
export class Maps { @tool run(atlas: Atlas): void {} }
export class Part { @tool run(order: Omit<Order, 'id'>): void {} }
export class Picked { @tool run(order: Pick<Order, 'id'>, partial: Partial<Order>): void {} }
export class ByType { @tool run(canvas: Canvas): void {} }
export class Nameless { @tool run(value: InstanceType<typeof nameless>): void {} }
const nameless = (() => class { size(): number { return 1; } })();
`;

const DATE = { kind: 'date' };
const URL_ = { kind: 'url' };

describe('the plan by which arguments are made', () => {
  const { classes, faults } = deriveSource(SOURCE);
  const toolOf = (method: string, owner = 'Shop'): DerivedTool => {
    const found = classes[owner]?.tools[method];
    if (found === undefined) throw new Error(JSON.stringify(faults));
    return found;
  };
  const plansOf = (method: string): (Hydration | undefined)[] =>
    toolOf(method).parameters.map((parameter) => ('revive' in parameter ? parameter.revive : undefined));

  it('says what a text or number becomes, and is absent where JSON is the value', () => {
    expect(plansOf('leaves')).toEqual([
      DATE,
      URL_,
      { kind: 'bigint' },
      { kind: 'bytes', as: 'Buffer' },
      { kind: 'bytes', as: 'Uint8Array' },
      { kind: 'bytes', as: 'Float64Array' },
      { kind: 'bytes', as: 'ArrayBuffer' },
      undefined,
    ]);
    expect(toolOf('leaves')).not.toHaveProperty('revivals');
    expect(toolOf('leaves')).not.toHaveProperty('instances');
  });

  it('reaches into properties, records, tuples and lists', () => {
    expect(plansOf('parts')).toEqual([
      { kind: 'reference', name: 'Trip' },
      { kind: 'object', others: DATE },
      { kind: 'list', first: [null, DATE], rest: URL_ },
      { kind: 'list', rest: { kind: 'list', rest: DATE } },
      undefined,
    ]);
    expect(toolOf('parts').revivals).toEqual({
      Trip: {
        kind: 'object',
        properties: {
          from: DATE,
          to: DATE,
          where: { kind: 'list', rest: { kind: 'object', properties: { link: URL_ } } },
        },
      },
    });
    expect(plansOf('patterned')).toEqual([
      { kind: 'object', patterns: { [String(Object.keys(patternsOf('patterned'))[0])]: DATE } },
    ]);
  });

  it('refers to itself where the type does', () => {
    const visit = { kind: 'reference', name: 'Visit' };

    expect(toolOf('recursive')).toMatchObject({
      parameters: [{ revive: visit }],
      revivals: { Visit: { kind: 'object', properties: { at: DATE, next: visit } } },
    });
  });

  it('is there for optional and rest parameters, and for one that is taken apart', () => {
    expect(plansOf('optional')).toEqual([DATE, { kind: 'list', rest: DATE }]);
    expect(plansOf('taken')).toEqual([
      { kind: 'object', properties: { at: DATE, order: { kind: 'reference', name: 'Order' } } },
    ]);
    expect(toolOf('place', 'Nested').parameters).toMatchObject([
      { kind: 'arguments', revive: { kind: 'class', class: 'Order' } },
    ]);
  });

  it('names the classes, and leaves to class-transformer what its decorators say', () => {
    expect(plansOf('classes')).toEqual([
      { kind: 'reference', name: 'Order' },
      { kind: 'reference', name: 'Rush' },
      { kind: 'reference', name: 'Box_Date' },
      undefined,
    ]);
    const line = { kind: 'reference', name: 'Line' };
    const order = {
      kind: 'class',
      class: 'Order',
      properties: { lines: { kind: 'list', rest: line }, first: line },
      sentAs: { id: 'order_id' },
      unchecked: ['sent', 'secret', 'note', 'log'],
    };
    expect(toolOf('classes').revivals).toEqual({
      Order: order,
      Rush: { ...order, class: 'Rush', unchecked: ['sent', 'secret', 'note', 'log'] },
      Line: { kind: 'class', class: 'Line', unchecked: ['count'] },
      Box_Date: { kind: 'class', class: 'Box', properties: { content: DATE } },
    });
    expect(toolOf('classes').instances).toEqual(['Order', 'Line', 'Rush', 'Box']);
  });

  it('has the names under which @Expose sends a property, and none of what @Exclude leaves out', () => {
    expect(toolOf('classes').parametersJsonSchema).toMatchObject({
      $defs: { Order: { required: ['order_id', 'lines', 'sent'] } },
    });
    const { properties } = (
      toolOf('classes').parametersJsonSchema['$defs'] as Record<string, Record<string, object>>
    )['Order'] ?? { properties: {} };
    expect(Object.keys(properties ?? {})).toEqual(['order_id', 'lines', 'first', 'sent', 'note']);
  });

  it('makes instances inside objects that are none', () => {
    expect(plansOf('inInterface')).toEqual([
      { kind: 'object', properties: { line: { kind: 'reference', name: 'Line' } } },
    ]);
    expect(toolOf('inInterface').instances).toEqual(['Line']);
  });

  it('tells the members of a union apart by their types, and by their schemas where that is not enough', () => {
    const [dateOrNumber, dateOrText, shapes, lineOrList, literal, digits] = plansOf('choices');

    expect(dateOrNumber).toEqual({
      kind: 'choice',
      branches: [{ types: ['number'] }, { types: ['string'], revive: DATE }],
    });
    expect(dateOrText).toEqual({
      kind: 'choice',
      branches: [
        { types: ['string'], schema: { type: 'string' } },
        { types: ['string'], schema: { type: 'string', format: 'date-time' }, revive: DATE },
      ],
    });
    expect(shapes).toMatchObject({
      branches: [
        { types: ['object'], schema: { $ref: '#/$defs/Circle' }, revive: { name: 'Circle' } },
        { types: ['object'], schema: { $ref: '#/$defs/Square' }, revive: { name: 'Square' } },
      ],
    });
    expect(lineOrList).toEqual({
      kind: 'choice',
      branches: [{ types: ['array'] }, { types: ['object'], revive: { kind: 'reference', name: 'Line' } }],
    });
    expect(literal).toMatchObject({ branches: [{ schema: { const: 'now' } }, { revive: DATE }] });
    expect(digits).toMatchObject({ branches: [{ types: ['string'] }, { types: ['number', 'string'] }] });
  });

  function patternsOf(method: string): object {
    const { properties } = toolOf(method).parametersJsonSchema as {
      properties: Record<string, { patternProperties: object }>;
    };
    return properties['byKey']?.patternProperties ?? {};
  }
});

describe('a promise that cannot be kept', () => {
  const { classes, faults } = deriveSource(REFUSED, { 'src/line.ts': 'export class Line { id!: number }' });

  it.each([
    ['Abstract', 'it is an abstract class with methods, and has no instances.'],
    ['Private', '("in_.closed")'],
    ['Doubt', 'has the type "Cat | Dog"'],
    ['Bytes', 'has the type "Date | Buffer"'],
    ['Streams', 'has the type "Uint8Array | ArrayBuffer"'],
    ['Maps', '("atlas.cities") has the type "Record<string, Line>"'],
    [
      'Maps',
      '@ValidateNested refuses every value of it: class-validator takes the object itself for an instance.',
    ],
    ['Part', 'it comes from a class, and no instance can be made of a part of one.'],
    ['Nameless', 'the class has no name, so nothing can find it.'],
  ])('is refused: %s', (owner, said) => {
    expect(faults[owner]).toMatchObject({
      code: 'TYPE_NOT_REPRESENTABLE',
      message: expect.stringContaining(said) as unknown,
    });
  });

  it('is none where class-transformer keeps it, or where only data is picked', () => {
    expect(Object.keys(classes)).toEqual(['Twins', 'Picked', 'ByType']);
    expect(classes['ByType']?.tools['run']?.instances).toEqual(['Canvas']);
  });

  it('is none where two classes have one name: each is called otherwise', () => {
    expect(classes['Twins']?.tools['run']).toMatchObject({
      parameters: [{ revive: { name: 'Line' } }, { revive: { name: 'Line_2' } }],
      revivals: { Line: { class: 'Line' }, Line_2: { class: 'Line_2', name: 'Line' } },
      instances: ['Line', 'Line_2'],
    });
  });
});
