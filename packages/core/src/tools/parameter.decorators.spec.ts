import 'reflect-metadata';
import { callsTool, eventsOf, says, ScriptedModel } from '@adorn/testing';

import {
  agent,
  ContainerModule,
  createRunner,
  type Event,
  inject,
  type LiveInput,
  LlmAgent,
  type Runner,
  tool,
  ToolContext,
} from '../index.js';
import type { ToolSource } from '../backend.js';
import { DERIVED, type DerivedParameter } from '../compiler.js';

const ID: DerivedParameter = { kind: 'argument', name: 'id' };
const SERVICE: DerivedParameter = { kind: 'service' };
const CONTEXT: DerivedParameter = { kind: 'context' };

describe('@inject before a parameter of a tool', () => {
  it('fills it for each call from the container of the runner, in any place', async () => {
    class Orders {
      @tool
      refund(@inject(Ledger) ledger: Ledger, id: string, @inject('limit') limit: number): unknown {
        return { ledger: ledger.number, id, limit };
      }
    }
    derived(Orders, 'refund', [SERVICE, ID, SERVICE]);
    const runner = await runnerOf([Orders], {
      transient: true,
      calls: [callsTool('refund', { id: 'A-17' }), callsTool('refund', { id: 'A-18' })],
    });

    expect(await resultsOf(runner)).toEqual([
      { ledger: 1, id: 'A-17', limit: 500 },
      { ledger: 2, id: 'A-18', limit: 500 },
    ]);
  });

  it('leaves constructors and properties to the container', async () => {
    class Orders {
      @inject('limit')
      readonly limit!: number;
      private own = 0;

      constructor(@inject(Ledger) readonly ledger: Ledger) {}

      @inject(Ledger)
      set shared(ledger: Ledger) {
        this.own = ledger.number;
      }

      @tool
      refund(id: string): unknown {
        return { id, limit: this.limit, isShared: this.own === this.ledger.number };
      }
    }
    derived(Orders, 'refund', [ID]);
    const runner = await runnerOf([Orders], { calls: [callsTool('refund', { id: 'A-17' })] });

    expect(await resultsOf(runner)).toEqual([{ id: 'A-17', limit: 500, isShared: true }]);
  });

  it('is undefined where a predicate is asked, but for the context', async () => {
    const asked: unknown[] = [];
    class Orders {
      @tool({
        confirm: (...given) => {
          asked.push(...given);
          return false;
        },
      })
      refund(id: string, @inject(Ledger) ledger: Ledger, context: ToolContext): unknown {
        return [id, ledger.number, context.functionCallId !== ''];
      }
    }
    derived(Orders, 'refund', [ID, SERVICE, CONTEXT]);
    const runner = await runnerOf([Orders], { calls: [callsTool('refund', { id: 'A-17' })] });

    expect(await resultsOf(runner)).toEqual([{ result: ['A-17', 1, true] }]);
    expect(asked).toEqual(['A-17', undefined, expect.any(ToolContext)]);
  });

  it('stands between the arguments and the context of a method with a schema of its own', async () => {
    class Orders {
      @tool({ parameters: { type: 'object' } })
      refund(
        @inject(Ledger) ledger: Ledger,
        args: unknown,
        @inject('limit') limit: number,
        context: ToolContext,
      ): unknown {
        return { ledger: ledger.number, args, limit, agent: context.agentName };
      }
    }
    const runner = await runnerOf([Orders], { calls: [callsTool('refund', { id: 'A-17' })] });

    expect(await resultsOf(runner)).toEqual([
      { ledger: 1, args: { id: 'A-17' }, limit: 500, agent: 'clerk' },
    ]);
  });

  it('is kept by an override that says nothing of it', async () => {
    class Orders {
      @tool
      refund(id: string, @inject(Ledger) ledger: Ledger): unknown {
        return [id, ledger.number];
      }
    }
    class Strict extends Orders {
      override refund(id: string, ledger: Ledger): unknown {
        return { id, strict: ledger.number };
      }
    }
    derived(Orders, 'refund', [ID, SERVICE]);
    derived(Strict, 'refund', [ID, SERVICE]);
    const runner = await runnerOf([Strict], { calls: [callsTool('refund', { id: 'A-17' })] });

    expect(await resultsOf(runner)).toEqual([{ id: 'A-17', strict: 1 }]);
  });

  it('is an error when the runner is created where nothing is bound to it, also in a class that somebody bound', async () => {
    class Orders {
      @tool({ parameters: { type: 'object' } })
      refund(_args: unknown, @inject('audit') audit: unknown): unknown {
        return audit;
      }
    }
    const bound = new ContainerModule(({ bind }) => {
      bind(Orders).toConstantValue(new Orders());
    });

    for (const modules of [[], [bound]]) {
      await expect(runnerOf([Orders], { modules })).rejects.toMatchObject({
        code: 'SERVICE_NOT_BOUND',
        message: expect.stringContaining('Orders needs audit (parameter 2 of refund)') as unknown,
      });
    }
  });

  it('may stand for the very class it is in', async () => {
    class Orders {
      @tool({ parameters: { type: 'object' } })
      refund(_args: unknown, @inject(Orders) self: Orders): unknown {
        return { same: self === this };
      }
    }

    expect(await resultsOf(await runnerOf([Orders], { calls: [callsTool('refund')] }))).toEqual([
      { same: true },
    ]);
  });

  it('is an error before a method that is no tool', async () => {
    class Orders {
      @tool({ parameters: { type: 'object' } })
      refund(): string {
        return this.write(undefined);
      }

      write(@inject('audit') audit: unknown): string {
        return String(audit);
      }
    }
    const modules = [new ContainerModule(({ bind }) => void bind('audit').toConstantValue(1))];

    await expect(runnerOf([Orders], { modules })).rejects.toMatchObject({
      code: 'TOOL_MISPLACED',
      message:
        '@inject has no effect on a parameter of Orders.write, because the method is not a tool. Add ' +
        '@tool to the method, or inject into the constructor.',
    });
  });

  it.each<[string, DerivedParameter[], number, string, string]>([
    ['the code', [ID, { kind: 'argument', name: 'ledger' }], 2, 'the code', 'its record'],
    ['the code, beyond what the record knows', [ID], 2, 'the code', 'its record'],
    ['its record', [SERVICE, SERVICE], 1, 'its record', 'the code'],
  ])('is stale where only %s has it', async (_where, parameters, place, yes, no) => {
    class Orders {
      @tool
      refund(id: string, @inject(Ledger) ledger: Ledger): unknown {
        return [id, ledger];
      }
    }
    derived(Orders, 'refund', parameters);

    await expect(runnerOf([Orders])).rejects.toMatchObject({
      code: 'SCHEMA_STALE',
      message:
        `Parameter ${String(place)} of Orders.refund is injected in ${yes}, but not in ${no}. Import ` +
        'inject from adorn, compile, and run "adorn build" again.',
    });
  });
});

describe('a tool that takes LiveInput', () => {
  it('reads the message of the user in a text run', async () => {
    class Ears {
      @tool
      async listen(input: LiveInput): Promise<string[]> {
        const heard: string[] = [];
        for await (const text of input.text) heard.push(text);
        return heard;
      }
    }
    derived(Ears, 'listen', [{ kind: 'live' }]);
    const runner = await runnerOf([Ears], { calls: [callsTool('listen')] });

    expect(await resultsOf(runner)).toEqual([{ result: [expect.any(String)] }]);
  });
});

let ledgers = 0;

class Ledger {
  readonly number = ++ledgers;
}

beforeEach(() => {
  ledgers = 0;
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

/** What `adorn build` would have written into the class's file. */
function derived(target: object, method: string, parameters: readonly DerivedParameter[]): void {
  const tool = { parameters, parametersJsonSchema: { type: 'object' } };
  Object.defineProperty(target, DERIVED, { value: { tools: { [method]: tool } } });
}

interface Options {
  readonly calls?: readonly ReturnType<typeof callsTool>[];
  readonly modules?: readonly ContainerModule[];
  readonly transient?: boolean;
}

function runnerOf(
  tools: readonly ToolSource[],
  { calls = [], modules = [], transient = false }: Options = {},
): Promise<Runner> {
  @agent({ description: '', tools })
  class Clerk extends LlmAgent {}
  const shop = new ContainerModule(({ bind }) => {
    bind('limit').toConstantValue(500);
    if (transient) bind(Ledger).toSelf().inTransientScope();
  });
  return createRunner(Clerk, {
    model: new ScriptedModel(...calls, says('Done.')),
    modules: [shop, ...modules],
  });
}

async function resultsOf(runner: Runner): Promise<unknown[]> {
  const events: Event[] = await eventsOf(runner.run({ userId: 'ada', message: 'Go on.' }));
  return events.flatMap(({ functionResponses }) => functionResponses).map(({ response }) => response);
}
