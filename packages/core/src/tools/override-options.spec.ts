import { callsTool, eventsOf, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, tool, type ToolContext } from '../index.js';
import { overrideOptions, type ToolOptions } from './tool.decorator.js';

const AUTH = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'bank' } as const;

describe('@tool on an overriding method', () => {
  it('keeps the confirmation and the credential that the base demands', async () => {
    const ran: string[] = [];
    class Base {
      @tool({ parameters: {}, confirm: 'Wipe?', auth: AUTH })
      wipe(): void {
        ran.push('base');
      }
    }
    class Derived extends Base {
      @tool({ parameters: {} })
      override wipe(): void {
        ran.push('derived');
      }
    }
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [Derived] }), {
      model: new ScriptedModel(callsTool('wipe')),
    });

    await eventsOf(runner.run({ sessionId: 's1', message: 'Wipe.' }));
    const [request] = await runner.pending({ sessionId: 's1' });
    if (request !== undefined) await eventsOf(runner.approve(request));

    expect(request?.hint).toBe('Wipe?');
    expect(await runner.pending({ sessionId: 's1' })).toMatchObject([{ kind: 'credential' }]);
    expect(ran).toEqual([]);
  });

  it('is laid over the base at each step of a longer chain', () => {
    const [first, second, third]: ToolOptions[] = [
      { confirm: 'A?', timeout: 5 },
      { timeout: 6 },
      { name: 'n' },
    ];

    expect(overrideOptions(overrideOptions(first ?? {}, second ?? {}), third ?? {})).toEqual({
      confirm: 'A?',
      timeout: 6,
      name: 'n',
    });
  });

  it.each<[string, ToolOptions, ToolOptions, ToolOptions]>([
    [
      'nothing',
      { confirm: true, effect: 'write', auth: AUTH },
      {},
      { confirm: true, effect: 'write', auth: AUTH },
    ],
    ['confirm: undefined', { confirm: 'Sure?' }, optional({ confirm: undefined }), { confirm: 'Sure?' }],
    [
      'effect: undefined',
      { effect: 'destructive' },
      optional({ effect: undefined }),
      { effect: 'destructive' },
    ],
    ['a lower effect alone', { effect: 'destructive' }, { effect: 'read' }, { effect: 'destructive' }],
    [
      'a lower effect and a question',
      { effect: 'destructive' },
      { effect: 'read', confirm: 'Sure?' },
      { effect: 'destructive', confirm: 'Sure?' },
    ],
    ['an unknown effect', { effect: 'write' }, { effect: 'none' as 'read' }, { effect: 'write' }],
    ['a higher effect', { effect: 'read' }, { effect: 'destructive' }, { effect: 'destructive' }],
    [
      'a destructive effect over a base that asks nothing',
      { effect: 'write', confirm: false },
      { effect: 'destructive' },
      { effect: 'destructive' },
    ],
    ['a question', { confirm: false }, { confirm: 'Sure?' }, { confirm: 'Sure?' }],
  ])('demands no less by %s', (_what, base, own, options) => {
    expect(overrideOptions(base, own)).toEqual(options);
  });

  it.each<[string, ToolOptions, ToolOptions, ToolOptions]>([
    ['confirm: false', { confirm: 'Sure?' }, { confirm: false }, { confirm: false }],
    ['auth: undefined', { auth: AUTH }, { auth: undefined }, { auth: undefined }],
    [
      'a lower effect with confirm: false',
      { effect: 'destructive', confirm: true },
      { effect: 'read', confirm: false },
      { effect: 'read', confirm: false },
    ],
  ])('demands less by %s', (_what, base, own, options) => {
    expect(overrideOptions(base, own)).toEqual(options);
  });

  it.each<[ToolOptions['confirm'], unknown, unknown]>([
    [true, false, true],
    ['Base?', false, 'Base?'],
    ['Base?', 'Own?', 'Own?'],
    [() => true, false, true],
    [() => Promise.resolve('Base?'), false, 'Base?'],
    [() => false, 'Own?', 'Own?'],
    [() => false, false, false],
    [() => undefined as unknown as boolean, false, undefined],
    [false, false, false],
  ])('asks where the base (%p) or its own predicate (%p) asks', async (base, own, asked) => {
    const { confirm } = overrideOptions({ confirm: base }, { confirm: () => own as boolean });

    expect(await predicate(confirm)()).toBe(asked);
  });

  it('asks where the base is destructive and its own predicate does not', async () => {
    const { confirm } = overrideOptions({ effect: 'destructive' }, { confirm: () => false });

    expect(await predicate(confirm)()).toBe(true);
  });

  it('gives both predicates the arguments', async () => {
    const seen: unknown[][] = [];
    const look = (...args: unknown[]): boolean => {
      seen.push(args);
      return false;
    };
    const { confirm } = overrideOptions({ confirm: look }, { confirm: look });

    await predicate(confirm)(1, 'b');

    expect(seen).toEqual([
      [1, 'b'],
      [1, 'b'],
    ]);
  });

  it('always asks where the predicate of the base cannot read the arguments any more', async () => {
    const confirm = (_city: unknown, _context?: ToolContext): boolean => false;

    expect(overrideOptions({ confirm }, { parameters: {} }).confirm).toBe(true);
    const both = overrideOptions({ confirm }, { parameters: {}, confirm: () => false });
    expect(await predicate(both.confirm)()).toBe(true);
    expect(overrideOptions({ confirm }, { parameters: {}, confirm: false }).confirm).toBe(false);
  });

  it('does not change what the base or a sibling demands', () => {
    const base: ToolOptions = Object.freeze({ confirm: true });

    overrideOptions(base, { confirm: false });

    expect(base).toEqual({ confirm: true });
  });
});

function predicate(confirm: ToolOptions['confirm']): (...args: unknown[]) => unknown {
  return typeof confirm === 'function' ? (confirm as (...args: unknown[]) => unknown) : () => confirm;
}

/** Options as a caller without exact optional types writes them. */
function optional(options: Record<string, unknown>): ToolOptions {
  return options;
}
