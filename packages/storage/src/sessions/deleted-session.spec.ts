/** @slow */

import type { SessionKey } from '@adorn/core';
import { exactKeyOf } from '@adorn/core/backend';

import { describeEachArtifactStore } from '../artifacts/content-stores.fixture.js';
import type { ContentStore } from '../artifacts/content-store.js';
import { SqlMemoryService } from '../memory/sql-memory.service.js';
import { SqlSessionService } from './sql-session.service.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const FILE = { inlineData: { mimeType: 'text/plain', data: Buffer.from('private').toString('base64') } };
const GONE = { code: 'SESSION_NOT_FOUND' };

describeEachArtifactStore((_name, open) => {
  it('takes no file of a session that does not exist, and those of a user', async () => {
    const { artifacts, database, contents } = await open();
    new SqlSessionService(database, { artifacts });

    await expect(artifacts.save(KEY, 'a.txt', FILE)).rejects.toMatchObject(GONE);
    await expect(artifacts.save(KEY, 'a.txt', { text: 'private' })).rejects.toMatchObject(GONE);
    const upload = { mimeType: 'text/plain', content: pieces() };
    await expect(artifacts.saveStream(KEY, 'a.txt', upload)).rejects.toMatchObject(GONE);

    expect(await addressesIn(contents)).toEqual([]);
    expect(await artifacts.save(KEY, 'user:a.txt', { text: 'mine' })).toBe(0);
    expect(await artifacts.list(KEY)).toEqual(['user:a.txt']);
  });

  it('has no file left of a session that is deleted while files are saved, by this process or another', async () => {
    const { artifacts, database, contents } = await open();
    const [here, elsewhere] = [1, 2].map(() => new SqlSessionService(database, { artifacts }));
    for (let round = 0; round < 12; round++) {
      const key = { ...KEY, sessionId: `s${String(round)}` };
      await here?.createSession(key);

      const saving = ['a', 'b', 'c'].map((name) =>
        artifacts.save(key, name, round % 2 ? FILE : { text: name }),
      );
      const deleting = elsewhere?.deleteSession(key);
      const late = ['d', 'e'].map((name) => artifacts.save(key, name, FILE));
      const settled = await Promise.allSettled([...saving, ...late]);
      await deleting;

      for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject(GONE);
      expect(await artifacts.list(key)).toEqual([]);
    }
    expect(await addressesIn(contents)).toEqual([]);
  });

  it('refuses a late file of an earlier session of the address', async () => {
    const { artifacts, database } = await open();
    const sessions = new SqlSessionService(database, { artifacts });
    const earlier = exactKeyOf(await sessions.createSession(KEY));
    await sessions.deleteSession(KEY);
    const later = exactKeyOf(await sessions.createSession(KEY));

    await expect(artifacts.save(earlier, 'a.txt', FILE)).rejects.toMatchObject(GONE);

    expect(await artifacts.list(KEY)).toEqual([]);
    expect(await artifacts.save(later, 'a.txt', FILE)).toBe(0);
    expect(await artifacts.save(KEY, 'a.txt', FILE)).toBe(1);
  });
});

describeEachArtifactStore((_name, open) => {
  it('takes the memories of a deleted session along in the same transaction', async () => {
    const { artifacts, database } = await open();
    const sessions = new SqlSessionService(database, { artifacts });
    const memory = new SqlMemoryService(database);
    const session = await sessions.createSession(KEY);
    await memory.addMemory(KEY, [
      { content: { role: 'user', parts: [{ text: 'The harbour.' }] }, sessionId: 's1' },
      { content: { role: 'user', parts: [{ text: 'My harbour.' }] } },
    ]);

    await sessions.deleteSession({ ...KEY, sessionId: session.id });

    const found = await memory.searchMemory(KEY, 'harbour');
    expect(found.map(({ content }) => content.parts?.[0]?.text)).toEqual(['My harbour.']);
  });
});

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('private');
}

async function addressesIn(contents: ContentStore): Promise<string[]> {
  const found: string[] = [];
  for await (const address of contents.addresses()) found.push(address);
  return found;
}
