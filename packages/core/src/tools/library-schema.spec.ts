import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

import {
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  tool,
  type Tool,
  type ToolContext,
} from '../index.js';
import { ToolTable } from './tool-table.js';
import { toolsOfService } from './tools-of-service.js';

describe('a tool with the schema of a library', () => {
  it.each(libraries())('declares its JSON Schema and gets its output: %s', async (_, weather) => {
    const { declaration, result } = await run(weather, { city: 'rome' });

    expect(declaration?.parametersJsonSchema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city'],
    });
    expect(result).toEqual({ given: { city: 'ROME', days: 3 } });
  });

  it.each(libraries())('mends arguments first as every tool does: %s', async (_, weather) => {
    expect((await run(weather, { city: 'rome', days: '5' })).result).toEqual({
      given: { city: 'ROME', days: 5 },
    });
  });

  it.each(libraries())('answers what only the library refuses, and does not run: %s', async (_, weather) => {
    const { result } = await run(weather, { city: 'atlantis' });

    expect(result).toEqual({
      error: expect.stringMatching(
        /^Invalid arguments for "get_weather": city.*\. Correct them and call the tool again\.$/,
      ) as unknown,
    });
  });

  it('waits for a library that takes its time, and asks about what it gave', async () => {
    const seen: unknown[] = [];
    class Orders {
      @tool({
        parameters: z
          .object({ id: z.string(), cents: z.number().default(100) })
          .refine(({ id }) => Promise.resolve(id !== 'A-0'), 'There is no such order'),
        confirm: ({ id, cents }, context) => {
          seen.push(context.functionCallId);
          return `Refund ${String(cents)} for ${id}?`;
        },
      })
      refund({ id }: { id: string; cents: number }, _context: ToolContext): string {
        return id;
      }
    }
    const [refund] = toolsOfService(new Orders(), new Map());

    const refused = await run(refund, { id: 'A-0' });
    const asked = await run(refund, { id: 'A-1' });

    expect(refused.result).toEqual({
      error:
        'Invalid arguments for "refund": the arguments: There is no such order. Correct them and call the tool again.',
    });
    expect(asked.events.flatMap(({ pending }) => pending)).toMatchObject([{ hint: 'Refund 100 for A-1?' }]);
    expect(seen).toHaveLength(1);
  });

  it('gives its function a copy, so that the log stays as it is', async () => {
    const weather = new FunctionTool({
      name: 'get_weather',
      description: 'Weather.',
      parameters: type({ cities: 'string[]' }),
      run: ({ cities }) => cities.push('Oslo'),
    });

    const { events } = await run(weather, { cities: ['Rome'] });

    expect(events[0]?.functionCalls[0]?.args).toEqual({ cities: ['Rome'] });
  });

  it('is an error at start where JSON has no form for a part of it, which names the tool', async () => {
    class Weather {
      @tool({ description: 'Weather.', parameters: z.object({ day: z.date() }) })
      forecast({ day }: { day: Date }): string {
        return day.toISOString();
      }
    }

    await expect(ToolTable.build('clerk', toolsOfService(new Weather(), new Map()))).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'The declaration of tool "forecast" (Weather.forecast) is not valid: zod cannot write it as JSON ' +
        'Schema: Date cannot be represented in JSON Schema. Take what JSON can hold, such as a string, ' +
        'and convert it in a transform. Correct the declaration.',
    });
  });

  it('is an error at start where it does not take an object', async () => {
    const wrong = new FunctionTool({
      name: 'say',
      description: 'Say.',
      parameters: z.string(),
      run: () => 1,
    });

    await expect(ToolTable.build('clerk', [wrong])).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message:
        'The declaration of tool "say" (FunctionTool) is not valid: its schema has the type string: the ' +
        'arguments of a call are an object. Correct the declaration.',
    });
  });

  it('is not known before it is ready', () => {
    const [, weather] = libraries()[0] as [string, Tool];

    expect(weather.description).toBe('Current weather.');
    expect(() => weather.declaration()).toThrow(
      'The schema of tool "get_weather" is not loaded yet; createRunner loads it. Await createRunner, ' +
        'or the ready() method of the tool, before you read its declaration or run it.',
    );
  });
});

/** One tool, in each library: its city is not Atlantis, in capitals; its days are three where nothing is said. */
function libraries(): [name: string, weather: Tool][] {
  const told = { name: 'get_weather', description: 'Current weather.' };
  const isThere = (city: string): boolean => city !== 'atlantis';
  const inCapitals = (city: string): string => city.toUpperCase();
  return [
    [
      'zod',
      new FunctionTool({
        ...told,
        parameters: z.object({
          city: z.string().refine(isThere).transform(inCapitals),
          days: z.number().default(3),
        }),
        run: (given) => ({ given }),
      }),
    ],
    [
      'valibot',
      new FunctionTool({
        ...told,
        parameters: v.object({
          city: v.pipe(v.string(), v.check(isThere), v.transform(inCapitals)),
          days: v.optional(v.number(), 3),
        }),
        run: (given) => ({ given }),
      }),
    ],
    [
      'arktype',
      new FunctionTool({
        ...told,
        parameters: type({ city: type('string').narrow(isThere).pipe(inCapitals), days: 'number = 3' }),
        run: (given) => ({ given }),
      }),
    ],
  ];
}

interface Ran {
  readonly events: readonly Event[];
  readonly declaration: ReturnType<Tool['declaration']>;
  readonly result: unknown;
}

/** One call of a tool by a model, on the whole way. */
async function run(called: Tool | undefined, args: Record<string, unknown>): Promise<Ran> {
  if (called === undefined) throw new Error('there is no such tool');
  const model = new ScriptedModel(callsTool(called.name, args), says('Done.'));
  const runner = await createRunner(defineAgent({ name: 'clerk', model, tools: [called] }));
  const events = await eventsOf(runner.run({ userId: 'ada', message: 'Go.' }));
  const [response] = events.flatMap(({ functionResponses }) => functionResponses);
  return { events, declaration: called.declaration(), result: response?.response };
}
