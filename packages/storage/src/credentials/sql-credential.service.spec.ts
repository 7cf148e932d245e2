import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import type { AuthCredential } from '@adorn/core';
import { describeCredentialService } from '@adorn/testing/contracts';
import { sql } from 'kysely';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { Database } from '../database/database.js';
import { EncryptionKey } from './encryption-key.js';
import { Keyring } from './keyring.js';
import { SqlCredentialService } from './sql-credential.service.js';

const ADA = { appName: 'app', userId: 'ada' };
const EVE = { ...ADA, userId: 'eve' };
const CANARY = 'canary-5f1c';
const SECRET: AuthCredential = { type: 'bearer', token: CANARY };
const OLD = EncryptionKey.make();
const NEW = EncryptionKey.make();

describeEachDatabase((name, open) => {
  describeCredentialService(
    `SqlCredentialService on ${name}`,
    async () => new SqlCredentialService(await open(), Keyring.of(NEW)),
  );

  describe('S15 a stored credential', () => {
    it('is nowhere in the rows, and never the same twice', async () => {
      const database = await open();
      const credentials = new SqlCredentialService(database, Keyring.of(NEW));
      for (const key of ['a', 'b']) await credentials.save(ADA, key, SECRET);

      const rows = await rowsOf(database);

      expect(JSON.stringify(rows)).not.toContain(CANARY);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, 8));
      const nonces = rows.map(({ sealed }) => sealed.slice(0, 16));
      expect(new Set(nonces).size).toBe(2);
    });

    it.each([
      ['another user', EVE, 'weather'],
      ['another key of the same user', ADA, 'calendar'],
      ['another application', { ...ADA, appName: 'other' }, 'weather'],
    ])('that is copied to the row of %s does not open there', async (_whose, scope, key) => {
      const database = await open();
      const credentials = new SqlCredentialService(database, Keyring.of(NEW));
      await credentials.save(ADA, 'weather', SECRET);
      await credentials.save(scope, key, { type: 'bearer', token: 'eve' });

      const { sealed } = (await rowsOf(database)).find((row) => isOf(row, ADA, 'weather'))!;
      await database.run((queries) => sql`update adorn_credentials set sealed = ${sealed}`.execute(queries));

      await expect(credentials.load(scope, key)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
      expect(await credentials.load(ADA, 'weather')).toEqual(SECRET);
    });

    it.each([0, 11, 12, 20, -1])('whose byte %i is another does not open', async (index) => {
      const database = await open();
      const credentials = new SqlCredentialService(database, Keyring.of(NEW));
      await credentials.save(ADA, 'weather', SECRET);

      const [{ sealed }] = await rowsOf(database);
      await database.run((queries) =>
        sql`update adorn_credentials set sealed = ${flipped(sealed, index)}`.execute(queries),
      );

      const refused = credentials.load(ADA, 'weather');
      await expect(refused).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
      await expect(refused).rejects.not.toThrow(CANARY);
    });

    it('is told by no error, and neither are the keys', async () => {
      const database = await open();
      const credentials = new SqlCredentialService(database, Keyring.of(OLD));
      await credentials.save(ADA, 'weather', SECRET);
      const stranger = new SqlCredentialService(database, Keyring.of(NEW));

      const error: unknown = await stranger.load(ADA, 'weather').catch((fault: unknown) => fault);

      expect(error).toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
      for (const found of [error, stranger, credentials, await credentials.load(ADA, 'weather')]) {
        const printed = inspect(found, { depth: null, showHidden: true });
        for (const secret of [CANARY, OLD, NEW]) expect(printed).not.toContain(secret);
      }
    });
  });

  describe('rotation', () => {
    it('reads with every key, encrypts with the first, and then needs no other', async () => {
      const database = await open();
      const before = new SqlCredentialService(database, Keyring.of(OLD));
      for (const key of ['a', 'b']) await before.save(ADA, key, SECRET);
      const between = new SqlCredentialService(database, Keyring.of(NEW, OLD));
      expect(await between.load(ADA, 'a')).toEqual(SECRET);

      expect(await between.rotate()).toBe(2);

      expect(await between.rotate()).toBe(0);
      const after = new SqlCredentialService(database, Keyring.of(NEW));
      expect(await after.load(ADA, 'a')).toEqual(SECRET);
      await expect(before.load(ADA, 'a')).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
    });

    it('is not held up by what nobody can read', async () => {
      const database = await open();
      const lost = new SqlCredentialService(database, Keyring.of(EncryptionKey.make()));
      await lost.save(ADA, 'a', SECRET);
      await new SqlCredentialService(database, Keyring.of(OLD)).save(ADA, 'b', SECRET);

      const rotated = new SqlCredentialService(database, Keyring.of(NEW, OLD)).rotate();

      await expect(rotated).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
      const after = new SqlCredentialService(database, Keyring.of(NEW));
      expect(await after.load(ADA, 'b')).toEqual(SECRET);
      expect(await lost.load(ADA, 'a')).toEqual(SECRET);
    });
  });

  it('S19 a credential that looks like code comes back as text', async () => {
    const credentials = new SqlCredentialService(await open(), Keyring.of(NEW));
    const token = '{"__proto__":{"polluted":true},"lc":1}';

    await credentials.save(ADA, 'weather', { type: 'bearer', token });

    expect(await credentials.load(ADA, 'weather')).toEqual({ type: 'bearer', token });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is deleted, and asked for where there is none, without any key', async () => {
    const database = await open();
    await new SqlCredentialService(database, Keyring.of(NEW)).save(ADA, 'weather', SECRET);
    const keyless = new SqlCredentialService(database, Keyring.fromEnvironment('ADORN_SPEC_NO_KEY'));

    await expect(keyless.load(ADA, 'weather')).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_INVALID' });
    await expect(keyless.save(ADA, 'b', SECRET)).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_INVALID' });
    await keyless.delete(ADA, 'weather');

    expect(await keyless.load(ADA, 'weather')).toBeUndefined();
    expect(await rowsOf(database)).toEqual([]);
  });
});

describe('S15 the files of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-credentials-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('hold no credential, neither the database nor its log, while it is open and after', async () => {
    const database = new Database(join(folder, 'app.db'));
    const credentials = new SqlCredentialService(database, Keyring.of(NEW));
    await credentials.save(ADA, 'weather', SECRET);
    await credentials.save(ADA, 'weather', { type: 'apiKey', apiKey: CANARY });

    const open = bytesOf(folder);
    await database.close();

    expect(Object.keys(open)).toContain('app.db-wal');
    for (const bytes of [...Object.values(open), ...Object.values(bytesOf(folder))]) {
      expect(bytes.includes(CANARY)).toBe(false);
      expect(bytes.includes(NEW)).toBe(false);
    }
  });
});

interface Row {
  readonly app: string;
  readonly user_id: string;
  readonly key: string;
  readonly sealed: string;
}

async function rowsOf(database: Database): Promise<[Row, ...Row[]]> {
  const { rows } = await database.run((queries) =>
    sql<Row>`select * from adorn_credentials order by key`.execute(queries),
  );
  return rows as [Row, ...Row[]];
}

function isOf(row: Row, { appName, userId }: typeof ADA, key: string): boolean {
  return row.app === appName && row.user_id === userId && row.key === key;
}

function flipped(sealed: string, index: number): string {
  const bytes = Buffer.from(sealed, 'base64');
  const place = index < 0 ? bytes.length + index : index;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return bytes.toString('base64');
}

function bytesOf(folder: string): Record<string, Buffer> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
