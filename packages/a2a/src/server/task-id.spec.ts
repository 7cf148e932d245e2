import fc from 'fast-check';

import {
  invocationIdOf,
  isCancellationId,
  isUsableId,
  newCancellationId,
  newContextId,
  placeOf,
} from './task-id.js';

describe('the id of a task', () => {
  it('says where the task is, for any two ids that fit into it', () => {
    const id = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
    fc.assert(
      fc.property(id, id, (sessionId, messageId) => {
        const place = { sessionId, messageId };

        expect([isUsableId(sessionId), placeOf(invocationIdOf(place))]).toEqual([true, place]);
      }),
    );
  });

  it.each([
    '',
    'a2a',
    'a2a.',
    'a2a.czE',
    'a2a..bTE',
    'a2a.czE.',
    'a2a.czE.bTE.x',
    'b2b.czE.bTE',
    'a2a.czE=.bTE',
    'a2a.czE.bT%',
  ])('is not %j', (text) => {
    expect(placeOf(text)).toBeUndefined();
  });

  it.each<[string, boolean]>([
    ['', false],
    ['a'.repeat(160), true],
    ['a'.repeat(161), false],
    ['é'.repeat(80), true],
    ['é'.repeat(81), false],
    ['\ud800', false],
  ])('has room for the id of a peer or not: %#', (id, isUsable) => {
    expect(isUsableId(id)).toBe(isUsable);
  });

  it('of a cancellation is no id of a message, and always another', () => {
    const id = newCancellationId();

    expect([isCancellationId(id), placeOf(id)]).toEqual([true, undefined]);
    expect(newCancellationId()).not.toBe(id);
    expect(isCancellationId(invocationIdOf({ sessionId: 's1', messageId: 'a2a-cancel.' }))).toBe(false);
  });

  it('of a conversation is the same for a message that a principal sends again, and for no other', () => {
    const id = newContextId('ada', 'm1');

    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(newContextId('ada', 'm1')).toBe(id);
    expect(
      new Set([id, newContextId('bob', 'm1'), newContextId('ada', 'm2'), newContextId('adam', '1')]).size,
    ).toBe(4);
  });
});
