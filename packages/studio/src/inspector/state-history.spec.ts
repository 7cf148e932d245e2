import { frameAt } from '../frames.fixture.js';
import { savedFiles, stateChanges } from './state-history.js';

describe('the history of the state', () => {
  it('has each change with what was there before, and each version of a file', () => {
    const frames = [
      frameAt(1, { kind: 'state', stateDelta: { city: 'Oslo' }, artifactDelta: {} }),
      frameAt(2, { kind: 'state', stateDelta: { city: null }, artifactDelta: { 'a.txt': 0 } }),
    ];

    expect(stateChanges(frames)).toMatchObject([
      { key: 'city', before: undefined, after: 'Oslo', eventId: 'e1' },
      { key: 'city', before: 'Oslo', after: null, eventId: 'e2' },
    ]);
    expect(savedFiles(frames)).toMatchObject([{ name: 'a.txt', version: 0, eventId: 'e2' }]);
  });
});
