import { type } from 'arktype';
import { expectTypeOf } from 'expect-type';
import * as v from 'valibot';
import { z } from 'zod';

import { agent, defineAgent, type ToolSource } from '../agents/agent.decorator.js';
import { BaseAgent } from '../agents/base.agent.js';
import { LlmAgent } from '../agents/llm.agent.js';
import { createRunner } from '../app/create-runner.js';
import { defineTool } from './define-tool.js';
import { FunctionTool } from './function.tool.js';
import type { ToolContext } from './tool-context.js';
import { tool, type ToolOptions } from './tool.decorator.js';
import type { Tool } from './tool.js';

describe('the types of @tool', () => {
  it('types confirm from the method it stands on', () => {
    class Orders {
      @tool({
        confirm: (id, cents, notes, context) => {
          expectTypeOf(id).toEqualTypeOf<string>();
          expectTypeOf(cents).toEqualTypeOf<number>();
          expectTypeOf(notes).toEqualTypeOf<string[] | undefined>();
          expectTypeOf(context).toEqualTypeOf<ToolContext | undefined>();
          return cents > 5_000;
        },
      })
      refund(id: string, cents: number, notes?: string[], _context?: ToolContext): string {
        return `${id} ${String(cents)} ${String(notes)}`;
      }
    }

    expectTypeOf<Orders['refund']>().toBeFunction();
  });

  it('types idempotent from the method it stands on', () => {
    class Orders {
      @tool({
        idempotent: (id, signal, context) => {
          expectTypeOf(id).toEqualTypeOf<string>();
          expectTypeOf(signal).toEqualTypeOf<undefined>();
          expectTypeOf(context).toEqualTypeOf<ToolContext>();
          return id !== '';
        },
      })
      cancel(id: string, _signal: AbortSignal, _context: ToolContext): string {
        return id;
      }
    }

    expectTypeOf<Orders['cancel']>().toBeFunction();
  });

  it('shows a predicate undefined in place of an AbortSignal', () => {
    class Orders {
      @tool({
        confirm: (id, signal) => {
          expectTypeOf(signal).toEqualTypeOf<undefined>();
          return `Cancel ${id}?`;
        },
      })
      cancel(id: string, _signal: AbortSignal): string {
        return id;
      }
    }

    expectTypeOf<Orders['cancel']>().toBeFunction();
  });

  it('takes every short form of a question, at once or later', () => {
    expectTypeOf<(id: string) => boolean>().toExtend<Confirm>();
    expectTypeOf<(id: string) => string>().toExtend<Confirm>();
    expectTypeOf<() => Promise<{ hint: string; payload: number }>>().toExtend<Confirm>();
    expectTypeOf<(id: number) => boolean>().not.toExtend<Confirm>();
    expectTypeOf<() => number>().not.toExtend<Confirm>();
  });

  it('does not compile a predicate that does not fit, an unknown option, or @tool off a method', () => {
    const wrong = (): unknown[] => {
      class Predicate {
        // @ts-expect-error -- the method has a string there
        @tool({ confirm: (cents: number) => cents > 5 })
        one(id: string): string {
          return id;
        }

        // @ts-expect-error -- the method has one parameter
        @tool({ confirm: (_id: string, _cents: number) => true })
        two(id: string): string {
          return id;
        }
      }
      class Options {
        // @ts-expect-error -- there is no such option
        @tool({ confrim: true })
        one(id: string): string {
          return id;
        }
      }
      class Property {
        // @ts-expect-error -- a property is no method
        @tool
        one = (id: string): string => id;
      }
      // @ts-expect-error -- a class is no method
      @tool
      class Whole {}
      return [Predicate, Options, Property, Whole];
    };

    expectTypeOf(wrong).toBeFunction();
  });
});

describe('the types of a schema of a library', () => {
  const parameters = z.object({ city: z.string(), days: z.number().default(3) });

  it('types the predicates of a method by what the schema gives', () => {
    class Weather {
      @tool({
        parameters,
        confirm: (args, context) => {
          expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
          expectTypeOf(context).toEqualTypeOf<ToolContext>();
          return args.days > 7;
        },
      })
      forecast({ city }: { city: string; days: number }, _context: ToolContext): string {
        return city;
      }

      @tool({ parameters })
      today(args: z.infer<typeof parameters>): string {
        return args.city;
      }
    }

    expectTypeOf<Weather['forecast']>().toBeFunction();
  });

  it('does not compile before a method that does not take what the schema gives', () => {
    const wrong = (): unknown => {
      class Weather {
        // @ts-expect-error -- the schema gives an object
        @tool({ parameters })
        positional(city: string): string {
          return city;
        }

        // @ts-expect-error -- the city is a string
        @tool({ parameters })
        other({ city }: { city: number }): number {
          return city;
        }

        // @ts-expect-error -- the days are a number
        @tool({ parameters, confirm: ({ days }: { days: string }) => days })
        predicate(args: { days: number }): number {
          return args.days;
        }
      }
      return Weather;
    };

    expectTypeOf(wrong).toBeFunction();
  });

  it('types the function of a FunctionTool, in every library', () => {
    const told = { name: 'weather', description: 'Weather.' };
    type Args = { city: string; days: number };
    const tools = [
      new FunctionTool({
        ...told,
        parameters,
        run: (args, context) => {
          expectTypeOf(args).toEqualTypeOf<Args>();
          expectTypeOf(context).toEqualTypeOf<ToolContext>();
        },
        confirm: (args) => {
          expectTypeOf(args).toEqualTypeOf<Args>();
          return false;
        },
      }),
      new FunctionTool({
        ...told,
        parameters: v.object({ city: v.string(), days: v.optional(v.number(), 3) }),
        run: (args) => {
          expectTypeOf(args).toEqualTypeOf<Args>();
        },
      }),
      new FunctionTool({
        ...told,
        parameters: type({ city: 'string', days: 'number = 3' }),
        run: (args) => {
          expectTypeOf(args).toEqualTypeOf<Args>();
        },
      }),
      new FunctionTool({
        ...told,
        parameters: { type: 'object' },
        run: (args) => {
          expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
        },
      }),
    ];

    expectTypeOf(tools).toExtend<Tool[]>();
  });
});

describe('the types of defineTool', () => {
  const refund = (id: string, cents: number, _signal: AbortSignal): string => `${id} ${String(cents)}`;

  it('types confirm from the function it is given', () => {
    const tool = defineTool(refund, {
      confirm: (id, cents, signal) => {
        expectTypeOf(id).toEqualTypeOf<string>();
        expectTypeOf(cents).toEqualTypeOf<number>();
        expectTypeOf(signal).toEqualTypeOf<undefined>();
        return cents > 5_000;
      },
    });

    expectTypeOf(tool).toEqualTypeOf<Tool>();
  });

  it('types confirm from the object that run gets', () => {
    defineTool({
      name: 'weather',
      run: (args: { city: string }, context: ToolContext) => [args.city, context.userId],
      confirm: (args, context) => {
        expectTypeOf(args).toEqualTypeOf<{ city: string }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        return false;
      },
    });
    defineTool({ name: 'now', run: () => Date.now() });
  });

  it('types run, and a function, from a schema', () => {
    const parameters = z.object({ city: z.string() });

    defineTool({
      name: 'weather',
      description: 'Weather.',
      parameters,
      run: ({ city }, context) => {
        expectTypeOf(city).toEqualTypeOf<string>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
      },
    });
    defineTool(({ city }: { city: string }) => city, {
      name: 'weather',
      parameters,
      confirm: ({ city }) => city,
    });
  });

  it('does not compile what does not fit', () => {
    class Orders {
      readonly open = true;
    }
    const parameters = z.object({ city: z.string() });
    const wrong = (): unknown[] => [
      // @ts-expect-error -- a class is no function
      defineTool(Orders),
      // @ts-expect-error -- the function has a string there
      defineTool(refund, { confirm: (cents: number) => cents > 5 }),
      // @ts-expect-error -- there is no such option
      defineTool(refund, { confrim: true }),
      // @ts-expect-error -- the schema gives an object
      defineTool(refund, { parameters }),
      // @ts-expect-error -- the city is a string
      defineTool({ name: 'weather', description: '', parameters, run: ({ city }: { city: number }) => city }),
      // @ts-expect-error -- it has no run
      defineTool({ name: 'weather' }),
    ];

    expectTypeOf(wrong).toBeFunction();
  });

  it('lets functions stand among the tools of an agent', () => {
    expectTypeOf(refund).toExtend<ToolSource>();
    expectTypeOf<() => AsyncGenerator<number>>().toExtend<ToolSource>();
    expectTypeOf<Promise<string>>().not.toExtend<ToolSource>();
  });
});

describe('the types of agents', () => {
  it('lets createRunner take agent classes and nothing else', () => {
    class Clerk extends LlmAgent {}
    class Orders {
      readonly open = true;
    }
    const wrong = (): unknown[] => [
      // @ts-expect-error -- a service is no agent
      createRunner(Orders),
      // @ts-expect-error -- an instance is no class
      createRunner(new Clerk()),
      // @ts-expect-error -- a name is no class
      createRunner('clerk'),
    ];

    expectTypeOf(wrong).toBeFunction();
    expectTypeOf(createRunner<string>)
      .parameter(0)
      .toEqualTypeOf<abstract new (...args: never[]) => BaseAgent>();
  });

  it('lets a class with an outputSchema declare what the schema makes, and nothing else', () => {
    const Report = z.object({ city: z.string() });
    const wrong = () => {
      // @ts-expect-error -- its answers are reports, and it promises text
      @agent({ outputSchema: Report })
      class Text extends LlmAgent {}

      // @ts-expect-error -- its answers are objects, and it promises text
      @agent({ outputSchema: { type: 'object' } })
      class Json extends LlmAgent {}

      @agent({ outputSchema: Report })
      class Right extends LlmAgent<{ city: string }> {}

      @agent({ outputSchema: { type: 'object' } })
      class RightJson extends LlmAgent<{ city: string }> {}

      return [Text, Json, Right, RightJson];
    };

    expectTypeOf(wrong).toBeFunction();
  });

  it('carries the output of the root on to `ask` and `run`', () => {
    const outputs = async () => {
      const Report = z.object({ at: z.string().transform((text) => new Date(text)) });
      const reporter = await createRunner(defineAgent({ name: 'a', outputSchema: Report }));
      const talker = await createRunner(defineAgent({ name: 'b' }));
      return {
        report: await reporter.ask('?'),
        text: await talker.ask('?'),
        output: await reporter.run({ message: '?' }).output,
        result: (await reporter.run({ message: '?' })).output,
      };
    };

    expectTypeOf(outputs).returns.resolves.toEqualTypeOf<{
      report: { at: Date };
      text: string;
      output: { at: Date };
      result: { at: Date } | undefined;
    }>();
  });

  it('lets @agent stand before agent classes alone, and lists agents alone as sub-agents', () => {
    const wrong = (): unknown[] => {
      // @ts-expect-error -- a service is no agent
      @agent()
      class Orders {
        readonly open = true;
      }
      // @ts-expect-error -- a service is no sub-agent
      @agent({ subAgents: [Orders] })
      class Clerk extends LlmAgent {}
      // @ts-expect-error -- there is no such option
      @agent({ intsruction: 'Help.' })
      class Misspelt extends LlmAgent {}
      return [Orders, Clerk, Misspelt];
    };

    expectTypeOf(wrong).toBeFunction();
  });
});

type Confirm = ToolOptions<(id: string) => string>['confirm'];
