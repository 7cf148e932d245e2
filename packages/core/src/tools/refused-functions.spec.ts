import { ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, defineTool } from '../index.js';
import type { ToolSource } from '../backend.js';

/** The compiler has to run: a file with faults is not kept. */
const SLOW = 60_000;

describe('a function that cannot be a tool', () => {
  it(
    'is refused where its schema cannot be derived, with the place',
    async () => {
      await expect(createRunner(defineAgent({ ...clerk, tools: [findBy] }))).rejects.toMatchObject({
        code: 'TYPE_NOT_REPRESENTABLE',
        message: expect.stringMatching(
          /^Parameter "by" of findBy has the type "Map<string, string>" \(.*refused-functions\.spec\.ts:\d+\): /,
        ) as unknown,
      });
    },
    SLOW,
  );

  it(
    'is refused where the file makes no tool of what is certainly this function',
    async () => {
      const choose = (which: string): ToolSource => (which === 'roll' ? roll : toss);

      await expect(createRunner(defineAgent({ ...clerk, tools: [choose('roll')] }))).rejects.toMatchObject({
        code: 'SCHEMA_MISSING',
        message: expect.stringMatching(
          /^There is no schema for the function roll: .*refused-functions\.spec\.ts does not certainly make a tool of it\. Write defineTool\({ name, run }\) there\. /,
        ) as unknown,
      });
    },
    SLOW,
  );

  it(
    'is refused where class-validator does not know the class of its parameter',
    async () => {
      await expect(createRunner(defineAgent({ ...clerk, tools: [defineTool(place)] }))).rejects.toMatchObject(
        {
          code: 'SCHEMA_INVALID',
          message:
            'A parameter of place has the class type Order, but the class is unknown at run time: ' +
            'esbuild, tsx and type stripping emit no types. If it is only data, make it an interface. ' +
            'Otherwise decorate a property of it with class-validator, run "adorn build" where the file of the ' +
            'tool imports it without "import type", or compile with tsc and emitDecoratorMetadata.',
        },
      );
    },
    SLOW,
  );
});

const clerk = { name: 'clerk', model: new ScriptedModel() };

function findBy(by: Map<string, string>): number {
  return by.size;
}

function roll(sides: number): number {
  return sides;
}

function toss(): boolean {
  return true;
}

class Order {
  id!: string;
}

function place(order: Order): string {
  return order.id;
}
