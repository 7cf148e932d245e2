import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { migrateCommand } from './migrate.command.js';

describe('adorn migrate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-migrate-'));
  const path = join(folder, 'app.db');

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('fails where something is due and only looked at, makes the tables, and then has nothing to do', async () => {
    await expect(run(path, '--check')).rejects.toMatchObject({ code: 'STORAGE_OUTDATED' });

    expect(await run(path)).toEqual(expect.arrayContaining(['001-sessions done', `${path} is up to date.`]));
    expect(await run(path)).toEqual([`${path} is up to date.`]);
    expect(await run(path, '--check')).toEqual([`${path} is up to date.`]);
  });

  it('says which URL it does not know', async () => {
    await expect(run('mysql://localhost/app')).rejects.toMatchObject({ code: 'STORAGE_URL_INVALID' });
  });
});

/** The lines that it printed. */
async function run(...options: string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await migrateCommand().parseAsync(options, { from: 'user' });
    return lines;
  } finally {
    log.mockRestore();
  }
}
