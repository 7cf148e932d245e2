import { agent, createRunner } from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { checkDeclarations, PhasesInvalidError, sourcesOf } from './check-declarations.js';
import { computed, extract, LiveAgent, phase, watch } from './index.js';
import { declarationsOf, type LiveDeclarations } from './phase.decorator.js';
import { changed, changedTo, sustained } from './watch-predicates.js';

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
    [
      "the schema of the extractor 'mood' is not that of an object with properties",
      extractOf({ schema: { ...SCHEMA, type: 'array' } }),
    ],
    [
      "the schema of the extractor 'mood' is not that of an object with properties",
      extractOf({ schema: { type: 'object', properties: {} } }),
    ],
    [
      "the schema of the extractor 'mood' is not that of an object with properties",
      extractOf({ schema: { type: 'object' } }),
    ],
    [
      "the schema of the extractor 'mood' is not that of an object with properties",
      extractOf({ schema: undefined }),
    ],
    [
      "the extractor 'mood' writes 'phase', which belongs to the phases",
      extractOf({ schema: { type: 'object', properties: { mood: {}, phase: {} } } }),
    ],
    [
      "the extractor 'mood' writes 'live_memory', which belongs to the phases",
      extractOf({ schema: { type: 'object', properties: { live_memory: {} } } }),
    ],
    ["the extractor 'mood' reads 0 turns", extractOf({ turns: 0 })],
    ["the extractor 'mood' reads 1.5 turns", extractOf({ turns: 1.5 })],
    ["the extractor 'mood' reads 3 turns", extractOf({ turns: '3' })],
    ["the extractor 'mood' reads every 0 turns", extractOf({ every: 0 })],
    ["the extractor 'mood' reads every -1 turns", extractOf({ every: -1 })],
    ['the extractor \'mood\' has "soon", which is no duration', extractOf({ timeout: 'soon' })],
    ['the extractor \'mood\' has "-1", which is no duration', extractOf({ timeout: -1 })],
    ['the extractor \'mood\' has "NaN", which is no duration', extractOf({ timeout: NaN })],
    ['the watcher \'calm\' has "soon", which is no duration', cooling('soon')],
    ['the watcher \'calm\' has "-1", which is no duration', cooling(-1)],
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
        message: `The live agent Desk cannot be used: ${fault}. Correct its decorators.`,
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
    }).toThrow('no phases registered');
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
