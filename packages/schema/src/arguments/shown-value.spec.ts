import { shownValue } from './describe-problems.js';

describe('shownValue', () => {
  it.each([
    'password',
    'user_passwd',
    'passphrase',
    'passcode',
    'client_secret',
    'accessToken',
    'apikey',
    'API-Key',
    'api_key',
    'privateKey',
    'private-key',
    'private_key',
    'Authorization',
    'credentials',
    'auth',
    'pin',
    'cvc',
    'cvv',
    'SSN',
  ])('hides what is called %s', (name) => {
    expect(shownValue('x', ['login', name, 'value'])).toBe('(hidden)');
    expect(shownValue({ [name]: 'x' })).toBe(`{"${name}":"(hidden)"}`);
    expect(shownValue(`user=ada, ${name}: x`)).toBe('(hidden)');
  });

  it.each(['author', 'spin', 'pins', 'compass', 'cvcs', 'apikid', 'private'])(
    'shows what is called %s',
    (name) => {
      expect(shownValue('x', [name])).toBe('"x"');
    },
  );

  it.each([
    ['x'.repeat(58), `"${'x'.repeat(58)}"`],
    ['x'.repeat(59), `"${'x'.repeat(59)}…`],
    ['x'.repeat(500), `"${'x'.repeat(59)}…`],
    [`${'x'.repeat(58)}\u{1F600}`, `"${'x'.repeat(58)}…`],
    [`\u{1F600}${'x'.repeat(58)}`, `"\u{1F600}${'x'.repeat(57)}…`],
  ])('cuts a long value, and no character in two: %j', (value, shown) => {
    expect(shownValue(value)).toBe(shown);
  });
});
