import { isTemporary, scopeOf } from './state.js';

describe('scopeOf', () => {
  it.each([
    ['app:motto', 'app'],
    ['user:theme', 'user'],
    ['temp:draft', 'temp'],
    ['app:', 'app'],
    ['temp:', 'temp'],
    ['city', 'session'],
    ['', 'session'],
    ['APP:motto', 'session'],
    ['app', 'session'],
    [' app:motto', 'session'],
    ['my:app:motto', 'session'],
    ['user:app:motto', 'user'],
    ['__proto__', 'session'],
  ])('of %p is %s', (key, scope) => {
    expect(scopeOf(key)).toBe(scope);
    expect(isTemporary(key)).toBe(scope === 'temp');
  });
});
