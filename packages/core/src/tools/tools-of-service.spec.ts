import {
  baseOf,
  type ClassReference,
  DERIVED,
  type DerivedClass,
  type DerivedTool,
  writtenRecord,
} from '@adorn/schema';
import type { MethodTool } from './method.tool.js';
import { param, tool } from './tool.decorator.js';
import type { ToolContext } from './tool-context.js';
import { hasTools, methodsToDerive, toolsOfService } from './tools-of-service.js';

describe('toolsOfService', () => {
  it('offers a method in snake_case with the words and the schema of its record', async () => {
    class Weather {
      @tool
      getHTTPForecast(city: string): string {
        return `sun over ${city}`;
      }
    }
    derived(Weather, { getHTTPForecast: { ...oneString('city'), description: 'Forecast of a city.' } });

    const [forecast] = await toolsOf(new Weather());

    expect(forecast?.declaration()).toEqual({
      name: 'get_http_forecast',
      description: 'Forecast of a city.',
      parametersJsonSchema: oneString('city').parametersJsonSchema,
    });
    expect(await forecast?.run({ city: 'Oslo' }, context)).toBe('sun over Oslo');
    expect(forecast?.origin).toBe('Weather.getHTTPForecast');
  });

  it('lets the name and the description of @tool beat those of the method', async () => {
    class Weather {
      @tool({ name: 'sky', description: 'What the sky is like.' })
      forecast(city: string): string {
        return city;
      }
    }
    derived(Weather, { forecast: { ...oneString('city'), description: 'Forecast of a city.' } });

    const [forecast] = await toolsOf(new Weather());

    expect(forecast).toMatchObject({ name: 'sky', description: 'What the sky is like.' });
  });

  it('calls a method with a schema of its own with the arguments as one object, and the context', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    class Weather {
      @tool({ parameters, description: 'Forecast.' })
      forecast(...given: readonly unknown[]): readonly unknown[] {
        return given;
      }
    }

    const [forecast] = toolsOfService(new Weather(), new Map());

    expect(forecast?.declaration()).toEqual({
      name: 'forecast',
      description: 'Forecast.',
      parametersJsonSchema: parameters,
    });
    expect(await forecast?.run({ city: 'Oslo' }, context)).toEqual([{ city: 'Oslo' }, context]);
  });

  it('calls the override of a subclass, and tells of it in the words of the base where it has none', async () => {
    class Weather {
      @tool({ timeout: 5 })
      forecast(city: string): string {
        return `sun over ${city}`;
      }
    }
    class Gloomy extends Weather {
      override forecast(town: string): string {
        return `rain over ${town}`;
      }
    }
    derived(Weather, { forecast: { ...oneString('city'), description: 'Forecast of a city.' } });
    derived(Gloomy, { forecast: oneString('town') });

    const [forecast] = await toolsOf(new Gloomy());

    expect(forecast?.declaration()).toEqual({
      name: 'forecast',
      description: 'Forecast of a city.',
      parametersJsonSchema: oneString('town').parametersJsonSchema,
    });
    expect(forecast?.traits.timeout).toBe(5);
    expect(await forecast?.run({ town: 'Oslo' }, context)).toBe('rain over Oslo');
  });

  it('tells of an override in its own words where it has some', async () => {
    class Weather {
      @tool
      forecast(city: string): string {
        return city;
      }
    }
    class Gloomy extends Weather {
      override forecast(city: string): string {
        return city;
      }
    }
    derived(Weather, { forecast: { ...oneString('city'), description: 'Forecast of a city.' } });
    derived(Gloomy, { forecast: { ...oneString('city'), description: 'Forecast of rain.' } });

    expect(await toolsOf(new Gloomy())).toMatchObject([{ description: 'Forecast of rain.' }]);
  });

  it('asks for the sources of the method and of those it overrides, and of no class that has only a schema by hand', () => {
    class Weather {
      @tool
      forecast(city: string): string {
        return city;
      }

      @tool({ parameters: { type: 'object' } })
      warnings(): string[] {
        return [];
      }
    }
    class Gloomy extends Weather {
      override forecast(city: string): string {
        return city;
      }
    }
    class Untouched extends Weather {}
    class ByHand {
      @tool({ parameters: { type: 'object' } })
      warnings(): string[] {
        return [];
      }
    }

    expect(methodsToDerive(Gloomy)).toEqual([
      [Gloomy, 'forecast'],
      [Weather, 'forecast'],
    ]);
    expect(methodsToDerive(Untouched)).toEqual([[Weather, 'forecast']]);
    expect(methodsToDerive(ByHand)).toEqual([]);
    expect([ByHand, Untouched, Date].map(hasTools)).toEqual([true, true, false]);
  });

  it('says what to do where the record was written before the method was', async () => {
    class Weather {
      @tool
      forecast(city: string): string {
        return city;
      }
    }
    derived(Weather, {});

    await expect(toolsOf(new Weather())).rejects.toMatchObject({
      code: 'SCHEMA_STALE',
      message:
        'The record of Weather has no schema for the tool method forecast: it is older than the method. ' +
        'Compile and run "adorn build" again, or add @tool to the overriding method too.',
    });
  });
});

describe('@param', () => {
  it('describes a parameter by a text, and leaves the others as they are', async () => {
    class Orders {
      @tool
      refund(@param('Order number, such as "A-17".') id: string, cents: number): string {
        return `${id} ${String(cents)}`;
      }
    }
    derived(Orders, { refund: idAndCents });

    const [refund] = await toolsOf(new Orders());

    expect(refund?.declaration().parametersJsonSchema).toEqual({
      ...idAndCents.parametersJsonSchema,
      properties: {
        id: { type: 'string', description: 'Order number, such as "A-17".' },
        cents: { type: 'number' },
      },
    });
  });

  it('renames a parameter and replaces its schema, and the method still gets its value', async () => {
    class Orders {
      @tool
      refund(
        @param({ name: 'order_id', schema: { type: 'string', pattern: '^A-' } }) id: string,
        @param({ name: 'amount', description: 'In cents.' }) cents: number,
      ): string {
        return `${id} ${String(cents)}`;
      }
    }
    derived(Orders, { refund: idAndCents });

    const [refund] = await toolsOf(new Orders());

    expect(refund?.declaration().parametersJsonSchema).toEqual({
      type: 'object',
      properties: {
        order_id: { type: 'string', pattern: '^A-' },
        amount: { type: 'number', description: 'In cents.' },
      },
      required: ['order_id', 'amount'],
      additionalProperties: false,
    });
    expect(await refund?.run({ order_id: 'A-17', amount: 500 }, context)).toBe('A-17 500');
  });

  it('is kept by an override, and said anew by one that says it', async () => {
    class Orders {
      @tool
      refund(@param('Of the order.') id: string, cents: number): string {
        return `${id} ${String(cents)}`;
      }
    }
    class Silent extends Orders {
      override refund(id: string, cents: number): string {
        return `silent ${id} ${String(cents)}`;
      }
    }
    class Anew extends Orders {
      override refund(@param('Anew.') id: string, cents: number): string {
        return `anew ${id} ${String(cents)}`;
      }
    }
    for (const target of [Orders, Silent, Anew]) derived(target, { refund: idAndCents });

    const described = await Promise.all(
      [new Orders(), new Silent(), new Anew()].map(
        async (service) => (await toolsOf(service))[0]?.declaration().parametersJsonSchema,
      ),
    );

    expect(described).toMatchObject([
      { properties: { id: { description: 'Of the order.' } } },
      { properties: { id: { description: 'Of the order.' } } },
      { properties: { id: { description: 'Anew.' } } },
    ]);
  });
});

const context = {} as ToolContext;

const idAndCents: DerivedTool = {
  parameters: [
    { kind: 'argument', name: 'id' },
    { kind: 'argument', name: 'cents' },
  ],
  parametersJsonSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, cents: { type: 'number' } },
    required: ['id', 'cents'],
    additionalProperties: false,
  },
};

function oneString(name: string): DerivedTool {
  return {
    parameters: [{ kind: 'argument', name }],
    parametersJsonSchema: {
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
      additionalProperties: false,
    },
  };
}

/** What `adorn build` would have written into the class's file. */
function derived(target: object, tools: DerivedClass['tools']): void {
  Object.defineProperty(target, DERIVED, { value: { tools } });
}

async function toolsOf(service: object): Promise<readonly MethodTool[]> {
  return toolsOfService(service, recordsOf(service.constructor as ClassReference));
}

function recordsOf(target: ClassReference): Map<ClassReference, DerivedClass> {
  const base = baseOf(target);
  const record = writtenRecord(target);
  const inherited = base === undefined ? [] : recordsOf(base);
  return new Map([...inherited, ...(record === undefined ? [] : [[target, record] as const])]);
}
