import { fuseRanks } from './sql-memory.service.js';

describe('fuseRanks', () => {
  it('puts what several rankings found before what one found', () => {
    expect(fuseRanks(['a', 'b', 'c'], ['d', 'c', 'e'])).toEqual(['c', 'a', 'd', 'b', 'e']);
  });

  it('keeps the order of a ranking that is alone', () => {
    expect(fuseRanks([3, 1, 2], [])).toEqual([3, 1, 2]);
  });
});
