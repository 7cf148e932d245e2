import { confirmationOf, toConfirmation } from './tool-requests.js';

const DEFAULT = { hint: 'Approve execution of tool `pay`?' };

describe('what confirm returns', () => {
  it.each([
    [false, undefined],
    [true, DEFAULT],
    ['Pay 5 EUR?', { hint: 'Pay 5 EUR?' }],
    ['', DEFAULT],
    [undefined, DEFAULT],
    [null, DEFAULT],
    [0, DEFAULT],
    [{}, DEFAULT],
    [{ hint: 5 }, DEFAULT],
    [
      { hint: 'Pay?', payload: { cents: 5 } },
      { hint: 'Pay?', payload: { cents: 5 } },
    ],
  ])('lets a call run unasked only by false: %j', (asked, confirmation) => {
    expect(toConfirmation(asked, 'pay')).toEqual(confirmation);
  });

  it.each([[null], [{}], [{ hint: null }], ['Pay?']])('is no confirmation: %j', (asked) => {
    expect(confirmationOf(asked, 'pay')).toEqual(DEFAULT);
  });
});
