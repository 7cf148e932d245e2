import { turnsOf } from './turns-of.js';

describe('turnsOf', () => {
  const steps = [
    'get_order_details',
    'find_user_id_by_email',
    'cancel_pending_order',
    'think',
    'calculate',
  ].map((name) => ({ name, args: {}, output: '' }));

  it('gives each call a turn of its own', () => {
    expect(turnsOf(steps, false)).toEqual(steps.map((step) => [step]));
  });

  it('puts reads in a row into one turn, and no write beside another call', () => {
    expect(turnsOf(steps, true).map((turn) => turn.map(({ name }) => name))).toEqual([
      ['get_order_details', 'find_user_id_by_email'],
      ['cancel_pending_order'],
      ['think', 'calculate'],
    ]);
  });
});
