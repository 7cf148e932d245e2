import type { PendingRequestData } from '@adorn/core/backend';

import { isForOthers, mayBeRemembered, othersText, waitsForText } from './who-answers.js';

const ASKED: PendingRequestData = {
  kind: 'confirmation',
  id: 'r1',
  functionCallId: 'c1',
  tool: 'pay',
  args: {},
};
const MIA = { by: { id: 'mia', roles: ['manager'], attributes: {} } };

describe('whom a request waits for', () => {
  it.each<[string, Partial<PendingRequestData>, boolean, string]>([
    ['a request of no tool that names somebody', {}, false, 'waits for you'],
    ['a request for its requester', { approvers: ['requester'] }, false, 'waits for you'],
    [
      'a request for a role that its requester may have',
      { approvers: [{ role: 'a', self: true }] },
      false,
      'waits for you',
    ],
    ['a request for others', { approvers: ['others'] }, true, 'waits for others'],
    ['a request for a role', { approvers: [{ role: 'manager' }] }, true, 'waits for others'],
  ])('is told of %s', (_what, of, forOthers, text) => {
    const request = { ...ASKED, ...of };
    expect([isForOthers(request), waitsForText(request)]).toEqual([forOthers, text]);
  });

  it.each<[Partial<PendingRequestData>, string]>([
    [{ approvers: ['others'] }, 'It waits for somebody else.'],
    [{ approvers: [{ role: 'manager' }] }, 'It waits for somebody with the role manager.'],
    [
      { approvers: [{ role: 'manager', count: 2 }], approvals: [MIA, MIA] },
      'It waits for 2 people with the role manager: 1 of 2 have approved.',
    ],
  ])('is a sentence for %j', (of, text) => {
    expect(othersText({ ...ASKED, ...of })).toBe(text);
  });

  it('decides whether an approval may be for the session', () => {
    expect(mayBeRemembered(ASKED)).toBe(true);
    expect(mayBeRemembered({ ...ASKED, remember: false })).toBe(false);
    expect(mayBeRemembered({ ...ASKED, askedBy: 'tool' })).toBe(false);
    expect(mayBeRemembered({ ...ASKED, approvers: ['others'] })).toBe(false);
  });
});
