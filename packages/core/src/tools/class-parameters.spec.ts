import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ArrayMinSize, IsEmail, IsInt, IsPositive, IsString, ValidateNested } from 'class-validator';

import type { ClassReference } from '../metadata/class-metadata.js';
import { DERIVED, type DerivedTool } from '../schema/derived-class.js';
import { writtenRecord } from '../schema/derived-records.js';
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
        'order.lines.0.count must be a positive number',
        'order.lines.1.sku must be a string',
      ],
    });
  });

  it('refuses a property that the class does not name', async () => {
    const order = { email: 'ada@lovelace.uk', lines: [{ sku: 'A', count: 2 }], isAdmin: true };

    await expect((await place()).validate({ order }, context)).rejects.toMatchObject({
      message:
        'Invalid arguments for "place": property order.isAdmin should not exist. Call it again with these mended.',
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

  it('is found among the classes with decorators of class-validator where no compiler emitted it', async () => {
    class Stock {
      @tool
      count(lines: unknown[]): unknown[] {
        return lines;
      }
    }
    derived(Stock, { count: classTool('lines', 'Line') });

    const [count] = await toolsOf(new Stock());

    expect(await count?.run({ lines: [{ sku: 'A', count: 2 }] }, context)).toEqual([new Line('A', 2)]);
  });

  it('is an error where two classes bear the name, since one of them would be the wrong one', async () => {
    class Orders {
      @tool
      place(order: unknown): unknown {
        return order;
      }
    }
    namesake();
    derived(Orders, { place: classTool('order', 'Order') });

    await expect(toolsOf(new Orders())).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'A parameter of Orders.place is of class Order, and no class, or more than one, is known by that name at run ' +
        'time. Import the class without "import type", and run "adorn build" or bundle with @adorn/compiler\'s plugin; ' +
        'or give the class a name of its own and decorators of class-validator.',
    });
  });
});

/** Another class of a name that is taken. */
function namesake(): object {
  class Order {
    @IsString()
    note!: string;
  }
  return Order;
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

derived(Shop, {
  place: classTool('order', 'Order', { Order }),
  count: {
    ...classTool('lines', 'Line', { Line }),
    parameters: [{ kind: 'class', name: 'lines', class: 'Line', array: true }],
  },
  spread: {
    ...classTool('lines', 'Line', { Line }),
    parameters: [{ kind: 'class', name: 'lines', class: 'Line', array: true, rest: true }],
  },
  emitted: classTool('line', 'Line'),
});

const context = {} as ToolContext;

function classTool(name: string, className: string, classes?: DerivedTool['classes']): DerivedTool {
  return {
    parameters: [{ kind: 'class', name, class: className }],
    parametersJsonSchema: { type: 'object', properties: { [name]: {} } },
    ...(classes !== undefined && { classes }),
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
