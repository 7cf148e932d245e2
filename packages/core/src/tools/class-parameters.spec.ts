import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  ArrayUnique,
  Contains,
  Equals,
  IsEmail,
  IsInt,
  IsPositive,
  IsString,
  MinDate,
  ValidateNested,
} from 'class-validator';

import { type ClassReference, DERIVED, type DerivedTool, type Hydration, writtenRecord } from '@adorn/schema';
import type { MethodTool } from './method.tool.js';
import { tool } from './tool.decorator.js';
import type { ToolContext } from './tool-context.js';
import { toolsOfService } from './tools-of-service.js';

describe('a parameter that is a class', () => {
  it('gets an instance, with instances in it', async () => {
    const order = await (
      await place()
    ).run({ order: { email: 'ada@lovelace.uk', lines: [{ sku: 'A', count: 2 }] } }, context);

    expect(order).toBeInstanceOf(Order);
    expect(order).toMatchObject({ email: 'ada@lovelace.uk', lines: [new Line('A', 2)] });
    expect((order as Order).total()).toBe(2);
  });

  it('refuses what class-validator refuses, naming every place', async () => {
    const order = {
      email: 'ada',
      lines: [
        { sku: 'A', count: 0 },
        { sku: 7, count: 1 },
      ],
    };

    await expect((await place()).validate({ order }, context)).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS_INVALID',
      problems: [
        'order.email must be an email',
        'order.lines[0].count must be a positive number',
        'order.lines[1].sku must be a string',
      ],
    });
  });

  it('refuses a property that the class does not name', async () => {
    const order = { email: 'ada@lovelace.uk', lines: [{ sku: 'A', count: 2 }], isAdmin: true };

    await expect((await place()).validate({ order }, context)).rejects.toMatchObject({
      message:
        'Invalid arguments for "place": property order.isAdmin should not exist. Correct them and call the tool again.',
    });
  });

  it('passes on the words of class-validator whole, with the path of the property', async () => {
    class Orders {
      @tool
      place(words: Words): Words {
        return words;
      }
    }
    derived(Orders, { place: classTool('words', { kind: 'class', class: 'Words' }, { Words }) });
    const [found] = await toolsOf(new Orders());

    await expect(
      found?.validate({ words: { n: 1, min: new Date(0), a: ['x', 'x'], value: [1], email: '' } }, context),
    ).rejects.toMatchObject({
      problems: [
        'words.n: must be even',
        'minimal allowed date for words.min is Thu, 01 Jan 1970 00:00:01 GMT',
        "All words.a's elements must be unique",
        'each value in words.value must be a string',
        'words.email: a mail address is text with an @',
      ],
    });
  });

  it('gets a list of instances, and names the one that is wrong', async () => {
    const lines = await toolNamed('count');

    expect(
      await lines.run(
        {
          lines: [
            { sku: 'A', count: 2 },
            { sku: 'B', count: 3 },
          ],
        },
        context,
      ),
    ).toEqual([new Line('A', 2), new Line('B', 3)]);
    await expect(
      lines.validate(
        {
          lines: [
            { sku: 'A', count: 2 },
            { sku: 'B', count: 1.5 },
          ],
        },
        context,
      ),
    ).rejects.toMatchObject({
      problems: ['lines[1].count must be an integer number'],
    });
  });

  it('spreads a rest parameter of instances', async () => {
    const spread = await toolNamed('spread');

    expect(await spread.run({ lines: [{ sku: 'A', count: 2 }] }, context)).toEqual({
      lines: [new Line('A', 2)],
    });
  });

  it('leaves an absent optional one undefined', async () => {
    expect(await (await toolNamed('place')).run({}, context)).toBeUndefined();
  });

  it('is found by what the compiler emitted where the record names no class', async () => {
    expect(await (await toolNamed('emitted')).run({ line: { sku: 'A', count: 2 } }, context)).toEqual(
      new Line('A', 2),
    );
  });

  it('is an error where the class is not there at run time', async () => {
    class Orders {
      @tool
      place(order: unknown): unknown {
        return order;
      }
    }
    derived(Orders, { place: classTool('order', { kind: 'class', class: 'Parcel' }) });

    await expect(toolsOf(new Orders())).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'A parameter of Orders.place has the class type Parcel, but the class is unknown at run time: ' +
        'esbuild, tsx and type stripping emit no types. If it is only data, make it an interface. ' +
        'Otherwise decorate a property of it with class-validator, run "adorn build" where the file of the ' +
        'tool imports it without "import type", or compile with tsc and emitDecoratorMetadata.',
    });
  });

  it('is the one of its name that class-validator knows, where nothing else says which', async () => {
    class Orders {
      @tool
      place(order: unknown): unknown {
        return order;
      }
    }
    derived(Orders, { place: classTool('order', { kind: 'class', class: 'Known' }) });

    const [found] = await toolsOf(new Orders());

    expect(await found?.run({ order: { id: 'A' } }, context)).toBeInstanceOf(Known);
  });

  it('is an error where class-validator knows several of its name', async () => {
    class Orders {
      @tool
      place(order: unknown): unknown {
        return order;
      }
    }
    derived(Orders, { place: classTool('order', { kind: 'class', class: 'Twin' }) });
    expect(anotherTwin()).not.toBe(anotherTwin());

    await expect(toolsOf(new Orders())).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'A parameter of Orders.place has the class type Twin, but there are 2 classes with that name. ' +
        'Rename one, or let the build record the class: import it without "import type" in the file of ' +
        'the tool and run "adorn build", or compile with tsc and emitDecoratorMetadata.',
    });
  });

  it('does not change what was sent, though class-transformer takes out what tells subclasses apart', async () => {
    class Gallery {
      @tool
      hang(picture: Picture): unknown {
        return { area: picture.shape.area() };
      }
    }
    derived(Gallery, { hang: classTool('picture', { kind: 'class', class: 'Picture' }, { Picture }) });
    const args = { picture: { shape: { form: 'disc', r: 2 } } };

    const [found] = await toolsOf(new Gallery());

    expect(await found?.run(args, context)).toEqual({ area: 4 });
    expect(args).toEqual({ picture: { shape: { form: 'disc', r: 2 } } });
  });

  it('is found by what was emitted beside a property of a class that is known', async () => {
    class Orders {
      @tool
      place(order: unknown): unknown {
        return order;
      }
    }
    const inner: Hydration = { kind: 'class', class: 'Stamp' };
    derived(Orders, {
      place: {
        ...classTool('order', { kind: 'class', class: 'Letter', properties: { stamp: inner } }, { Letter }),
        instances: ['Letter', 'Stamp'],
      },
    });

    const [found] = await toolsOf(new Orders());
    const letter = (await found?.run({ order: { stamp: { cents: 85 } } }, context)) as Letter;

    expect(letter.stamp).toBeInstanceOf(Stamp);
  });
});

abstract class Shape {
  abstract area(): number;
}

class Disc extends Shape {
  r!: number;

  area(): number {
    return this.r ** 2;
  }
}

class Picture {
  @Type(() => Shape, { discriminator: { property: 'form', subTypes: [{ name: 'disc', value: Disc }] } })
  shape!: Shape;
}

class Words {
  @Equals(2, { message: 'must be even' })
  n!: number;

  @MinDate(new Date(1000), { message: 'minimal allowed date for $property is Thu, 01 Jan 1970 00:00:01 GMT' })
  min!: Date;

  @ArrayUnique()
  a!: string[];

  @IsString({ each: true })
  value!: string[];

  @Contains('@', { message: 'a mail address is text with an @' })
  email!: string;
}

class Known {
  @IsString()
  id!: string;
}

function anotherTwin(): ClassReference {
  class Twin {
    @IsString()
    id!: string;
  }
  return Twin;
}

class Stamp {
  cents!: number;
}

class Letter {
  @ValidateNested()
  stamp!: Stamp;
}

class Line {
  @IsString()
  sku: string;

  @IsInt()
  @IsPositive()
  count: number;

  constructor(sku: string, count: number) {
    this.sku = sku;
    this.count = count;
  }
}

class Order {
  @IsEmail()
  email!: string;

  @ValidateNested({ each: true })
  @Type(() => Line)
  @ArrayMinSize(1)
  lines!: Line[];

  total(): number {
    return this.lines.reduce((sum, { count }) => sum + count, 0);
  }
}

class Shop {
  @tool
  place(order?: Order): Order | undefined {
    return order;
  }

  @tool
  count(lines: Line[]): Line[] {
    return lines;
  }

  @tool
  spread(...lines: Line[]): { lines: Line[] } {
    return { lines };
  }

  @tool
  emitted(line: Line): Line {
    return line;
  }
}

const LINE: Hydration = { kind: 'class', class: 'Line' };

derived(Shop, {
  place: classTool('order', { kind: 'class', class: 'Order' }, { Order }),
  count: classTool('lines', { kind: 'list', rest: LINE }, { Line }),
  spread: {
    ...classTool('lines', { kind: 'list', rest: LINE }, { Line }),
    parameters: [{ kind: 'argument', name: 'lines', rest: true, revive: { kind: 'list', rest: LINE } }],
  },
  emitted: classTool('line', LINE),
});

const context = {} as ToolContext;

function classTool(name: string, revive: Hydration, classes: DerivedTool['classes'] = {}): DerivedTool {
  return {
    parameters: [{ kind: 'argument', name, revive }],
    instances: revive.kind === 'class' ? [revive.class] : ['Line'],
    parametersJsonSchema: { type: 'object', properties: { [name]: {} } },
    classes,
  };
}

function derived(target: object, tools: Record<string, DerivedTool>): void {
  Object.defineProperty(target, DERIVED, { value: { tools } });
}

function place() {
  return toolNamed('place');
}

async function toolNamed(name: string) {
  const found = (await toolsOf(new Shop())).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

async function toolsOf(service: object): Promise<readonly MethodTool[]> {
  const target = service.constructor as ClassReference;
  return toolsOfService(service, new Map([[target, writtenRecord(target) ?? { tools: {} }]]));
}
