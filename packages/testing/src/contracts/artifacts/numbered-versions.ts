import { expect, it } from '../test-runner.js';

import type { OpenArtifacts, OptionalArtifactMethod } from '../describe-artifact-service.js';
import { KEY } from '../sessions/conversation.js';

const BYTES = { inlineData: { mimeType: 'application/octet-stream', data: 'AQID' } };

/** Versions that are saved only under the number that the caller names. */
export function promisesOfNumberedVersions(
  open: OpenArtifacts,
  lacks: readonly OptionalArtifactMethod[],
): void {
  if (lacks.includes('saveVersion')) {
    it('rejects to save a version by its number with NOT_SUPPORTED', async () => {
      const artifacts = await open();
      await expect(artifacts.saveVersion(KEY, 'a.txt', { text: 'one' }, 0)).rejects.toMatchObject({
        code: 'NOT_SUPPORTED',
      });
    });
    return;
  }

  it('saves a version under the number that is next, and none under another one', async () => {
    const artifacts = await open();

    expect(await artifacts.saveVersion(KEY, 'a.txt', { text: 'two' }, 1)).toBe(false);
    expect(await artifacts.load(KEY, 'a.txt')).toBeUndefined();
    expect(await artifacts.saveVersion(KEY, 'a.txt', { text: 'one' }, 0)).toBe(true);
    expect(await artifacts.saveVersion(KEY, 'a.txt', BYTES, 0)).toBe(false);
    expect(await artifacts.saveVersion(KEY, 'a.txt', BYTES, 2)).toBe(false);
    expect(await artifacts.saveVersion(KEY, 'a.txt', BYTES, 1)).toBe(true);

    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([0, 1]);
    expect(await artifacts.load(KEY, 'a.txt')).toEqual(BYTES);
  });

  it.each([[{ text: 'x' }], [BYTES]])('lets one of twenty have a number (%j)', async (part) => {
    const artifacts = await open();
    await artifacts.save(KEY, 'a.txt', { text: 'zero' });

    const saved = await Promise.all(
      Array.from({ length: 20 }, () => artifacts.saveVersion(KEY, 'a.txt', part, 1)),
    );

    expect(saved.filter((isSaved) => isSaved)).toHaveLength(1);
    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([0, 1]);
  });
}
