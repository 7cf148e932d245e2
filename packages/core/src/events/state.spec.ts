import { ReadonlyState, State, type StateLayers } from './state.js';

const STORED: StateLayers['stored'] = Object.assign(Object.create(null), {
  city: 'Oslo',
  zero: 0,
  no: false,
  none: '',
  'user:theme': 'dark',
  'app:motto': 'Hi',
});

const LAYERS: StateLayers = {
  stored: STORED,
  findStored: (key) => STORED[key],
  temporary: { 'temp:draft': 1 },
};

describe('ReadonlyState', () => {
  const state = new ReadonlyState(LAYERS);

  it('reads every layer by its prefix', () => {
    expect(['city', 'user:theme', 'app:motto', 'temp:draft'].map((key) => state.get(key))).toEqual([
      'Oslo',
      'dark',
      'Hi',
      1,
    ]);
  });

  it('falls back where a key is absent, and nowhere else', () => {
    expect(
      ['zero', 'no', 'none', 'absent', 'temp:absent'].map((key) => state.get<unknown>(key, 'fallback')),
    ).toEqual([0, false, '', 'fallback', 'fallback']);
    expect(state.get('absent')).toBeUndefined();
  });

  it('knows which keys there are', () => {
    expect(['zero', 'no', 'none', 'temp:draft'].map((key) => state.has(key))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['absent', 'draft', 'theme'].map((key) => state.has(key))).toEqual([false, false, false]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'knows no %s that nobody wrote',
    (key) => {
      expect([state.get(key), state.has(key)]).toEqual([undefined, false]);
    },
  );

  it('lists every key with its value', () => {
    expect(Object.fromEntries(state.entries())).toEqual({ ...LAYERS.stored, ...LAYERS.temporary });
  });
});

describe('State', () => {
  it('reads its own writes, and the layers beneath them', () => {
    const state = new State(LAYERS);

    state.set('city', 'Rome');
    state.set('user:size', 2);
    state.set('temp:draft', 3);

    expect(['city', 'user:size', 'temp:draft', 'app:motto'].map((key) => state.get(key))).toEqual([
      'Rome',
      2,
      3,
      'Hi',
    ]);
    expect(LAYERS.stored['city']).toBe('Oslo');
  });

  it('has written nothing until it is written to', () => {
    const state = new State(LAYERS);
    state.get('city');
    state.has('city');
    state.entries();

    expect(state.written).toBeUndefined();
  });

  it('tells what was written, the last write of a key winning', () => {
    const state = new State(LAYERS);

    state.set('city', 'Rome');
    state.set('size', 0);
    state.set('city', 'Bern');
    state.delete('user:theme');
    state.set('app:motto', undefined);
    state.set('temp:draft', null);

    expect({ ...state.written }).toEqual({
      city: 'Bern',
      size: 0,
      'user:theme': null,
      'app:motto': null,
      'temp:draft': null,
    });
  });

  it('does not see what it removed', () => {
    const state = new State(LAYERS);

    state.delete('city');
    state.delete('temp:draft');

    expect([
      state.get('city'),
      state.has('city'),
      state.get('city', 'none'),
      state.has('temp:draft'),
    ]).toEqual([undefined, false, 'none', false]);
    expect(state.entries().map(([key]) => key)).toEqual(['zero', 'no', 'none', 'user:theme', 'app:motto']);
  });

  it('sees a key that was removed and written again', () => {
    const state = new State(LAYERS);

    state.delete('city');
    state.set('city', 'Rome');

    expect([state.get('city'), state.has('city'), { ...state.written }]).toEqual([
      'Rome',
      true,
      { city: 'Rome' },
    ]);
  });

  it.each(['__proto__', 'constructor'])('takes %s for a key like any other', (key) => {
    const state = new State(LAYERS);

    state.set(key, { polluted: true });

    expect(state.get(key)).toEqual({ polluted: true });
    expect(Object.keys(state.written ?? {})).toEqual([key]);
    expect(state.entries().at(-1)).toEqual([key, { polluted: true }]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
