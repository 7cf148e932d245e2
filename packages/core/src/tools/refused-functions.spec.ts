import { ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, defineTool, type ToolSource } from '../index.js';

/** The compiler has to run: a file with faults is not kept. */
const SLOW = 60_000;

describe('a function that cannot be a tool', () => {
  it(
    'is refused where its schema cannot be derived, with the place',
    async () => {
      await expect(runnerWith(findBy)).rejects.toMatchObject({
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

      await expect(runnerWith(choose('roll'))).rejects.toMatchObject({
        code: 'SCHEMA_MISSING',
        message:
          `There is no schema of the function roll: no tool is certainly made of it in ${__filename}. ` +
          'Write defineTool({ name, run }) there. Run "adorn build" after tsc, or install @adorn/compiler as a dev ' +
          'dependency, or say what a tool takes with @tool({ parameters }) or defineTool({ parameters }).',
      });
    },
    SLOW,
  );

  it(
    'is refused where class-validator does not know the class of its parameter',
    async () => {
      await expect(runnerWith(defineTool(place))).rejects.toMatchObject({
        code: 'SCHEMA_INVALID',
        message:
          'A parameter of the function place is of class Order, and no class of that name has ' +
          "class-validator's decorators, by which it would be found at run time. " +
          'Run "adorn build", which writes down the class, or take an interface.',
      });
    },
    SLOW,
  );
});

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

async function runnerWith(source: ToolSource): Promise<unknown> {
  return createRunner(defineAgent({ name: 'clerk', model: new ScriptedModel(), tools: [source] }));
}
