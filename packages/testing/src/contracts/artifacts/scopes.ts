import { expect, it } from '../test-runner.js';

import type { OpenArtifacts } from '../describe-artifact-service.js';
import { KEY, OTHER_SESSION } from '../sessions/conversation.js';

/** Whose files are whose. */
export function promisesOfScopes(open: OpenArtifacts): void {
  it("shows a user's files in all of the user's sessions, and others in their own", async () => {
    const artifacts = await open();
    await artifacts.save(KEY, 'user:b.txt', { text: "the user's" });
    await artifacts.save(KEY, 'b.txt', { text: "the session's" });
    await artifacts.save(KEY, 'a.txt', { text: 'first' });
    await artifacts.save(OTHER_SESSION, 'z.txt', { text: "the other's" });

    expect(await artifacts.list(KEY)).toEqual(['a.txt', 'b.txt', 'user:b.txt']);
    expect(await artifacts.list(OTHER_SESSION)).toEqual(['user:b.txt', 'z.txt']);
    expect(await artifacts.load(OTHER_SESSION, 'user:b.txt')).toEqual({ text: "the user's" });
    expect(await artifacts.load(OTHER_SESSION, 'b.txt')).toBeUndefined();
  });

  it("counts the versions of a user's file through all of the user's sessions", async () => {
    const artifacts = await open();

    expect(await artifacts.save(KEY, 'user:b.txt', { text: 'one' })).toBe(0);
    expect(await artifacts.save(OTHER_SESSION, 'user:b.txt', { text: 'two' })).toBe(1);
    expect(await artifacts.versions(KEY, 'user:b.txt')).toEqual([0, 1]);
    await artifacts.delete(OTHER_SESSION, 'user:b.txt');
    expect(await artifacts.list(KEY)).toEqual([]);
  });

  it('deletes the files of a session, and leaves those of its user and of other sessions', async () => {
    const artifacts = await open();
    for (const name of ['a.txt', 'b.txt', 'user:a.txt']) await artifacts.save(KEY, name, { text: 'mine' });
    await artifacts.save(OTHER_SESSION, 'a.txt', { text: 'other' });

    await artifacts.deleteSession(KEY);
    await artifacts.deleteSession(KEY);

    expect(await artifacts.list(KEY)).toEqual(['user:a.txt']);
    expect(await artifacts.load(KEY, 'a.txt')).toBeUndefined();
    expect(await artifacts.load(OTHER_SESSION, 'a.txt')).toEqual({ text: 'other' });
    expect(await artifacts.save(KEY, 'a.txt', { text: 'again' })).toBe(0);
  });

  it.each([
    ['users', { ...KEY, userId: 'bob' }],
    ['applications', { ...KEY, appName: 'other' }],
  ])('keeps the files of two %s apart', async (_who, neighbour) => {
    const artifacts = await open();
    for (const name of ['a.txt', 'user:a.txt']) {
      await artifacts.save(KEY, name, { text: 'mine' });
      await artifacts.save(neighbour, name, { text: 'theirs' });
    }

    await artifacts.delete(neighbour, 'a.txt');

    expect(await artifacts.list(KEY)).toEqual(['a.txt', 'user:a.txt']);
    expect(await artifacts.list(neighbour)).toEqual(['user:a.txt']);
    expect(await artifacts.load(KEY, 'user:a.txt')).toEqual({ text: 'mine' });
    expect(await artifacts.load(neighbour, 'user:a.txt')).toEqual({ text: 'theirs' });
  });
}
