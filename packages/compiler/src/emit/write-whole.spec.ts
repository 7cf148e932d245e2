import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { replaceWhole } from './write-whole.js';

describe('replaceWhole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-write-'));
  const path = join(folder, 'a.js');
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('replaces what it was told is there, and leaves alone what somebody wrote since', () => {
    writeFileSync(path, 'one');

    expect(replaceWhole(path, 'one', 'two')).toBe(true);
    expect(replaceWhole(path, 'one', 'three')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(folder)).toEqual(['a.js']);
  });

  it('does not bring back what was taken away', () => {
    rmSync(path, { force: true });

    expect(replaceWhole(path, 'two', 'three')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
