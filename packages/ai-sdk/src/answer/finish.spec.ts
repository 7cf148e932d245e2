import { outcomeOf } from './finish.js';

describe('outcomeOf', () => {
  it('blocks an answer that was filtered, also if the package does not know the reason', () => {
    const blocked = { finishReason: 'SAFETY', errorCode: 'SAFETY' };

    expect(outcomeOf({ unified: 'content-filter', raw: 'content_filter' })).toMatchObject(blocked);
    expect(outcomeOf({ unified: 'other', raw: 'content_filter' })).toMatchObject(blocked);
    expect(outcomeOf({ unified: 'other', raw: 'new_reason' })).toEqual({ finishReason: 'NEW_REASON' });
  });
});
