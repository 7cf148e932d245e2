import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { fromTar, toTar } from './tar.js';

describe('archives', () => {
  it('read what they wrote', () => {
    const file = fc.record({
      name: fc.stringMatching(/^[a-z0-9]{1,90}$/),
      data: fc.uint8Array({ maxLength: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (files) => {
        expect(fromTar(toTar(files)).map(({ name, data }) => ({ name, data: new Uint8Array(data) }))).toEqual(
          files,
        );
      }),
    );
  });

  it('are those of tar, long names and all', () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-tar-'));
    const long = 'n'.repeat(150);
    writeFileSync(join(folder, long), 'long');
    writeFileSync(join(folder, 'empty'), '');

    const files = fromTar(execFileSync('tar', ['-cf', '-', '-C', folder, '.']));

    expect(files.map(({ name, data }) => [name, Buffer.from(data).toString()]).sort()).toEqual([
      ['empty', ''],
      [long, 'long'],
    ]);
    expect(
      execFileSync('tar', ['-tf', '-'], {
        input: toTar([{ name: 'work/a', data: Buffer.from('1') }]),
      }).toString(),
    ).toBe('work/a\n');
  });

  it('may be anything: reading never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => Array.isArray(fromTar(Buffer.from(bytes)))),
    );
    const forged = toTar([{ name: 'a', data: Buffer.from('x') }]);
    forged.write('77777777777\0', 124);
    expect(fromTar(forged)).toEqual([]);
  });
});
