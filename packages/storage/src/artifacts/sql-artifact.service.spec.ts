/** @slow */

import type { Part, SessionKey } from '@adorn/core';
import { describeArtifactService } from '@adorn/testing/contracts';

import type { ContentStore } from './content-store.js';
import { describeEachArtifactStore, type OpenedArtifacts } from './content-stores.fixture.js';
import { deleteArtifactsOf } from './artifact-rows.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const OTHER: SessionKey = { ...KEY, sessionId: 's2' };

describeEachArtifactStore((name, open) => {
  describeArtifactService(name, async () => (await open()).artifacts);

  it('keeps equal bytes once, for as long as any version refers to them', async () => {
    const { artifacts, contents } = await open();
    await artifacts.save(KEY, 'a.bin', bytes('same'));
    await artifacts.save(OTHER, 'b.bin', bytes('same'));
    expect(await all(contents)).toHaveLength(1);

    await artifacts.delete(KEY, 'a.bin');
    expect(await artifacts.load(OTHER, 'b.bin')).toEqual(bytes('same'));
    await artifacts.delete(OTHER, 'b.bin');

    expect(await all(contents)).toEqual([]);
  });

  it('deletes what was saved in a session with it, and leaves the files of its user', async () => {
    const { artifacts, contents } = await open();
    await artifacts.save(KEY, 'a.bin', bytes('gone'));
    await artifacts.save(KEY, 'a.txt', { text: 'gone' });
    await artifacts.save(KEY, 'user:a.bin', bytes("the user's"));
    await artifacts.save(OTHER, 'b.bin', bytes("the other's"));

    await artifacts.deleteSession(KEY);

    expect(await artifacts.list(KEY)).toEqual(['user:a.bin']);
    expect(await artifacts.list(OTHER)).toEqual(['b.bin', 'user:a.bin']);
    expect(await all(contents)).toHaveLength(2);
  });

  it('goes with a session that is deleted in a transaction of its own, and stays if that fails', async () => {
    const { artifacts, contents, database } = await open();
    await artifacts.save(KEY, 'a.bin', bytes('one'));
    const refused = database.transaction(async (queries) => {
      await deleteArtifactsOf(queries, KEY);
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await artifacts.load(KEY, 'a.bin')).toEqual(bytes('one'));

    await artifacts.release(await database.transaction((queries) => deleteArtifactsOf(queries, KEY)));

    expect(await artifacts.list(KEY)).toEqual([]);
    expect(await all(contents)).toEqual([]);
  });

  it('sweeps away what a crash left behind, and nothing else', async () => {
    const { artifacts, contents, database } = await open();
    await artifacts.save(KEY, 'a.bin', bytes('kept'));
    const orphan = await contents.stage(inOnePiece('orphan'));
    await database.transaction((queries) => orphan.keep(queries));
    await orphan.release();
    expect(await all(contents)).toHaveLength(2);

    await artifacts.sweep();

    expect(await all(contents)).toHaveLength(1);
    expect(await artifacts.load(KEY, 'a.bin')).toEqual(bytes('kept'));
  });

  it('says so where content is lost, and keeps telling the versions', async () => {
    const { artifacts, contents, database } = await open();
    await artifacts.save(KEY, 'a.bin', bytes('one'));
    const [address = ''] = await all(contents);
    await database.transaction((queries) => contents.delete(address, queries));

    await expect(artifacts.load(KEY, 'a.bin')).rejects.toMatchObject({ code: 'ARTIFACT_DAMAGED' });
    expect(await artifacts.versions(KEY, 'a.bin')).toEqual([0]);
  });

  it('never loses bytes that are saved while others of the same are deleted', async () => {
    const opened = await open();
    const rounds = Array.from({ length: 10 }, (_, index) => `r${String(index)}`);

    const lost = await Promise.all(rounds.map((round) => saveWhileDeleting(opened, round)));

    expect(lost.filter((part) => part === undefined)).toEqual([]);
  });
});

/** Two sessions in turn save and delete the same bytes; what is saved last is there. */
async function saveWhileDeleting({ artifacts }: OpenedArtifacts, round: string): Promise<Part | undefined> {
  await artifacts.save(KEY, round, bytes('shared'));
  await Promise.all([artifacts.delete(KEY, round), artifacts.save(OTHER, round, bytes('shared'))]);
  const part = await artifacts.load(OTHER, round);
  await artifacts.delete(OTHER, round);
  return part;
}

function bytes(text: string): Part {
  return { inlineData: { mimeType: 'image/png', data: Buffer.from(text).toString('base64') } };
}

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function all(contents: ContentStore): Promise<string[]> {
  const addresses: string[] = [];
  for await (const address of contents.addresses()) addresses.push(address);
  return addresses;
}
