import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import {
  Database,
  Keyring,
  SqlArtifactService,
  SqlCredentialService,
  SqlMemoryService,
  sqlStorage,
} from '@adorn/storage';
import { HashEmbedder, says, ScriptedModel } from '@adorn/testing';
import { agent, createRunner, exportSession, importSession, LlmAgent } from 'adorn';

@agent({ model: new ScriptedModel(says('Take the ferry from the harbour of Oslo.'), says('At nine.')) })
class Travel extends LlmAgent {}

describe('the programs of the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-storage-readme-'));
  const before = process.cwd();
  const key = { appName: 'travel', userId: 'ada', sessionId: 'oslo' };

  beforeAll(() => {
    process.chdir(folder);
  });

  afterAll(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  it('keeps a conversation in a file, and goes on with it in the next runner', async () => {
    {
      await using runner = await createRunner(Travel, { modules: [sqlStorage('app.db')] });
      await runner.ask('How do I get to Bygdøy?', { userId: 'ada', sessionId: 'oslo' });
    }

    await using runner = await createRunner(Travel, { modules: [sqlStorage('app.db')] });
    await runner.ask('When?', { userId: 'ada', sessionId: 'oslo' });

    expect((await runner.sessions.getSession(key))?.events.map((event) => event.text)).toEqual([
      'How do I get to Bygdøy?',
      'Take the ferry from the harbour of Oslo.',
      'When?',
      'At nine.',
    ]);
  });

  it('names a session, and copies it to another user', async () => {
    await using runner = await createRunner(Travel, { modules: [sqlStorage('app.db')] });
    await runner.sessions.renameSession(key, 'A trip to Oslo');

    const lines: string[] = [];
    for await (const line of exportSession(runner.sessions, key)) lines.push(line);
    await importSession(runner.sessions, lines, { userId: 'bob' });

    expect(await runner.sessions.getSession({ ...key, userId: 'bob' })).toMatchObject({
      title: 'A trip to Oslo',
    });
  });

  it('keeps artifacts whole and as streams', async () => {
    const data = Buffer.from('a report').toString('base64');
    writeFileSync('film.mp4', 'a film');

    const database = new Database('app.db');
    const artifacts = new SqlArtifactService(database);

    await artifacts.save(key, 'report.pdf', { inlineData: { mimeType: 'application/pdf', data } });
    await artifacts.saveStream(key, 'film.mp4', {
      mimeType: 'video/mp4',
      content: createReadStream('film.mp4'),
    });
    const film = await artifacts.openStream(key, 'film.mp4');

    expect(await artifacts.load(key, 'report.pdf')).toEqual({
      inlineData: { mimeType: 'application/pdf', data },
    });
    expect(await text(film!.content)).toBe('a film');
    await database.close();
  });

  it('finds what a conversation said', async () => {
    const database = new Database('app.db');
    const runner = await createRunner(Travel, { modules: [sqlStorage('app.db')] });
    const session = (await runner.sessions.getSession(key))!;
    await runner.close();

    const memory = new SqlMemoryService(database, { embedder: new HashEmbedder() });
    await memory.addSessionToMemory(session);
    const found = await memory.searchMemory({ appName: 'travel', userId: 'ada' }, 'harbour of Oslo', {
      limit: 5,
    });

    expect(found[0]?.content.parts).toEqual([{ text: 'Take the ferry from the harbour of Oslo.' }]);
    await database.close();
  });

  it('encrypts credentials, by a key beside the database or by given ones', async () => {
    const database = new Database('app.db');
    const credentials = new SqlCredentialService(database);
    await credentials.save({ appName: 'travel', userId: 'ada' }, 'ferries', { type: 'bearer', token: 't-1' });

    expect(await credentials.load({ appName: 'travel', userId: 'ada' }, 'ferries')).toMatchObject({
      token: 't-1',
    });
    expect(await new SqlCredentialService(database, Keyring.fromFile('app.db-key')).rotate()).toBe(0);
    await database.close();
  });
});
