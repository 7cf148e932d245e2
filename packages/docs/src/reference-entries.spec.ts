import { ROOT } from './folders.js';
import { listReferenceEntries, typedocName } from './reference-entries.js';

describe('listReferenceEntries', () => {
  it('has what programs import of each published package, and nothing of private ones', () => {
    const entries = listReferenceEntries(ROOT);
    const names = entries.map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining([
        'adorn',
        'adorn/backend',
        '@adorn/core',
        '@adorn/core/backend',
        '@adorn/server/client',
      ]),
    );
    expect(names.filter((name) => /conformance|chaos|benchmarks|docs|package\.json/.test(name))).toEqual([]);
    expect(new Set(entries.map(({ types }) => typedocName(types))).size).toBe(entries.length);
  });
});
