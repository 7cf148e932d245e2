import { specialistTurns } from './specialist-turns.js';

describe('specialistTurns', () => {
  it('transfers before each call that the agent of the call before has no tool for', () => {
    const names = [
      'find_user_id_by_email',
      'think',
      'cancel_pending_order',
      'get_order_details',
      'get_user_details',
    ];

    const turns = specialistTurns(names.map((name) => ({ name, args: {} })));

    expect(turns.map(([call]) => call?.args['agent_name'] ?? call?.name)).toEqual([
      'customers',
      'find_user_id_by_email',
      'think',
      'pending_orders',
      'cancel_pending_order',
      'get_order_details',
      'customers',
      'get_user_details',
    ]);
  });

  it('begins with a specialist, also for a call that all of them can make', () => {
    expect(specialistTurns([{ name: 'think', args: {} }])[0]).toEqual([
      { name: 'transfer_to_agent', args: { agent_name: 'customers' } },
    ]);
  });
});
