import { deriveSource } from '../fixtures/temporary-project.js';

/** Programs are made here, on a machine that may have other work. */
const SLOW = 60_000;

const WEATHER = `
import type { ToolContext } from 'adorn';
/**
 * Current weather for a city.
 * @param city City, such as "Rome".
 */
export async function getWeather(city: string, units: 'C' | 'F' = 'C', context: ToolContext): Promise<{ sky: string }> {
  return { sky: city };
}
/** Air of a city. */
export const getAir = async (city: string) => city;
export default (city: string) => city;
export const ALL = [getAir] as const;
`;

const WEATHER_RECORD = {
  description: 'Current weather for a city.',
  parameters: [{ kind: 'argument', name: 'city' }, { kind: 'argument', name: 'units' }, { kind: 'context' }],
  initialized: ['units'],
  parametersJsonSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'City, such as "Rome".' },
      units: { type: 'string', enum: ['C', 'F'], default: 'C' },
    },
    required: ['city'],
    additionalProperties: false,
  },
  responseJsonSchema: {
    type: 'object',
    properties: { sky: { type: 'string' } },
    required: ['sky'],
  },
};

describe('findFunctions', () => {
  it(
    'reads a function that defineTool is given, wherever it is declared and whatever it is imported as',
    () => {
      const { functions, faults } = derived(`
        import { defineTool } from 'adorn';
        import * as adorn from 'adorn';
        import { getWeather as weather } from './weather.js';
        import * as air from './weather.js';
        const held = weather;
        const tools = { weather: held };
        export const one = defineTool(tools.weather, { name: 'sky' });
        export const other = adorn.defineTool(air.getAir);
      `);

      expect(faults).toEqual({});
      expect(functions).toEqual({
        getWeather: WEATHER_RECORD,
        getAir: expect.objectContaining({ description: 'Air of a city.' }) as unknown,
      });
    },
    SLOW,
  );

  it(
    'reads functions among the tools of agents, through constants and lists that are spread',
    () => {
      const { functions } = derived(`
        import { agent, defineAgent } from 'adorn';
        import { ALL, getWeather } from './weather.js';
        function first(): void {}
        const second = function () {};
        const third = function named() {};
        const local = [first, ...ALL];
        const OPTIONS = { tools: local };
        class Service {}
        @agent({ ...OPTIONS, tools: [...local, Service, getWeather] })
        export class Clerk {}
        const tools = [second, process.argv.length > 2 ? third : first];
        export const Other = defineAgent({ name: 'other', tools });
        export const More = defineAgent({ name: 'more', tools: process.argv.length > 2 ? [new Date().getDay] : [] });
      `);

      expect(Object.keys(functions).sort()).toEqual([
        'first',
        'getAir',
        'getDay',
        'getWeather',
        'named',
        'second',
      ]);
      expect(functions['getWeather']).toEqual(WEATHER_RECORD);
    },
    SLOW,
  );

  it(
    'reads functions that only a declaration tells of',
    () => {
      const { functions } = derived(
        `import { defineTool } from 'adorn';
        import { roll, toss } from 'dice';
        export const tools = [defineTool(roll), defineTool(toss)];`,
        {
          'node_modules/dice/package.json': '{ "name": "dice", "types": "index.d.ts" }',
          'node_modules/dice/index.d.ts': `
            /** Roll dice. */
            export declare function roll(sides: number): number;
            /** Toss a coin. */
            export declare const toss: (times?: number) => boolean;`,
        },
      );

      expect(functions).toMatchObject({
        roll: { description: 'Roll dice.', parametersJsonSchema: { required: ['sides'] } },
        toss: {
          description: 'Toss a coin.',
          parametersJsonSchema: { properties: { times: { type: 'number' } } },
        },
      });
    },
    SLOW,
  );

  it(
    'reads the type of the one object that run gets, and finds it by the name of the tool',
    () => {
      const { functions, faults } = derived(`
        import { defineTool, type ToolContext } from 'adorn';
        interface WeatherArgs {
          /** The city to get weather for. */
          city: string;
          units?: 'C' | 'F';
        }
        const NAME = 'get_weather';
        /** Current weather. */
        export const weather = defineTool({ name: NAME, run: (args: WeatherArgs, context: ToolContext) => args.city });
        export const now = defineTool({ name: 'now', run() { return 'now'; } });
        export const route = defineTool({ name: 'route', run: ({ to = 'Oslo' }: { to?: string }) => to });
        class Route { from!: string; length(): number { return 1; } }
        export const way = defineTool({ name: 'way', run: (route: Route) => route.length() });
        export const told = defineTool({ name: 'told', parameters: {}, run: (args) => args });
      `);

      expect(faults).toEqual({});
      expect(functions).toMatchObject({
        get_weather: {
          description: 'Current weather.',
          parameters: [{ kind: 'arguments' }, { kind: 'context' }],
          parametersJsonSchema: {
            type: 'object',
            properties: {
              city: { type: 'string', description: 'The city to get weather for.' },
              units: { type: 'string', enum: ['C', 'F'] },
            },
            required: ['city'],
          },
        },
        now: { parameters: [], parametersJsonSchema: { type: 'object', properties: {} } },
        route: { parametersJsonSchema: { properties: { to: { default: 'Oslo' } } } },
        way: {
          parameters: [{ kind: 'arguments', revive: { kind: 'class', class: 'Route' } }],
          instances: ['Route'],
        },
      });
      expect(functions).not.toHaveProperty('told');
    },
    SLOW,
  );

  it(
    'takes the name of the tool for a function without one, and leaves out one that has neither',
    () => {
      const { functions } = derived(`
        import { agent, defineTool } from 'adorn';
        import getIt from './weather.js';
        export const named = defineTool(/** Roll a die. */ (sides: number) => sides, { name: 'roll' });
        export const nameless = defineTool((sides: number) => sides);
        @agent({ tools: [getIt, (sides: number) => sides] }) export class Clerk {}
      `);

      expect(functions).toEqual({ roll: expect.objectContaining({ description: 'Roll a die.' }) as unknown });
    },
    SLOW,
  );

  it.each([
    [
      'a type that JSON cannot hold',
      'function find(by: Map<string, string>) {} defineTool(find);',
      /^Parameter "by" of find has the type "Map<string, string>" \(.*src\/main\.ts:2\): /,
    ],
    [
      'no type',
      'function find(by) {} defineTool(find);',
      /^Parameter "by" of find has the type "any" .*: it has no type, /,
    ],
    [
      'two functions of one name',
      'const a = { find(id: string) {} }, b = { find(id: string) {} }; defineTool(a.find); defineTool(b.find);',
      /^Two functions are named find \(.*main\.ts:2 and .*main\.ts:2\)\. Rename one of them\.$/,
    ],
    [
      'more than one object for run',
      "defineTool({ name: 'find', run: (args: { id: string }, more: string) => args });",
      /^Parameter "more" of find has the type "string" .*: the function gets all the arguments as one object, /,
    ],
    [
      'a tag that makes its schema invalid',
      'function find(/** @pattern [ */ by: string) {} defineTool(find);',
      /^The schema derived for find \(.*main\.ts:2\) is not valid: /,
    ],
  ])(
    'says what is wrong with %s',
    (_, source, message) => {
      const { faults, functions } = derived(`import { defineTool } from 'adorn';\n${source}`);

      expect(faults['find']?.message).toMatch(message);
      expect(functions).toEqual({});
    },
    SLOW,
  );
});

function derived(
  source: string,
  more: Readonly<Record<string, string>> = {},
): ReturnType<typeof deriveSource> {
  return deriveSource(source, { 'src/weather.ts': WEATHER, ...more });
}
