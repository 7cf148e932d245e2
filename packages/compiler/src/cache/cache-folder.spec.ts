import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pruneEntries } from './cache-folder.js';

describe('the cache of a package', () => {
  it('has a bound: the oldest entries go, by any number of processes at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-entries-'));
    for (const age of [5, 1, 4, 2, 3]) {
      writeFileSync(join(folder, `${String(age)}.json`), '{}');
      utimesSync(join(folder, `${String(age)}.json`), 100 - age, 100 - age);
    }
    writeFileSync(join(folder, 'draft.tmp'), '');

    await Promise.all([pruneEntries(folder, 2), pruneEntries(folder, 2)]);
    expect(readdirSync(folder).sort()).toEqual(['1.json', '2.json', 'draft.tmp']);

    await pruneEntries(folder, 2);
    expect(readdirSync(folder)).toHaveLength(3);
    rmSync(folder, { recursive: true });
  });
});
