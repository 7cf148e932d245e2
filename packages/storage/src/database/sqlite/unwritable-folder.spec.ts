import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';

import { Database } from '../database.js';
import { folderFault } from './unwritable-folder.js';

/** The user `nobody`: root may write everywhere. */
const NOBODY = 65_534;

describe('the folder of a SQLite file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'adorn-folder-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that the user may not write to is named in the error, with the user', async () => {
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o555 });

    const refused = await asNobody(() => refusalOf(join(data, 'app.db')));

    expect(refused).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(refused).toHaveProperty(
      'message',
      expect.stringMatching(/The user \S+( \(\d+\))? may not write to the folder \S+data: change the owner/),
    );
  });

  it('that does not exist is named in the error', async () => {
    expect(await refusalOf(join(folder, 'later', 'app.db'))).toHaveProperty(
      'message',
      expect.stringContaining(`The folder ${join(folder, 'later')} does not exist: create it.`),
    );
  });

  it('has nothing left in it by the question', () => {
    expect(folderFault(join(folder, 'app.db'))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function refusalOf(file: string): Promise<unknown> {
  const database = new Database(file);
  try {
    return await database.run((queries) => sql`select 1`.execute(queries)).catch((error: unknown) => error);
  } finally {
    await database.close();
  }
}

/** Runs the work as a user without rights of root. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
