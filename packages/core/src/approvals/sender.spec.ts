import fc from 'fast-check';

import { readSender } from '../backend.js';
import { AdornError } from '../index.js';

describe('what authenticate returns', () => {
  it.each([
    ['ada', 'ada', { id: 'ada' }],
    [{ id: 'ada', roles: ['manager'], tenant: 'acme' }, 'ada', { roles: ['manager'], tenant: 'acme' }],
    [{ userId: 'ada' }, 'ada', { id: 'ada' }],
    [{ userId: 'ada', by: 'mia' }, 'ada', { id: 'mia', actsFor: 'ada' }],
    [{ id: 'mia', userId: 'ada', actsFor: 'bob' }, 'ada', { id: 'mia', actsFor: 'bob' }],
    [
      { id: 'ada', attributes: { isEmployee: true, level: 7, team: ['books'] } },
      'ada',
      { attributes: { isEmployee: true, level: 7, team: ['books'] } },
    ],
  ])('%j is of the user %s', (given, userId, principal) => {
    const sender = readSender(given);
    expect(sender).toMatchObject({ userId, principal });
    expect(Object.isFrozen(sender?.principal)).toBe(true);
  });

  it.each([[undefined], [null], ['']])('%j is nobody', (given) => {
    expect(readSender(given)).toBeUndefined();
  });

  it.each<[unknown]>([
    [7],
    [true],
    [['ada']],
    [{}],
    [{ id: 7 }],
    [{ id: '' }],
    [{ userId: '' }],
    [{ id: 'mia', userId: '', actsFor: 'bob' }],
    [{ id: null, userId: 'ada' }],
    [{ by: null, userId: 'ada' }],
    [{ id: 'ada', userId: null }],
    [{ id: 'ada', userId: 7 }],
    [{ id: 'ada', roles: null }],
    [{ id: 'ada', roles: 'manager' }],
    [{ id: 'ada', roles: [7] }],
    [{ id: 'ada', tenant: null }],
    [{ id: 'ada', tenant: {} }],
    [{ id: 'ada', tenant: '' }],
    [{ id: 'ada', actsFor: null }],
    [{ id: 'ada', actsFor: 7 }],
    [{ id: 'ada', attributes: null }],
    [{ id: 'ada', attributes: [] }],
    [{ id: 'ada', attributes: { team: {} } }],
    [{ id: 'ada', attributes: { team: null } }],
    [{ id: 'ada', attributes: { team: NaN } }],
  ])('%j is refused', (given) => {
    expect(() => readSender(given)).toThrow(expect.objectContaining({ code: 'PRINCIPAL_INVALID' }) as Error);
  });

  it('is nobody, a sender, or a typed error, whatever it is', () => {
    const names = fc.constantFrom('id', 'by', 'userId', 'roles', 'tenant', 'attributes', 'actsFor');
    const given = fc.oneof(fc.anything(), fc.dictionary(names, fc.anything()));
    fc.assert(
      fc.property(given, (value) => {
        try {
          const sender = readSender(value);
          if (sender === undefined) return;
          expect(sender.userId).not.toBe('');
          expect(JSON.parse(JSON.stringify(sender))).toEqual(sender);
        } catch (error) {
          expect(AdornError.is(error) && error.code).toBe('PRINCIPAL_INVALID');
        }
      }),
      { numRuns: 2_000, seed: 8 },
    );
  });
});
