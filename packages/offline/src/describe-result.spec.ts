import { describeResult, isFailure } from './describe-result.js';

describe('describeResult', () => {
  it.each([
    [{ result: 17 }, 'roll: 17.'],
    [{ result: ['a', 'b'] }, 'roll: a, b.'],
    [{ result: null }, 'roll: nothing.'],
    [{ status: 'ok' }, 'roll says: ok.'],
    [{ status: 'ok', order: { orderId: 'W1', items: ['1 x lamp'] } }, 'roll: order id: W1, items: 1 x lamp.'],
    [{ status: 'not_found', message: 'There is no order W1.' }, 'There is no order W1.'],
    [
      { status: 'low', stock: 2, address: { city: 'Oslo' } },
      'roll: status: low, stock: 2, address (city: Oslo).',
    ],
    [{ orders: [{ orderId: 'W1' }, { orderId: 'W2' }] }, 'roll found:\n- order id: W1\n- order id: W2'],
    [{ orders: [] }, 'roll: none.'],
    [{ error: 'upstream is down' }, 'roll did not work: upstream is down'],
    [{ error: 'tool call was rejected by the user' }, 'You declined roll, so it was not done.'],
    [
      { error: 'tool call was rejected', reason: 'too much' },
      'roll was declined, so it was not done: too much',
    ],
  ])('tells %j plainly', (response, text) => {
    expect(describeResult({ name: 'roll', response })).toBe(text);
  });
});

describe('isFailure', () => {
  it('takes an error, and a status that is no success, for a failure', () => {
    expect(isFailure({ response: { error: 'no' } })).toBe(true);
    expect(isFailure({ response: { status: 'not_found' } })).toBe(true);
    expect(isFailure({ response: { status: 'ok' } })).toBe(false);
    expect(isFailure({ response: { result: 1 } })).toBe(false);
  });
});
