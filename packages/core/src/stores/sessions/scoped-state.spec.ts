import { ScopedState, ScopeValues } from './stored-session.js';

describe('ScopedState', () => {
  it('writes each key to the scope that its prefix names', () => {
    const scopes = { app: new ScopeValues(), user: new ScopeValues(), session: new ScopeValues() };
    const state = new ScopedState(scopes);

    state.apply({ city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi', 'temp:draft': 1 });

    expect([{ ...scopes.app.values }, { ...scopes.user.values }, { ...scopes.session.values }]).toEqual([
      { 'app:motto': 'Hi' },
      { 'user:theme': 'dark' },
      { city: 'Oslo' },
    ]);
  });

  it('finds a key in its scope without reading the others', () => {
    const scopes = { app: new ScopeValues(), user: new ScopeValues(), session: new ScopeValues() };
    const state = new ScopedState(scopes);
    state.apply({ city: 'Oslo', 'user:theme': 'dark', 'app:motto': 'Hi', 'temp:draft': 1 });
    const unlisted = { ownKeys: () => fail('the keys were listed') };
    for (const scope of Object.values(scopes)) scope.values = new Proxy(scope.values, unlisted);

    expect(['city', 'user:theme', 'app:motto', 'temp:draft'].map((key) => state.find(key))).toEqual([
      'Oslo',
      'dark',
      'Hi',
      undefined,
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('finds no %s that nobody wrote', (key) => {
    const state = new ScopedState({
      app: new ScopeValues(),
      user: new ScopeValues(),
      session: new ScopeValues(),
    });

    expect(state.find(key)).toBeUndefined();
    state.apply(JSON.parse(`{ "${key}": 1 }`) as Record<string, unknown>);
    expect([state.find(key), Object.entries(state.all)]).toEqual([1, [[key, 1]]]);
  });

  it('copies all keys only after a change of one of its scopes', () => {
    const shared = { app: new ScopeValues(), user: new ScopeValues() };
    const mine = new ScopedState({ ...shared, session: new ScopeValues() });
    const other = new ScopedState({ ...shared, session: new ScopeValues() });
    const before = mine.all;

    other.apply({ city: 'Oslo', 'temp:draft': 1 });
    expect(mine.all).toBe(before);
    other.apply({ 'user:theme': 'dark' });

    expect([{ ...mine.all }, { ...before }]).toEqual([{ 'user:theme': 'dark' }, {}]);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
