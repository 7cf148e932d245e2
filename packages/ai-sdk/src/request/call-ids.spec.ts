import { type CallIdRule, CallIds } from './call-ids.js';

const RULES: readonly (readonly [CallIdRule, RegExp])[] = [
  ['up to 64', /^[\w-]{1,64}$/],
  ['up to 40', /^[\w-]{1,40}$/],
  ['nine alphanumerics', /^[A-Za-z0-9]{9}$/],
];

/** As vendors write them; the last ones are too long or hold other characters. */
const IDS = [
  'abcdefghi',
  'call_Abc123456789012345678',
  'toolu_01A09q90qw90lq917835lq9',
  'functions.get_weather:0',
  'tooluse_kZJMlvQmRJ6eAyJE5GIl7Q',
  `call_${'x'.repeat(55)}`,
  'x'.repeat(446),
  'ø|1',
];

describe('CallIds', () => {
  it.each(RULES)('gives only ids that the rule "%s" accepts, each call another', (rule, accepted) => {
    const ids = new CallIds(rule);

    const given = [...IDS.map((id) => ids.ofCall({ id })), ids.ofCall({}), ids.ofCall({ id: '' })];

    for (const id of given) expect(id).toMatch(accepted);
    expect(new Set(given).size).toBe(given.length);
    expect(IDS.map((id) => ids.ofResponses([])({ id }))).toEqual(given.slice(0, IDS.length));
  });

  it('keeps the ids that the provider accepts', () => {
    expect(new CallIds('nine alphanumerics').ofCall({ id: 'D681PevKs' })).toBe('D681PevKs');
    expect(new CallIds('up to 40').ofCall({ id: 'call_abc' })).toBe('call_abc');
  });

  it('gives the same ids in another process, and keeps them when further calls follow', () => {
    const first = new CallIds('nine alphanumerics');
    const second = new CallIds('nine alphanumerics');

    const before = [{ id: 'call_1' }, {}, { id: 'call_2' }].map((call) => first.ofCall(call));
    const after = [{ id: 'call_1' }, {}, { id: 'call_2' }, {}].map((call) => second.ofCall(call));

    expect(after.slice(0, 3)).toEqual(before);
    expect(before).toEqual(['32wx6ks9u', '60zkah4y4', '5ngxkupq9']);
  });

  it('gives calls without ids none that another call has, whichever comes first', () => {
    const [before, after] = [new CallIds('up to 64'), new CallIds('up to 64')];

    expect(before.ofCall({ id: 'call_1' })).toBe('call_1');
    expect(before.ofCall({})).not.toBe('call_1');
    expect(after.ofCall({})).toBe('call_1');
    expect(after.ofCall({ id: 'call_1' })).not.toBe('call_1');
  });

  it('pairs responses without ids by name and order', () => {
    const ids = new CallIds('nine alphanumerics');
    const calls = ['a', 'b', 'a'].map((name) => ({ name, id: ids.ofCall({ name }) }));
    const idOf = ids.ofResponses(calls);

    expect(['a', 'a', 'b'].map((name) => idOf({ name }))).toEqual([calls[0]?.id, calls[2]?.id, calls[1]?.id]);
  });
});
