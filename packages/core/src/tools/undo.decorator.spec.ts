import { ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, inject, tool, type ToolContext, undo } from '../index.js';

const ANY = { type: 'object' } as const;

class Clock {
  readonly now = 7;
}

/** A class whose method `back` undoes something by these arguments of the decorator. */
function classWith(named: string, options?: object) {
  class Desk {
    @tool({ description: 'Files.', effect: 'write', parameters: ANY })
    file(): { id: string } {
      return { id: '1' };
    }

    @tool({ description: 'Looks.', effect: 'read', parameters: ANY })
    look(): string {
      return '';
    }

    @tool({ description: 'Waits.', longRunning: true, parameters: ANY })
    wait(): string {
      return '';
    }

    back(_result: unknown): void {
      // Never called.
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Desk.prototype, 'back') ?? {};
  undo(named as 'file', options)(Desk.prototype, 'back', descriptor as never);
  return Desk;
}

async function refusalOf(make: () => new () => object): Promise<unknown> {
  try {
    const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(), tools: [make()] });
    await (await createRunner(Clerk)).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('@undo', () => {
  it.each<[what: string, named: string, options: object | undefined, said: string]>([
    ['a tool that does not exist', 'fille', undefined, 'there is no @tool method "fille"'],
    ['a tool that only reads', 'look', undefined, '"look" has the effect "read"'],
    ['a tool whose result comes later', 'wait', undefined, '"wait" is longRunning'],
    ['itself', 'back', undefined, 'there is no @tool method "back"'],
    ['a misspelt option', 'file', { confrim: true }, 'confrim'],
    ['the effect read', 'file', { effect: 'read' }, 'its effect is "read"'],
    ['a name that is no text', 7 as unknown as string, undefined, 'the tool is 7'],
  ])('is refused for %s', async (_what, named, options, said) => {
    const error = await refusalOf(() => classWith(named, options));

    expect(error).toMatchObject({ code: 'UNDO_INVALID' });
    expect(String(error)).toContain(said);
  });

  it('is refused beside @tool, twice for one tool, and for more parameters than it gets', async () => {
    class Both {
      @tool({ description: 'Files.', effect: 'write', parameters: ANY })
      file(): string {
        return '';
      }

      @undo('file')
      @tool({ description: 'Back.', effect: 'write', parameters: ANY })
      back(_result: string): void {
        // Never called.
      }
    }
    class Greedy {
      @tool({ description: 'Files.', effect: 'write', parameters: ANY })
      file(): string {
        return '';
      }

      @undo('file')
      back(_result: string, _context: ToolContext, ..._more: never[]): void {
        // Never called.
      }

      late(_result: string, _context: ToolContext, _more: string): void {
        // Never called.
      }
    }
    const twice = (): new () => object => {
      const Desk = classWith('file');
      const descriptor = Object.getOwnPropertyDescriptor(Desk.prototype, 'look') ?? {};
      undo('file')(Desk.prototype, 'look', descriptor as never);
      return Desk;
    };

    expect(String(await refusalOf(() => Both))).toContain('it is a @tool, too');
    expect(await refusalOf(() => Greedy)).toBeUndefined();
    expect(String(await refusalOf(twice))).toContain('"back" undoes "file", too');
    const descriptor = Object.getOwnPropertyDescriptor(Greedy.prototype, 'late') ?? {};
    class Later extends Greedy {}
    undo('file')(Later.prototype, 'late', descriptor as never);
    expect(String(await refusalOf(() => Later))).toContain('it takes 3 parameters');
  });

  it('is replaced by a subclass, gets what it injects, and has a name of its own', async () => {
    const got: unknown[] = [];
    class Desk {
      @tool({ description: 'Files.', effect: 'write', parameters: ANY })
      file(): string {
        return 'F-1';
      }

      @undo('file')
      back(_result: string): void {
        got.push('base');
      }
    }
    class Own extends Desk {
      @undo('file', { name: 'take_back' })
      again(result: string, { functionCallId }: ToolContext, @inject(Clock) clock: Clock): void {
        got.push(result, functionCallId.length > 0, clock.now);
      }
    }
    const Clerk = defineAgent({ name: 'clerk', model: new ScriptedModel(), tools: [Own] });
    await using runner = await createRunner(Clerk);
    const { invocationId, ...key } = await runner.call({ tool: 'file' });
    const { userId, sessionId } = key;

    const { undo: report, events } = await runner.undo({ userId, sessionId, invocationId });

    expect(report?.isComplete).toBe(true);
    expect(got).toEqual(['F-1', true, 7]);
    expect(events.flatMap(({ functionCalls }) => functionCalls.map(({ name }) => name))).toEqual([
      'take_back',
    ]);
  });

  it('takes the result of its tool, by its type', () => {
    class Typed {
      @tool({ description: 'Files.', effect: 'write', parameters: ANY })
      async file(): Promise<{ id: string; at: Date }> {
        return Promise.resolve({ id: '1', at: new Date(0) });
      }

      @undo('file')
      back(_result: { id: string; at: string }): void {
        // Never called.
      }
    }
    class Wrong extends Typed {
      // @ts-expect-error -- the result has no number as its id
      @undo('file')
      wrong(_result: { id: number }): void {
        // Never called.
      }

      // @ts-expect-error -- there is no such method
      @undo('fille')
      none(_result: { id: string }): void {
        // Never called.
      }
    }

    expect([Typed, Wrong]).toHaveLength(2);
  });
});
