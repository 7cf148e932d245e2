import { type ClassReference, readMetadata } from '@adorn/schema';
import { tool, TOOLS } from './tool.decorator.js';

describe('@tool', () => {
  it('marks a method bare, with brackets and with options, in the order of writing', () => {
    class Weather {
      @tool
      forecast(): string {
        return 'sun';
      }

      @tool()
      warnings(): string[] {
        return [];
      }

      @tool({ name: 'alarm', effect: 'write' })
      raiseAlarm(): string {
        return 'raised';
      }
    }

    expect(markedIn(Weather)).toEqual([
      { method: 'forecast', options: {} },
      { method: 'warnings', options: {} },
      { method: 'raiseAlarm', options: { name: 'alarm', effect: 'write' } },
    ]);
  });

  it('leaves the method a method, callable with no framework around it', () => {
    class Weather {
      private readonly sky = 'blue';

      @tool({ confirm: true })
      forecast(city: string): string {
        return `${this.sky} over ${city}`;
      }
    }

    expect(new Weather().forecast('Oslo')).toBe('blue over Oslo');
  });

  it('refuses a static method', () => {
    expect(() => {
      class Weather {
        readonly sky = 'blue';

        @tool
        static forecast(): string {
          return 'sun';
        }
      }
      return Weather;
    }).toThrow(misplaced('Weather.forecast', 'is static'));
  });

  it('refuses an accessor', () => {
    expect(() => {
      class Weather {
        // @ts-expect-error -- an accessor is no method
        @tool
        get forecast(): string {
          return 'sun';
        }
      }
      return Weather;
    }).toThrow(misplaced('Weather.forecast', 'is not a method'));
  });

  it('refuses a property, with options as without', () => {
    expect(() => {
      class Weather {
        // @ts-expect-error -- a property is no method
        @tool
        forecast = (): string => 'sun';
      }
      return Weather;
    }).toThrow(misplaced('Weather.forecast', 'is not a method'));
    expect(() => {
      class Weather {
        // @ts-expect-error -- a property is no method
        @tool({ name: 'forecast' })
        forecast = (): string => 'sun';
      }
      return Weather;
    }).toThrow(misplaced('Weather.forecast', 'is not a method'));
  });

  it('refuses a method that has a symbol as its name', () => {
    const forecast = Symbol('forecast');
    expect(() => {
      class Weather {
        @tool
        [forecast](): string {
          return 'sun';
        }
      }
      return Weather;
    }).toThrow(misplaced('Weather.Symbol(forecast)', 'has a symbol as its name'));
  });

  it('says what is wrong under a stable code', () => {
    expect(codeOf(() => tool(Date, 'forecast', { value: forecastOf }))).toBe('TOOL_MISPLACED');
  });

  it('writes to the class alone and reads with its bases, so siblings do not see each other', () => {
    class Base {
      @tool
      shared(): string {
        return 'base';
      }
    }
    class Left extends Base {
      @tool
      left(): string {
        return 'left';
      }
    }
    class Right extends Base {
      @tool
      right(): string {
        return 'right';
      }
    }

    expect([Base, Left, Right].map((target) => markedIn(target).map(({ method }) => method))).toEqual([
      ['shared'],
      ['shared', 'left'],
      ['shared', 'right'],
    ]);
  });

  it('keeps an override a tool with its options and its place, and lays new options over them', () => {
    class Base {
      @tool({ name: 'first', timeout: 5 })
      one(): string {
        return 'base';
      }

      @tool({ name: 'second', confirm: true })
      two(): string {
        return 'base';
      }
    }
    class Silent extends Base {
      override one(): string {
        return 'silent';
      }
    }
    class Redeclared extends Base {
      @tool({ name: 'uno' })
      override one(): string {
        return 'redeclared';
      }
    }

    expect(markedIn(Silent)).toEqual(markedIn(Base));
    expect(markedIn(Redeclared)).toEqual([
      { method: 'one', options: { name: 'uno', timeout: 5 } },
      { method: 'two', options: { name: 'second', confirm: true } },
    ]);
  });
});

function markedIn(target: ClassReference) {
  return [...readMetadata(target, TOOLS).values()];
}

function misplaced(member: string, fault: string): string {
  return (
    `@tool decorates ${member}, which ${fault}. A tool must be a public instance method: make it ` +
    'one, or remove @tool.'
  );
}

function forecastOf(city: string): string {
  return city;
}

function codeOf(wrong: () => void): unknown {
  try {
    wrong();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}
