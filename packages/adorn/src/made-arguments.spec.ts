import 'reflect-metadata';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsPositive, IsString, ValidateBy, ValidateNested } from 'class-validator';

import { agent, createRunner, type JsonSchema, LlmAgent, tool } from './index.js';

/** The compiler derives the tools of this file, in a process of its own. */
const SLOW = 60_000;

/** A decorator of one's own, of which no schema knows. */
const IsLoud = (): PropertyDecorator =>
  ValidateBy({
    name: 'isLoud',
    validator: {
      validate: (text: string) => text === text.toUpperCase(),
      defaultMessage: () => '$property must be loud',
    },
  });

interface Visit {
  at: Date;
  next?: Visit;
}

class Money {
  @IsInt()
  @IsPositive()
  cents!: number;

  text(): string {
    return `${String(this.cents)} ct`;
  }
}

class Line {
  @IsLoud()
  sku!: string;

  @ValidateNested()
  price!: Money;

  @IsDate()
  since!: Date;
}

class Order {
  @IsLoud()
  @Expose({ name: 'order_id' })
  id!: string;

  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @IsOptional()
  @ValidateNested()
  @Type(() => Money)
  tip?: Money;

  @Transform(({ value }) => String(value).toUpperCase())
  @IsString()
  code!: string;

  @Exclude()
  approved = false;

  @IsInt()
  @Expose()
  copies = 2;

  note?: string;

  private readonly log: string[] = [];

  total(): number {
    this.log.push('total');
    return this.lines.reduce((sum, { price }) => sum + price.cents, 0);
  }
}

class Rush extends Order {
  @IsInt()
  hours!: number;
}

class Point {
  x!: number;
  y = 1;

  sum(): number {
    return this.x + this.y;
  }
}

class Circle {
  @IsString()
  kind!: 'circle';
  @IsPositive()
  r!: number;
  area(): string {
    return `pi ${String(this.r ** 2)}`;
  }
}

class Square {
  @IsString()
  kind!: 'square';
  @IsPositive()
  side!: number;
  area(): string {
    return String(this.side ** 2);
  }
}

/** @format date */
type Night = Date;

class Shop {
  @tool
  leaves(at: Date, link: URL, size: bigint, file: Buffer, samples: Float32Array): unknown {
    return [at.getTime(), link.host, String(size * 2n), file.toString(), [...samples]];
  }

  /** @param night @format date @param more @items.format date */
  @tool
  nights(night: Date, stay: { from: Night; to: Night | null }, ...more: Date[]): unknown {
    return [night.getTime(), stay.from.getTime(), stay.to, more[0]?.getTime()];
  }

  @tool
  plan(visit: Visit, days: Record<string, Date>, span: [string, Date], ...more: Date[]): unknown {
    const last = visit.next?.next?.at.getTime();
    return [
      last,
      Object.values(days).map((day) => day.getTime()),
      span[1].getTime(),
      more.length,
      more[0]?.getTime(),
    ];
  }

  @tool
  taken({ at, order, days = 1 }: { at: Date; order?: Order; days?: number }): unknown {
    return [at.getTime(), order?.total(), days];
  }

  @tool
  place(order: Order): unknown {
    return {
      total: order.total(),
      id: order.id,
      code: order.code,
      approved: order.approved,
      copies: order.copies,
      note: order.note,
      since: order.lines.map(({ since }) => since.getTime()),
      tip: order.tip?.text(),
    };
  }

  @tool
  rush(order: Rush): unknown {
    return [order instanceof Rush, order.hours, order.total()];
  }

  @tool
  inside(cart: { lines: Record<string, Line>; at: Date }, point: Point): unknown {
    return [Object.values(cart.lines).map((line) => line.price.text()), cart.at.getTime(), point.sum()];
  }

  @tool
  choose(shape: Circle | Square, when: Date | number, who: Date | string): unknown {
    return [shape.area(), when instanceof Date ? 'date' : when, who];
  }
}

@agent({ description: '', tools: [Shop] })
class Clerk extends LlmAgent {}

const LINE = { sku: 'A', price: { cents: 500 }, since: '2026-07-01T00:00:00Z' };
const JULY = Date.UTC(2026, 6, 1);
const ORDER = { order_id: 'A-17', lines: [LINE, LINE], code: 'abc' };

describe("a tool's arguments", () => {
  it.each<[string, string, Record<string, unknown>, unknown]>([
    [
      'dates, URLs, big integers and bytes',
      'leaves',
      {
        at: '2026-07-01T00:00:00Z',
        link: 'https://a.b/c',
        size: '12345678901234567890',
        file: 'aGk=',
        samples: Buffer.from(new Float32Array([0.5, 2]).buffer).toString('base64'),
      },
      [JULY, 'a.b', '24691357802469135780', 'hi', [0.5, 2]],
    ],
    [
      'dates alone, as midnight in UTC, where a tag says so',
      'nights',
      { night: '2026-07-01', stay: { from: '2026-07-01', to: null }, more: ['2026-07-01'] },
      [JULY, JULY, null, JULY],
    ],
    [
      'dates in recursive objects, records, tuples and rest parameters',
      'plan',
      {
        visit: {
          at: '2026-07-01T00:00:00Z',
          next: { at: '2026-07-02T00:00:00Z', next: { at: '2026-07-01T00:00:00Z' } },
        },
        days: { a: '2026-07-01T00:00:00Z' },
        span: ['x', '2026-07-01T00:00:00Z'],
        more: ['2026-07-01T00:00:00Z'],
      },
      [JULY, [JULY], JULY, 1, JULY],
    ],
    [
      'the properties of a parameter that is taken apart',
      'taken',
      { at: '2026-07-01T00:00:00Z', order: ORDER },
      [JULY, 1000, 1],
    ],
    [
      'instances in instances, renamed, transformed and left out as their decorators say',
      'place',
      { order: { ...ORDER, tip: { cents: 5 }, note: 'soon' } },
      {
        total: 1000,
        id: 'A-17',
        code: 'ABC',
        approved: false,
        copies: 2,
        note: 'soon',
        since: [JULY, JULY],
        tip: '5 ct',
      },
    ],
    ['instances of a subclass', 'rush', { order: { ...ORDER, hours: 3 } }, [true, 3, 1000]],
    [
      'instances inside plain objects, and of a class without decorators',
      'inside',
      { cart: { lines: { a: LINE }, at: '2026-07-01T00:00:00Z' }, point: { x: 2 } },
      [['500 ct'], JULY, 3],
    ],
    [
      'the members of unions',
      'choose',
      { shape: { kind: 'square', side: 3 }, when: '2026-07-01T00:00:00Z', who: '2026-07-01T00:00:00Z' },
      ['9', 'date', '2026-07-01T00:00:00Z'],
    ],
    [
      'the other members of unions',
      'choose',
      { shape: { kind: 'circle', r: 3 }, when: 7, who: 'ada' },
      ['pi 9', 7, 'ada'],
    ],
  ])(
    'are %s',
    async (_what, name, args, result) => {
      const sent = structuredClone(args);

      expect(await answerTo(name, args)).toEqual(Array.isArray(result) ? { result } : result);
      expect(args).toEqual(sent);
    },
    SLOW,
  );

  it.each<[string, string, Record<string, unknown>, readonly string[]]>([
    [
      'a date that there is not, and bytes that are none',
      'leaves',
      {
        at: '2026-06-30T23:59:60Z',
        link: 'https://a.b/c',
        size: 2 ** 60,
        file: 'a$$',
        samples: 'aGk=',
      },
      [
        'at must be a date and time, not "2026-06-30T23:59:60Z"',
        'size must be written as text, because a number of that size loses digits',
        'file must be base64',
        'samples must be base64 of elements of 4 bytes, and has 2 bytes',
      ],
    ],
    [
      'a date alone, or without an offset, where nothing says so',
      'taken',
      { at: '2026-07-01', order: { ...ORDER, lines: [{ ...LINE, since: '2026-07-01T10:00:00' }] } },
      [
        'at must match format "date-time", and is "2026-07-01", for example "2026-11-23T10:00:00Z" or "2026-11-23T10:00:00+01:00"',
        'order.lines[0].since must match format "date-time", and is "2026-07-01T10:00:00", for example "2026-11-23T10:00:00Z" or "2026-11-23T10:00:00+01:00"',
      ],
    ],
    [
      'a date and time, or a day that there is not, where a tag asks for a date alone',
      'nights',
      { night: '2026-07-01T10:00:00Z', stay: { from: '2026-02-30', to: null }, more: [] },
      [
        'night must match format "date", and is "2026-07-01T10:00:00Z", for example "2026-11-23"',
        'stay.from must match format "date", and is "2026-02-30", for example "2026-11-23"',
      ],
    ],
    [
      'what class-validator refuses of instances inside plain objects',
      'inside',
      { cart: { lines: { a: { ...LINE, sku: 'a' } }, at: '2026-07-01T00:00:00Z' }, point: { x: 2 } },
      ['cart.lines.a.sku must be loud'],
    ],
    [
      'what it refuses of instances in instances, each once and under the name that was sent',
      'place',
      { order: { ...ORDER, order_id: 'a-17', lines: [LINE, { ...LINE, sku: 'b' }] } },
      ['order.order_id must be loud', 'order.lines[1].sku must be loud'],
    ],
  ])(
    'are refused with %s',
    async (_what, name, args, problems) => {
      expect(await answerTo(name, args)).toEqual({
        error: `Invalid arguments for "${name}": ${problems.join('; ')}. Correct them and call the tool again.`,
      });
    },
    SLOW,
  );

  it(
    'are offered under the names that @Expose gives, without what @Exclude leaves out',
    async () => {
      const model = new ScriptedModel(says('Done.'));
      const runner = await createRunner(Clerk, { model });
      await runner.ask('Go on.');

      const declarations = model.requests[0]?.config.tools?.flatMap((one) =>
        'functionDeclarations' in one ? (one.functionDeclarations ?? []) : [],
      );
      const place = declarations?.find(({ name }) => name === 'place')?.parametersJsonSchema as JsonSchema;
      expect(Object.keys(propertiesOf(place, 'Order'))).toEqual([
        'order_id',
        'lines',
        'tip',
        'code',
        'copies',
        'note',
      ]);
    },
    SLOW,
  );
});

function propertiesOf(schema: JsonSchema, name: string): object {
  const definitions = schema['$defs'] as Record<string, { properties: object }>;
  return definitions[name]?.properties ?? {};
}

async function answerTo(name: string, args: Record<string, unknown>): Promise<unknown> {
  const model = new ScriptedModel(callsTool(name, args), says('Done.'));
  const runner = await createRunner(Clerk, { model });
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go on.' }));
  return events.flatMap(({ functionResponses }) => functionResponses)[0]?.response;
}
