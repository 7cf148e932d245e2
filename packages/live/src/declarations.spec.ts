import { agent, createRunner, FunctionTool, type Tool, Toolset } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { checkDeclarations, sourcesOf } from './check-declarations.js';
import { PhasesInvalidError } from './phases-invalid.error.js';
import { computed, extract, LiveAgent, phase, watch } from './index.js';
import { declarationsOf, type LiveDeclarations } from './phase.decorator.js';
import { EXTRACT_OPTIONS, PHASE_OPTIONS, WATCH_OPTIONS } from './declaration-options.js';
import { becameTrue, changed, changedTo, failures, sustained } from './watch-predicates.js';

const SCHEMA = { type: 'object', properties: { mood: {} } };

const FIRST = { name: 'opening', options: { first: true } };

function declared(part: Partial<LiveDeclarations>): LiveDeclarations {
  return { phases: [FIRST], watches: [], values: [], extracts: [], ...part };
}

function extractOf(options: object): Partial<LiveDeclarations> {
  return { extracts: [{ method: 'mood', options: { schema: SCHEMA, ...options } }] };
}

function cooling(cooldown: number | string): Partial<LiveDeclarations> {
  return { watches: [{ method: 'calm', key: 'mood', predicate: changed(), options: { cooldown } }] };
}

describe('the declarations of a live agent', () => {
  it.each<[string, Partial<LiveDeclarations>]>([
    ['no phases registered', { phases: [] }],
    ['0 phases have first: true, instead of one', { phases: [{ name: 'opening', options: {} }] }],
    ['2 phases have first: true, instead of one', { phases: [FIRST, { ...FIRST, name: 'other' }] }],
    [
      "phase 'helping' has transition from unknown phase 'gone'",
      { phases: [FIRST, { name: 'helping', options: { from: ['opening', 'gone'] } }] },
    ],
    ["the extractor 'mood': schema is an object", extractOf({ schema: { ...SCHEMA, type: 'array' } })],
    ["the extractor 'mood': schema is an object", extractOf({ schema: { type: 'object', properties: {} } })],
    ["the extractor 'mood': schema is an object", extractOf({ schema: { type: 'object' } })],
    ["the extractor 'mood': schema is missing", extractOf({ schema: undefined })],
    [
      "the extractor 'mood' writes 'phase', which belongs to the phases",
      extractOf({ schema: { type: 'object', properties: { mood: {}, phase: {} } } }),
    ],
    [
      "the extractor 'mood' writes 'live_memory', which belongs to the phases",
      extractOf({ schema: { type: 'object', properties: { live_memory: {} } } }),
    ],
    ["the extractor 'mood': turns is 0", extractOf({ turns: 0 })],
    ["the extractor 'mood': turns is 1.5", extractOf({ turns: 1.5 })],
    ['the extractor \'mood\': turns is "3"', extractOf({ turns: '3' })],
    ["the extractor 'mood': every is 0", extractOf({ every: 0 })],
    ["the extractor 'mood': every is -1", extractOf({ every: -1 })],
    ['the extractor \'mood\': timeout is "soon"', extractOf({ timeout: 'soon' })],
    ["the extractor 'mood': timeout is -1", extractOf({ timeout: -1 })],
    ["the extractor 'mood': timeout is NaN", extractOf({ timeout: NaN })],
    ['the watcher \'calm\': cooldown is "soon"', cooling('soon')],
    ["the watcher 'calm': cooldown is -1", cooling(-1)],
    [
      "'mood' is a phase and an extractor",
      { phases: [FIRST, { name: 'mood', options: {} }], ...extractOf({}) },
    ],
  ])('are refused: %s', (fault, part) => {
    expect(() => {
      checkDeclarations('Desk', declared(part));
    }).toThrow(
      expect.objectContaining({
        code: 'AGENT_CONFIG_INVALID',
        message: expect.stringContaining(`The live agent Desk cannot be used: ${fault}.`) as string,
      }) as Error,
    );
  });

  it.each<[string, Partial<LiveDeclarations>]>([
    ['one phase', {}],
    [
      'a phase from each other',
      { phases: [FIRST, { name: 'helping', options: { from: ['opening', 'helping'] } }] },
    ],
    ['an extractor without options', extractOf({})],
    ['an extractor of one turn', extractOf({ turns: 1, every: 1, timeout: 0 })],
    ['an extractor of a phase', extractOf({ every: 'phase', timeout: '5s' })],
    ['an extractor of a tool', extractOf({ every: { tool: 'look' } })],
    ['a watcher with a cooldown', cooling('1m')],
    ['a watcher with none', cooling(0)],
    ['a watcher without options', { watches: [{ method: 'calm', predicate: changed(), options: {} }] }],
  ])('are accepted: %s', (_what, part) => {
    expect(() => {
      checkDeclarations('Desk', declared(part));
    }).not.toThrow();
  });

  it('are refused for the first of several faults', () => {
    expect(() => {
      checkDeclarations('Desk', declared({ phases: [], ...cooling('soon') }));
    }).toThrow(PhasesInvalidError);
    expect(() => {
      checkDeclarations('Desk', declared({ phases: [], ...cooling('soon') }));
    }).toThrow('cooldown is "soon"');
  });

  it.each([
    [undefined, []],
    ['opening', ['opening']],
    [
      ['opening', 'helping'],
      ['opening', 'helping'],
    ],
  ])('lead from the phases that are named: %p', (from, sources) => {
    expect(sourcesOf(from)).toEqual(sources);
  });
});

const PAY = new FunctionTool({ name: 'pay_now', description: 'Pays.', run: () => 'paid' });

/** Creates a runner of an agent with declarations, and returns the message of its refusal. */
async function refusalOf(
  declare: (prototype: object) => void,
  members: object = {},
  more: { readonly tools?: readonly (Tool | Toolset)[]; readonly fields?: object } = {},
): Promise<string> {
  class Desk extends LiveAgent {
    constructor() {
      super();
      Object.assign(this, more.fields);
    }
    one(): string {
      return 'One.';
    }
    two(): string {
      return 'Two.';
    }
  }
  Object.assign(Desk.prototype, members);
  declare(Desk.prototype);
  agent({ name: 'desk', model: new ScriptedModel(says('Hm.')), tools: [PAY, ...(more.tools ?? [])] })(Desk);
  try {
    await (await createRunner(Desk)).close();
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ code: 'AGENT_CONFIG_INVALID' });
    return (error as Error).message;
  }
}

const first = phase({ first: true });
const pattern = { isMet: () => false };

describe('a name that a live agent gives', () => {
  it.each<[string, (prototype: object) => void, string]>([
    ['a tool of a phase', phase({ first: true, tools: ['pay_nwo'] }) as never, "names the tool 'pay_nwo'"],
    ['a method for its tool', phase({ first: true, tools: ['payNow'] }) as never, "names the tool 'payNow'"],
    [
      'a tool of an extractor',
      extract({ schema: SCHEMA, every: { tool: 'pay_nwo' } }) as never,
      "the extractor 'one' names",
    ],
    ['a tool of a pattern', watch(failures('pay_nwo', 2)) as never, "the watcher 'one' names"],
    ['a tool of a pattern of a key', watch('x', failures('pay_nwo', 2)) as never, "the watcher 'one' names"],
  ])('is one of the agent: %s', async (_what, decorate, words) => {
    const declare = decorate as unknown as (prototype: object, name: string) => void;
    const message = await refusalOf((prototype) => {
      if (!_what.includes('phase') && !_what.includes('method')) first(prototype, 'two');
      declare(prototype, 'one');
    });

    expect(message).toContain(words);
    expect(message).toContain('Did you mean pay_now?');
  });

  it('may be that of a tool of a toolset, or of a toolbox', async () => {
    class Later extends Toolset {
      readonly name = 'later';
      listTools(): Promise<Tool[]> {
        return Promise.resolve([]);
      }
    }
    const declare = (prototype: object): void => {
      phase({ first: true, tools: ['pay_now', 'later_one'] })(prototype, 'one');
    };

    await expect(refusalOf(declare)).resolves.toContain("names the tool 'later_one'");
    await expect(refusalOf(declare, {}, { tools: [new Later()] })).resolves.toBe('accepted');
  });

  it('of a phase leads from one that ends', async () => {
    const declare = (prototype: object): void => {
      phase({ first: true, last: true })(prototype, 'one');
      phase({ from: 'one', when: () => true })(prototype, 'two');
    };

    await expect(refusalOf(declare)).resolves.toContain("has transition from 'one', which is the last one");
  });
});

describe('an option of a live agent', () => {
  const DECORATORS = {
    phase: [PHASE_OPTIONS, (options: object) => phase({ first: true, ...options })],
    watch: [WATCH_OPTIONS, (options: object) => watch('x', pattern, options)],
    'watch without a pattern': [WATCH_OPTIONS, (options: object) => watch('x', options)],
    'watch of a pattern': [WATCH_OPTIONS, (options: object) => watch(pattern, options)],
    extract: [EXTRACT_OPTIONS, (options: object) => extract({ schema: SCHEMA, ...options })],
  } as const;
  const cases = Object.entries(DECORATORS).flatMap(([name, [rules, decorator]]) =>
    Object.keys(rules).map((option) => [name, option, decorator] as const),
  );

  it.each(cases)('of @%s is not misspelt, and has its type: %s', async (name, option, decorator) => {
    const misspelt = option.slice(0, -2) + option.slice(-1);
    const refusal = (options: object): Promise<string> =>
      refusalOf((prototype) => {
        if (name !== 'phase') first(prototype, 'two');
        decorator(options)(prototype, 'one');
      });

    await expect(refusal({ [misspelt]: true })).resolves.toContain(
      `there is no option ${misspelt}. Did you mean ${option}?`,
    );
    for (const value of [null, Symbol('s'), { x: 1 }])
      await expect(refusal({ [option]: value })).resolves.toMatch(
        new RegExp(`(${option} is .+|in ${option}, .+)\\. (Pass|Did|Valid)`),
      );
  });

  it.each<[string, unknown, string]>([
    ['steering', 'contxt', 'steering is "contxt". Did you mean context?'],
    ['repair', { nudg: 1 }, 'there is no option nudg. Did you mean nudge?'],
    ['repair', { nudge: 'x' }, 'nudge is "x"'],
    ['repair', true, 'its options are true'],
    ['context', 'balance', 'context is "balance". Set a list'],
    ['greeting', 5, 'greeting is 5. Pass a text.'],
  ])('that is a property is checked: %s', async (name, value, words) => {
    const declare = (prototype: object): void => {
      first(prototype, 'one');
    };

    await expect(refusalOf(declare, {}, { fields: { [name]: value } })).resolves.toContain(words);
  });

  it('that is a function of patterns has to be called', async () => {
    for (const decorate of [watch('x', becameTrue as never), watch(becameTrue as never)])
      await expect(
        refusalOf((prototype) => {
          first(prototype, 'one');
          decorate(prototype, 'two');
        }),
      ).resolves.toContain(
        "the watcher 'two' has a function where a pattern belongs. Call it: becameTrue().",
      );
  });

  it('may be left out as undefined, and a cooldown needs no pattern', async () => {
    await expect(
      refusalOf((prototype) => {
        phase({ first: true, tools: undefined, when: undefined })(prototype, 'one');
        watch('x', { cooldown: '1m' })(prototype, 'two');
      }),
    ).resolves.toBe('accepted');
  });
});

describe('computed values of a live agent', () => {
  const declare = (prototype: object): void => {
    first(prototype, 'one');
    computed('p')(prototype, 'p');
    computed('q')(prototype, 'q');
  };

  it('that need each other are refused', async () => {
    const members = { p: ({ q = 0 }: Numbers) => q + 1, q: ({ p = 0 }: Numbers) => p + 1 };

    await expect(refusalOf(declare, members)).resolves.toContain("the computed value 'p' depends on itself");
  });

  it('that need what an empty state lacks are accepted', async () => {
    const members = {
      p: ({ order }: { order: { price: number } }) => order.price,
      q: ({ p = 0 }: Numbers) => p.toFixed(2),
    };

    await expect(refusalOf(declare, members)).resolves.toBe('accepted');
  });

  it('have a key', async () => {
    const wrong = (prototype: object): void => {
      first(prototype, 'one');
      computed(undefined as never)(prototype, 'two');
    };

    await expect(refusalOf(wrong)).resolves.toContain("the computed value 'two': its state key is absent");
  });
});

type Numbers = Readonly<Record<string, number>>;

describe('the declarations of a class', () => {
  class Base {
    opening() {
      return '';
    }
  }
  phase({ first: true })(Base.prototype, 'opening');
  phase({ from: 'opening' })(Base.prototype, 'helping');
  watch('mood')(Base.prototype, 'calm');
  computed('heat')(Base.prototype, 'heat');
  extract({ schema: SCHEMA })(Base.prototype, 'feelings');

  it('are those of its base, with its own after them', () => {
    class Derived extends Base {}
    phase()(Derived.prototype, 'closing');
    watch('heat')(Derived.prototype, 'cool');
    computed('share')(Derived.prototype, 'share');
    extract({ schema: SCHEMA })(Derived.prototype, 'names');
    const { phases, watches, values, extracts } = declarationsOf(Derived.prototype);

    expect(phases).toEqual([
      { name: 'opening', options: { first: true } },
      { name: 'helping', options: { from: 'opening' } },
      { name: 'closing', options: {} },
    ]);
    expect(watches.map(({ method, key }) => [method, key])).toEqual([
      ['calm', 'mood'],
      ['cool', 'heat'],
    ]);
    expect(values).toEqual([
      { method: 'heat', key: 'heat' },
      { method: 'share', key: 'share' },
    ]);
    expect(extracts.map(({ method }) => method)).toEqual(['feelings', 'names']);
    expect(declarationsOf(Base.prototype).phases).toHaveLength(2);
  });

  it('replace those of its base of the same name, or, for a value, of the same key', () => {
    class Derived extends Base {}
    phase({ last: true })(Derived.prototype, 'helping');
    watch('heat')(Derived.prototype, 'calm');
    computed('heat')(Derived.prototype, 'warmth');
    extract({ schema: SCHEMA, turns: 1 })(Derived.prototype, 'feelings');
    const { phases, watches, values, extracts } = declarationsOf(Derived.prototype);

    expect(phases.map(({ options }) => options)).toEqual([{ first: true }, { last: true }]);
    expect(watches.map(({ key }) => key)).toEqual(['heat']);
    expect(values).toEqual([{ method: 'warmth', key: 'heat' }]);
    expect(extracts).toEqual([{ method: 'feelings', options: { schema: SCHEMA, turns: 1 } }]);
  });

  it('are empty for a class without any', () => {
    expect(declarationsOf(Object.prototype)).toEqual({ phases: [], watches: [], values: [], extracts: [] });
  });

  it('say of a watcher what it waits for, and with which options', () => {
    class Watching extends Base {}
    const calm = changedTo('calm');
    const long = sustained(() => true, '1m');
    watch('mood')(Watching.prototype, 'any');
    watch('mood', calm, { cooldown: '1m' })(Watching.prototype, 'calmed');
    watch(long)(Watching.prototype, 'long');
    watch(long, { cooldown: '2m' })(Watching.prototype, 'again');
    const [, any, ...others] = declarationsOf(Watching.prototype).watches;
    const seen = { heldMs: undefined, counted: [], at: 0 };

    expect(any).toMatchObject({ method: 'any', key: 'mood', options: {} });
    expect(any?.predicate.isMet({ ...seen, before: 1, now: 2 })).toBe(true);
    expect(any?.predicate.isMet({ ...seen, before: 2, now: 2 })).toBe(false);
    expect(others).toEqual([
      { method: 'calmed', key: 'mood', predicate: calm, options: { cooldown: '1m' } },
      { method: 'long', predicate: long, options: {} },
      { method: 'again', predicate: long, options: { cooldown: '2m' } },
    ]);
  });
});

describe('the models of the extractors of a live agent', () => {
  it('are made ready with the runner, and are none where the model of the agent is asked', async () => {
    const other = new ScriptedModel();
    @agent({ name: 'desk', model: new ScriptedModel(says('Hello.')) })
    class Desk extends LiveAgent {
      @phase({ first: true })
      opening() {
        return '';
      }

      @extract({ schema: SCHEMA, model: other })
      feelings() {
        return '';
      }

      @extract({ schema: SCHEMA })
      names() {
        return '';
      }
    }
    const ready = jest.spyOn(other, 'ready');
    await using runner = await createRunner(Desk);

    expect(new Desk().otherModels).toEqual([other]);
    expect(ready).toHaveBeenCalledTimes(1);
    expect(await runner.ask('Hello?', { userId: 'ada' })).toBe('Hello.');
  });
});
