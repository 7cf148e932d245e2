import { fileURLToPath } from 'node:url';

import { judgeRow } from './judge-row.js';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const SPEC = 'judge-row.spec.ts';

describe('judgeRow', () => {
  it('finds a test by its spec and its title', () => {
    const held = [{ spec: SPEC, test: 'finds a test by its spec and its title' }];

    expect(judgeRow({ row: 'A-1', says: 'a', held }, ROOT).fault).toBeUndefined();
  });

  it('accepts a row without a test where a reason is given', () => {
    expect(judgeRow({ row: 'A-1', says: 'a', held: [], missing: 'not built' }, ROOT).fault).toBeUndefined();
  });

  it.each([
    ['has neither a test nor a reason', { held: [] }],
    ['has neither a test nor a reason', { held: [], missing: ' ' }],
    ['there is no gone.spec.ts', { held: [{ spec: 'gone.spec.ts', test: 'a' }] }],
    [`${SPEC} has no test "a"`, { held: [{ spec: SPEC, test: 'a' }], missing: 'partly' }],
  ])('says that it %s', (fault, fields) => {
    expect(judgeRow({ row: 'A-1', says: 'a', ...fields }, ROOT)).toEqual({ what: 'A-1 (a)', fault });
  });
});
