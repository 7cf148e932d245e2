import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { Database } from '../database/database.js';
import { EncryptionKey } from './encryption-key.js';
import { Keyring } from './keyring.js';
import { keyringBeside, SqlCredentialService } from './sql-credential.service.js';

const folder = mkdtempSync(join(tmpdir(), 'adorn-keys-'));
const KEY = EncryptionKey.make();
const OLDER = EncryptionKey.make();
const ADA = { appName: 'app', userId: 'ada' };

const given = process.env['ADORN_ENCRYPTION_KEY'];
beforeEach(() => {
  delete process.env['ADORN_ENCRYPTION_KEY'];
});
afterAll(() => {
  if (given !== undefined) process.env['ADORN_ENCRYPTION_KEY'] = given;
  rmSync(folder, { recursive: true });
});

describe('a key file', () => {
  it('is made for its owner alone when it is first needed, and every program reads the same', async () => {
    const path = join(folder, 'made');
    const rings = Array.from({ length: 5 }, () => Keyring.fromFile(path));
    expect(existsSync(path)).toBe(false);

    const read = await Promise.all(rings.map((ring) => ring.keys()));

    expect(new Set(read.map(({ first }) => first.id)).size).toBe(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')).toHaveLength(32);
    expect(readdirSync(folder)).toEqual(['made']);
  });

  it('may hold several keys, the one that encrypts first', async () => {
    const path = join(folder, 'several');
    writeFileSync(path, `${KEY}\n${OLDER}\n`);

    const { first, byId } = await Keyring.fromFile(path).keys();

    expect(byId.size).toBe(2);
    expect(first.id).toBe((await Keyring.of(KEY).keys()).first.id);
  });

  it('in a folder that is not there is ENCRYPTION_KEY_INVALID', async () => {
    const refused = Keyring.fromFile(join(folder, 'nowhere', 'key')).keys();

    await expect(refused).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_INVALID' });
  });
});

describe('a key', () => {
  it.each([
    ['is no base64', 'hunter2 hunter2 hunter2 hunter2!'],
    ['has 31 bytes', Buffer.alloc(31).toString('base64')],
    ['has 33 bytes', Buffer.alloc(33).toString('base64')],
    ['is hexadecimal', 'ab'.repeat(32)],
  ])('that %s is refused, and not told', async (_what, text) => {
    const refused = Keyring.of(text).keys();

    await expect(refused).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_INVALID' });
    await expect(refused).rejects.not.toThrow(text.slice(0, 8));
  });

  it('S15 prints neither by itself nor in a ring', async () => {
    const ring = Keyring.of(KEY, OLDER);

    const printed = inspect([ring, await ring.keys()], { depth: null, showHidden: true });

    for (const key of [KEY, OLDER]) {
      expect(printed).not.toContain(key);
      expect(printed).not.toContain(Buffer.from(key, 'base64').toString('hex').slice(0, 8));
    }
  });
});

describe('where nothing is said', () => {
  it('the environment has the keys, with commas between them', async () => {
    process.env['ADORN_ENCRYPTION_KEY'] = `${KEY}, ${OLDER}`;

    const { first, byId } = await keyringBeside(new Database(join(folder, 'stated.db'))).keys();

    expect(first.id).toBe((await Keyring.of(KEY).keys()).first.id);
    expect(byId.size).toBe(2);
    expect(existsSync(join(folder, 'stated.db-key'))).toBe(false);
  });

  it("a file beside SQLite's has the key, and another run reads what this one kept", async () => {
    const path = join(folder, 'app.db');
    const first = new Database(path);
    await new SqlCredentialService(first).save(ADA, 'weather', { type: 'bearer', token: 't-1' });
    await first.close();

    const second = new Database(path);
    const loaded = await new SqlCredentialService(second).load(ADA, 'weather');
    await second.close();

    expect(loaded).toEqual({ type: 'bearer', token: 't-1' });
    expect(existsSync(`${path}-key`)).toBe(true);
  });

  it('a database in memory has a key in memory', async () => {
    const database = new Database(':memory:');
    const credentials = new SqlCredentialService(database);

    await credentials.save(ADA, 'weather', { type: 'bearer', token: 't-1' });

    expect(await credentials.load(ADA, 'weather')).toEqual({ type: 'bearer', token: 't-1' });
    await database.close();
  });

  it('on a server there is none, and that is said', async () => {
    const refused = keyringBeside(new Database('postgres://ada@127.0.0.1:9/x')).keys();

    await expect(refused).rejects.toMatchObject({
      code: 'ENCRYPTION_KEY_INVALID',
      message: expect.stringContaining('No encryption key in ADORN_ENCRYPTION_KEY.'),
    });
  });
});
