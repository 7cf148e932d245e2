import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrateCommand } from '../migrate.command.js';
import { printedBy } from '../project.fixture.js';

describe('adorn migrate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-migrate-'));
  const path = join(folder, 'app.db');

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('fails where something is due and only looked at, makes the tables, and then has nothing to do', async () => {
    await expect(run(path, '--check')).rejects.toThrow(`There is no ${path} yet`);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, '');
    await expect(run(path, '--check')).rejects.toMatchObject({ code: 'STORAGE_OUTDATED' });

    expect(await run(path)).toEqual(expect.arrayContaining(['001-sessions done', `${path} is up to date.`]));
    expect(await run(path)).toEqual([`${path} is up to date.`]);
    expect(await run(path, '--check')).toEqual([`${path} is up to date.`]);
  });

  it('is what adorn migrate does', async () => {
    expect(await run('database', path)).toEqual([`${path} is up to date.`]);
  });

  it('says which URL it does not know', async () => {
    await expect(run('mysql://localhost/app')).rejects.toMatchObject({ code: 'STORAGE_URL_INVALID' });
  });
});

/** The lines that it printed. */
async function run(...args: string[]): Promise<string[]> {
  return (await printedBy(migrateCommand, args)).trimEnd().split('\n');
}
