import { expect, it } from '../test-runner.js';

import type { OpenArtifacts, OptionalArtifactMethod } from '../describe-artifact-service.js';
import { KEY } from '../sessions/conversation.js';

/** What is deleted with a user, or by its age. */
export function promisesOfErasure(open: OpenArtifacts, lacks: readonly OptionalArtifactMethod[]): void {
  it('deletes the files of a user for good, and tells how many there were', async () => {
    const artifacts = await open();
    const bob = { ...KEY, userId: 'bob' };
    for (const name of ['user:a.txt', 'user:a.txt', 'user:b.txt'])
      await artifacts.save(KEY, name, { text: 'mine' });
    await artifacts.save(bob, 'user:a.txt', { text: 'other' });

    expect(await artifacts.deleteUser({ appName: KEY.appName, userId: KEY.userId })).toBe(2);
    expect(await artifacts.deleteUser({ appName: KEY.appName, userId: KEY.userId })).toBe(0);

    expect(await artifacts.list(KEY)).toEqual([]);
    expect(await artifacts.load(KEY, 'user:a.txt')).toBeUndefined();
    expect(await artifacts.load(bob, 'user:a.txt')).toEqual({ text: 'other' });
    expect(await artifacts.save(KEY, 'user:a.txt', { text: 'again' })).toBe(0);
  });

  if (lacks.includes('deleteOlder')) {
    it('rejects to delete by age with NOT_SUPPORTED', async () => {
      const artifacts = await open();
      await expect(artifacts.deleteOlder(KEY.appName, 0)).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    });
  } else {
    it('deletes the files of users whose last version is older than a time', async () => {
      const artifacts = await open();
      const other = { ...KEY, appName: 'other' };
      for (const scope of [KEY, other]) await artifacts.save(scope, 'user:a.txt', { text: 'old' });
      await artifacts.save(KEY, 'a.txt', { text: 'of the session' });
      const later = Date.now() / 1000 + 60;

      expect(await artifacts.deleteOlder(KEY.appName, later - 3_600)).toBe(0);
      expect(await artifacts.deleteOlder(KEY.appName, later)).toBe(1);

      expect(await artifacts.list(KEY)).toEqual(['a.txt']);
      expect(await artifacts.list(other)).toEqual(['user:a.txt']);
    });
  }
}
