import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { NotContains } from 'class-validator';
import { z } from 'zod';

import {
  agent,
  createRunner,
  defineAgent,
  defineTool,
  type Event,
  FunctionTool,
  LlmAgent,
  StaticToolset,
  type Tool,
  type ToolContext,
} from '../index.js';
import { bareTool } from './define-tool.js';

/** The compiler may have to run, on a machine that may have other work. */
const SLOW = 60_000;

describe('defineTool', () => {
  it(
    'makes a tool of a function: its signature, its words and its name',
    async () => {
      const { declaration, result } = await run(defineTool(getWeather), {
        city: 'Rome',
        day: '2026-01-02T00:00:00.000Z',
      });

      expect(declaration).toMatchObject({
        name: 'get_weather',
        description: 'Current weather for a city.',
        parametersJsonSchema: {
          type: 'object',
          properties: {
            city: { type: 'string', description: 'City, such as "Rome".' },
            day: { type: 'string', format: 'date-time' },
            units: { type: 'string', enum: ['C', 'F'], default: 'C' },
          },
          required: ['city', 'day'],
          additionalProperties: false,
        },
        responseJsonSchema: { type: 'object', required: ['sky', 'by'] },
      });
      expect(result).toEqual({ sky: 'Rome, 2026, C', by: 'clerk' });
    },
    SLOW,
  );

  it(
    'takes the options of @tool, and asks its predicate with the arguments of the function',
    async () => {
      const asked: unknown[] = [];
      const weather = defineTool(getWeather, {
        name: 'sky',
        description: 'The sky.',
        confirm: (city, day, units, context) => {
          asked.push(city, day, units, context?.agentName);
          return `Look at ${city}?`;
        },
      });

      const { declaration, events } = await run(weather, { city: 'Rome', day: '2026-01-02T00:00:00.000Z' });

      expect(declaration).toMatchObject({ name: 'sky', description: 'The sky.' });
      expect(events.flatMap(({ pending }) => pending)).toMatchObject([
        { tool: 'sky', hint: 'Look at Rome?' },
      ]);
      expect(asked).toEqual(['Rome', new Date('2026-01-02'), undefined, 'clerk']);
    },
    SLOW,
  );

  it(
    'derives the schema of the one object that run gets',
    async () => {
      const { declaration, result } = await run(typedWeather, { city: 'Rome' });

      expect(declaration).toMatchObject({
        name: 'typed_weather',
        description: 'Weather by a type.',
        parametersJsonSchema: {
          properties: {
            city: { type: 'string', description: 'The city to get weather for.' },
            units: { type: 'string', enum: ['C', 'F'] },
          },
          required: ['city'],
        },
      });
      expect(result).toEqual({ given: { city: 'Rome' }, call: 'c1' });
      expect((await run(typedWeather, { town: 'Rome' })).result).toEqual({
        error:
          'Invalid arguments for "typed_weather": city is required and missing; town is not a parameter. ' +
          'Correct them and call the tool again.',
      });
    },
    SLOW,
  );

  it('takes a schema of a library or JSON Schema in either form, and derives nothing', async () => {
    const parameters = z.object({ city: z.string().toUpperCase() });
    const tools = [
      defineTool({ name: 'one', description: 'One.', parameters, run: ({ city }) => city }),
      defineTool((args: { city: string }) => args.city, { name: 'one', description: 'One.', parameters }),
      defineTool({
        name: 'one',
        description: 'One.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        run: ({ city }) => String(city).toUpperCase(),
      }),
    ];

    for (const tool of tools) {
      const { declaration, result } = await run(tool, { city: 'Rome' });
      expect(declaration).toMatchObject({
        name: 'one',
        description: 'One.',
        parametersJsonSchema: { properties: { city: { type: 'string' } } },
      });
      expect(result).toEqual({ result: 'ROME' });
    }
  });

  it(
    'makes instances of classes that class-validator knows, and has it check them',
    async () => {
      expect((await run(defineTool(orderDie), { die: { colour: 'red' } })).result).toEqual({
        result: 'a red die',
      });
      expect((await run(nameDie, { colour: 'blue' })).result).toEqual({ result: 'a blue die' });
      expect((await run(defineTool(orderDie), { die: { colour: 'RED' } })).result).toEqual({
        error:
          'Invalid arguments for "order_die": die.colour should not contain a RED string. Correct them and call the tool again.',
      });
    },
    SLOW,
  );

  it(
    'is what a toolset may list too',
    async () => {
      const { result } = await run(new StaticToolset([defineTool(roll)]), { sides: 6 }, 'roll');

      expect(result).toEqual({ result: [1, 2, 6] });
    },
    SLOW,
  );

  it('refuses what is no function, and a function that nobody could name', () => {
    const define = (...given: unknown[]): Tool => Reflect.apply(defineTool, undefined, given) as Tool;
    const cure = ' Pass a named function, or an object: defineTool({ name, description, run }).';

    expect(() => define(Die)).toThrow(
      'defineTool was called with the class Die; list a class with @tool methods under the tools of an ' +
        `agent.${cure}`,
    );
    expect(() => define(() => 1)).toThrow(`defineTool was called with a function without a name.${cure}`);
    expect(() => define('roll')).toThrow(`defineTool was called with a value of type string.${cure}`);
    expect(() => define({ name: 'roll' })).toThrow(
      `defineTool was called with a value of type undefined.${cure}`,
    );
    expect(define(() => 1, { name: 'roll', parameters: {} }).name).toBe('roll');
  });

  it('uses what is written into its call, and looks for nothing', async () => {
    const define = defineTool as (given: unknown, options: object | undefined, derived: object) => Tool;
    const derived = {
      name: 'tossCoin',
      description: 'Toss.',
      parameters: [{ kind: 'argument', name: 'times' }],
      parametersJsonSchema: { type: 'object', properties: { times: { type: 'integer' } } },
    };
    const m = (times: number): number => times;

    const { declaration, result } = await run(define(m, { name: 'toss' }, derived), { times: 3 });

    expect(declaration).toMatchObject({ name: 'toss', description: 'Toss.' });
    expect(result).toEqual({ result: 3 });
    expect((await run(define({ name: 'toss', run: m }, undefined, derived), { times: 4 })).result).toEqual({
      result: 4,
    });
  });

  it.each([
    ['another name', (times: number): number => times],
    ['no name', Object.defineProperty((times: number): number => times, 'name', { value: '' })],
  ])('has the name of its source where it was built, and a minifier gave the function %s', (_what, a) => {
    const define = defineTool as (given: unknown, options: object | undefined, derived: object) => Tool;
    const derived = { name: 'tossCoin', parameters: [], parametersJsonSchema: { type: 'object' } };

    expect(define(a, undefined, derived).name).toBe('toss_coin');
    expect(define(a, { name: 'toss' }, derived).name).toBe('toss');
  });
});

describe('a function among the tools of an agent', () => {
  it(
    'is a tool as it is, beside others',
    async () => {
      const model = new ScriptedModel(callsTool('roll', { sides: 6 }), says('Six.'));
      @agent({ description: 'Rolls.', model, tools: [roll, getWeather] })
      class Gambler extends LlmAgent {}
      const runner = await createRunner(Gambler);

      const events = await eventsOf(runner.run({ userId: 'ada', message: 'Roll.' }));

      expect(model.requests[0]?.config.tools).toMatchObject([
        { functionDeclarations: [{ name: 'roll', description: 'Roll a die.' }, { name: 'get_weather' }] },
      ]);
      expect(
        events.filter(({ partial }) => partial).map(({ functionResponses }) => functionResponses),
      ).toHaveLength(2);
      expect(events.flatMap(({ functionResponses }) => functionResponses).at(-1)?.response).toEqual({
        result: [1, 2, 6],
      });
    },
    SLOW,
  );

  it(
    'is one tool where a class and its base both list it',
    async () => {
      const model = new ScriptedModel(says('Done.'));
      @agent({ description: '', model, tools: [roll] })
      class Gambler extends LlmAgent {}
      @agent({ description: '', tools: [roll] })
      class Cheat extends Gambler {}
      const runner = await createRunner(Cheat);

      await runner.ask('Roll.');

      expect(model.requests[0]?.config.tools).toMatchObject([{ functionDeclarations: [{ name: 'roll' }] }]);
    },
    SLOW,
  );

  it.each([
    ['another name', (times: number): number => times],
    ['no name', Object.defineProperty((times: number): number => times, 'name', { value: '' })],
  ])(
    'has what is written into its agent, and the name of its source, where a minifier gave it %s',
    async (_what, a) => {
      const define = defineAgent as (options: object, derived: object) => ReturnType<typeof defineAgent>;
      const model = new ScriptedModel(callsTool('toss', { times: 3 }), says('Done.'));
      const parametersJsonSchema = { type: 'object', properties: { times: { type: 'integer' } } };
      const written = {
        get function() {
          return a;
        },
        name: 'toss',
        description: 'Toss.',
        parameters: [{ kind: 'argument', name: 'times' }],
        parametersJsonSchema,
      };
      const runner = await createRunner(
        define({ name: 'gambler', model, tools: [a] }, { tools: {}, functions: [written] }),
      );

      await runner.ask('Toss.');

      expect(model.requests[0]?.config.tools).toEqual([
        { functionDeclarations: [{ name: 'toss', description: 'Toss.', parametersJsonSchema }] },
      ]);
      expect(bareTool(a).isDerived).toBe(true);
    },
  );
});

describe('a FunctionTool that is longRunning', () => {
  it('pauses the run for a result that comes later', async () => {
    const book = new FunctionTool({
      longRunning: true,
      name: 'book',
      description: 'Book.',
      run: () => ({ ticket: 7 }),
    });

    const { events } = await run(book, {});

    expect(events.flatMap(({ pending }) => pending)).toMatchObject([{ kind: 'result', tool: 'book' }]);
  });
});

/**
 * Current weather for a city.
 * @param city City, such as "Rome".
 */
function getWeather(
  city: string,
  day: Date,
  units: 'C' | 'F' = 'C',
  context?: ToolContext,
): Promise<{ sky: string; by: string }> {
  const sky = `${city}, ${String(day.getUTCFullYear())}, ${units}`;
  return Promise.resolve({ sky, by: context?.agentName ?? '' });
}

interface WeatherArgs {
  /** The city to get weather for. */
  city: string;
  units?: 'C' | 'F';
}

/** Weather by a type. */
const typedWeather = defineTool({
  name: 'typed_weather',
  run: (given: WeatherArgs, context: ToolContext) => ({ given, call: context.functionCallId }),
});

/** Roll a die. */
async function* roll(sides: number): AsyncGenerator<number, number[]> {
  yield 1;
  yield 2;
  return Promise.resolve([1, 2, sides]);
}

class Die {
  @NotContains('RED')
  colour!: string;

  name(): string {
    return `a ${this.colour} die`;
  }
}

function orderDie(die: Die): string {
  return die.name();
}

const nameDie = defineTool({ name: 'name_die', run: (die: Die) => die.name() });

interface Ran {
  readonly events: readonly Event[];
  readonly declaration: unknown;
  readonly result: unknown;
}

/** One call of a tool by a model, on the whole way. */
async function run(
  source: Tool | StaticToolset,
  args: Record<string, unknown>,
  name = 'name' in source ? source.name : '',
): Promise<Ran> {
  const model = new ScriptedModel(callsTool(name, args, 'c1'), says('Done.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [source] }));
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go.' }));
  const response = events.flatMap(({ functionResponses }) => functionResponses).at(-1);
  const [tools] = model.requests[0]?.config.tools ?? [];
  const [declaration] = (tools as { functionDeclarations?: unknown[] }).functionDeclarations ?? [];
  return { events, declaration, result: response?.response };
}
