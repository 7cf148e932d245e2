import {
  agent,
  ContainerModule,
  createRunner,
  defineTool,
  FunctionTool,
  inject,
  LlmAgent,
  tool,
  ToolError,
} from 'adorn';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { expect } from 'expect';

import type { Example } from './example.js';
import { LiveCall, turnWith } from './live-call.js';
import { declaredIn, declaredLive } from './model-reads.js';

// example: SimpleTool
const weather = defineTool({
  name: 'get_weather',
  description: 'Get the weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
  run: ({ city }) => ({ city, temperature_c: 22, condition: 'Partly cloudy' }),
});
// end of example

// example: TypedTool
class TypedWeather {
  /**
   * Get the weather of a city.
   * @param city The city that the weather is of.
   * @param units The unit of temperatures, celsius or fahrenheit.
   */
  @tool({ effect: 'read' })
  getWeather(city: string, units = 'celsius') {
    return { temp: 22, city, units };
  }
}
// end of example

// example: #[tool]
/**
 * Get the weather of a city.
 *
 * @param city The name of the city.
 * @param units The unit of the temperature.
 */
async function getWeather(city: string, units?: string) {
  return Promise.resolve({ city, temp_c: 22, units: units ?? 'metric' });
}

@agent({ tools: [getWeather] })
class WeatherDesk extends LlmAgent {}
// end of example

/** The connections to the database of accounts. */
abstract class Pool {
  abstract balanceOf(account: string): Promise<number | undefined>;
}

// example: ToolFunction with a pool
class DatabaseLookup {
  constructor(@inject(Pool) private readonly pool: Pool) {}

  /**
   * Look up an account by its id.
   *
   * @param account_id The number of the account.
   */
  @tool({ effect: 'read' })
  async lookupAccount(account_id: string) {
    const balance = await this.pool.balanceOf(account_id);
    if (balance === undefined) throw new ToolError(`There is no account ${account_id}.`);
    return { account_id, balance };
  }
}
// end of example

const now = new FunctionTool({ name: 'now', description: 'Tell the time', run: () => '12:00' });

@agent({ name: 'desk', tools: [weather, now] })
class SimpleDesk extends LlmAgent {}

@agent({ name: 'desk', tools: [TypedWeather] })
class TypedDesk extends LlmAgent {}

@agent({ name: 'desk', tools: [DatabaseLookup] })
class AccountDesk extends LlmAgent {}

export const simpleTool: Example = {
  name: 'SimpleTool',
  there: 17,
  hasImports: true,
  async play(promise) {
    await using call = await LiveCall.with(
      SimpleDesk,
      turnWith(['get_weather', 'w1', { city: 'Oslo' }], ['now', 'n1']),
    );
    await call.talk();

    promise(
      'the tool is declared with the schema that was written by hand, one without it without parameters',
      () => {
        expect(declaredLive(call.model)).toMatchObject([
          {
            name: 'get_weather',
            description: 'Get the weather of a city',
            parametersJsonSchema: {
              properties: { city: { type: 'string', description: 'Name of the city' } },
              required: ['city'],
            },
          },
          { name: 'now', description: 'Tell the time' },
        ]);
        expect(declaredLive(call.model)[1]?.parametersJsonSchema?.['properties'] ?? {}).toEqual({});
      },
    );
    promise('a call is answered by its id with what the function returns', () => {
      expect(call.told).toEqual({
        w1: [{ city: 'Oslo', temperature_c: 22, condition: 'Partly cloudy' }],
        n1: [{ result: '12:00' }],
      });
    });
  },
};

export const typedTool: Example = {
  name: 'TypedTool',
  there: 15,
  hasImports: true,
  async play(promise) {
    await using call = await LiveCall.with(
      TypedDesk,
      turnWith(
        ['get_weather', 'w1', { city: 'Oslo', units: 'fahrenheit' }],
        ['get_weather', 'w2', { city: 'Oslo' }],
        ['get_weather', 'w3', { units: 'celsius' }],
      ),
    );
    await call.talk();

    promise(
      'the schema is that of the types, with the doc comments; what has a default is not required',
      () => {
        expect(declaredLive(call.model)).toMatchObject([
          {
            description: 'Get the weather of a city.',
            parametersJsonSchema: {
              properties: {
                city: { type: 'string', description: 'The city that the weather is of.' },
                units: { type: 'string', description: 'The unit of temperatures, celsius or fahrenheit.' },
              },
              required: ['city'],
            },
          },
        ]);
      },
    );
    promise('arguments arrive typed, and a missing one as its default', () => {
      expect(call.told).toMatchObject({
        w1: [{ temp: 22, city: 'Oslo', units: 'fahrenheit' }],
        w2: [{ temp: 22, city: 'Oslo', units: 'celsius' }],
      });
    });
    promise('invalid arguments are an error that names the argument, and the tool does not run', () => {
      expect(call.told['w3']).toEqual([{ error: expect.stringContaining('city is required') as unknown }]);
    });
  },
};

export const toolMacro: Example = {
  name: '#[tool]',
  there: 8,
  hasImports: true,
  async play(promise) {
    await using call = await LiveCall.with(
      WeatherDesk,
      turnWith(['get_weather', 'w1', { city: 'Oslo' }], ['get_weather', 'w2', { city: 'Oslo', units: 'K' }]),
    );
    await call.talk();

    promise(
      'the tool has the name of the function, its doc comment, and one argument for each parameter',
      () => {
        expect(declaredLive(call.model)).toMatchObject([
          {
            name: 'get_weather',
            description: 'Get the weather of a city.',
            parametersJsonSchema: {
              properties: { city: { type: 'string' }, units: { type: 'string' } },
              required: ['city'],
            },
          },
        ]);
      },
    );
    promise('an optional parameter may be left out', () => {
      expect(call.told).toEqual({
        w1: [{ city: 'Oslo', temp_c: 22, units: 'metric' }],
        w2: [{ city: 'Oslo', temp_c: 22, units: 'K' }],
      });
    });

    const model = new ScriptedModel(callsTool('get_weather', { city: 'Oslo' }), says('22 degrees.'));
    await using runner = await createRunner(WeatherDesk, { model });
    await runner.ask('The weather?', { userId: 'ada' });
    promise('a text model is declared the same', () => {
      expect(declaredIn(model)).toEqual(declaredLive(call.model));
    });
  },
};

export const toolFunction: Example = {
  name: 'ToolFunction with a pool',
  there: 20,
  hasImports: true,
  async play(promise) {
    const asked: string[] = [];
    const balanceOf = (account: string): Promise<number | undefined> => {
      asked.push(account);
      return Promise.resolve(account === 'A-1' ? 4250 : undefined);
    };
    const modules = [new ContainerModule(({ bind }) => void bind(Pool).toConstantValue({ balanceOf }))];
    await using call = await LiveCall.with(
      AccountDesk,
      turnWith(
        ['lookup_account', 'a1', { account_id: 'A-1' }],
        ['lookup_account', 'a2', { account_id: 'A-2' }],
        ['lookup_account', 'a3'],
      ),
      { modules },
    );
    await call.talk();

    promise('the pool is injected, and the model does not see it', () => {
      expect(declaredLive(call.model)).toMatchObject([
        {
          name: 'lookup_account',
          description: 'Look up an account by its id.',
          parametersJsonSchema: { required: ['account_id'] },
        },
      ]);
      expect(asked).toEqual(['A-1', 'A-2']);
    });
    promise('results and errors of the tool are read by the model, and a missing argument is one', () => {
      expect(call.told).toEqual({
        a1: [{ account_id: 'A-1', balance: 4250 }],
        a2: [{ error: 'There is no account A-2.' }],
        a3: [{ error: expect.stringContaining('account_id') as unknown }],
      });
    });
  },
};
