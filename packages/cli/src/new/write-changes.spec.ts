import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CommandFailedError } from '../command-failed.error.js';
import { writeChanges } from './changes.js';

describe('writeChanges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-changes-'));

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('leaves nothing of a new folder if one of its files cannot be written', () => {
    const root = join(folder, 'new/app');

    expect(() => writeChanges(root, [created('src/a.ts'), created('b'), created('b/c')])).toThrow(
      CommandFailedError,
    );

    expect(existsSync(join(folder, 'new'))).toBe(false);
  });

  it('restores what it had changed, and never overwrites a file', () => {
    const root = join(folder, 'old');
    mkdirSync(root);
    writeFileSync(join(root, 'package.json'), 'before');
    writeFileSync(join(root, 'taken'), 'mine');
    const update = {
      kind: 'update',
      path: 'package.json',
      before: 'before',
      text: 'after',
      added: '',
    } as const;

    expect(() => writeChanges(root, [update, created('src/a.ts'), created('taken')])).toThrow(
      `Cannot write ${join(root, 'taken')}: EEXIST: file already exists`,
    );

    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe('before');
    expect(readFileSync(join(root, 'taken'), 'utf8')).toBe('mine');
    expect(existsSync(join(root, 'src'))).toBe(false);
  });
});

function created(path: string): { kind: 'create'; path: string; text: string } {
  return { kind: 'create', path, text: 'text' };
}
