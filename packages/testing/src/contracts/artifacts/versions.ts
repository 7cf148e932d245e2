import type { Part } from '@adorn/core';
import { expect, it } from '../test-runner.js';

import type { OpenArtifacts } from '../describe-artifact-service.js';
import { KEY, OTHER_SESSION } from '../sessions/conversation.js';

const PARTS: Readonly<Record<string, Part>> = {
  'a text': { text: 'line\nbreak \u0000 "q" \u{1f680}' },
  'an empty text': { text: '' },
  bytes: { inlineData: { mimeType: 'image/png', data: Buffer.from([0, 1, 254, 255]).toString('base64') } },
  'no bytes': { inlineData: { mimeType: 'application/octet-stream', data: '' } },
  'a megabyte': {
    inlineData: { mimeType: 'image/png', data: Buffer.alloc(1_048_576, 7).toString('base64') },
  },
  'bytes with a name': { inlineData: { mimeType: 'text/csv', data: 'YSxi', displayName: 'a "b".csv' } },
  'a thought': { text: 'hm', thought: true },
  "a text that looks like a store's own": { text: '{"$type":"Date","__proto__":{"lc":1}}' },
  'a file elsewhere': { fileData: { mimeType: 'text/plain', fileUri: 'gs://bucket/a b' } },
};

/** Versions of one name. */
export function promisesOfVersions(open: OpenArtifacts): void {
  it.each(Object.entries(PARTS))('gives back %s as it was saved', async (_what, part) => {
    const artifacts = await open();

    expect(await artifacts.save(KEY, 'a.bin', part)).toBe(0);

    expect(await artifacts.load(KEY, 'a.bin')).toEqual(part);
  });

  it('numbers versions from 0 and gives the newest where none is named', async () => {
    const artifacts = await open();

    const numbers: number[] = [];
    for (const text of ['one', 'two', 'three']) numbers.push(await artifacts.save(KEY, 'a.txt', { text }));

    expect(numbers).toEqual([0, 1, 2]);
    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([0, 1, 2]);
    expect(await artifacts.load(KEY, 'a.txt')).toEqual({ text: 'three' });
    expect(await artifacts.load(KEY, 'a.txt', 0)).toEqual({ text: 'one' });
    expect(await artifacts.load(KEY, 'a.txt', 1)).toEqual({ text: 'two' });
  });

  it('lists versions by number, also when there are more than ten', async () => {
    const artifacts = await open();
    for (let version = 0; version < 12; version++)
      await artifacts.save(KEY, 'a.txt', { text: String(version) });

    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await artifacts.load(KEY, 'a.txt')).toEqual({ text: '11' });
  });

  it('gives every one of twenty that are saved at once a version of its own', async () => {
    const artifacts = await open();
    const texts = Array.from({ length: 20 }, (_, index) => `Text ${String(index)}`);

    const versions = await Promise.all(texts.map((text) => artifacts.save(KEY, 'a.txt', { text })));

    expect([...versions].sort((a, b) => a - b)).toEqual([...texts.keys()]);
    const loaded = await Promise.all(versions.map((version) => artifacts.load(KEY, 'a.txt', version)));
    expect(loaded).toEqual(texts.map((text) => ({ text })));
  });

  it('finds nothing where nothing was saved', async () => {
    const artifacts = await open();
    await artifacts.save(KEY, 'a.txt', { text: 'one' });

    expect(await artifacts.load(KEY, 'b.txt')).toBeUndefined();
    expect(await artifacts.load(KEY, 'a.txt', 1)).toBeUndefined();
    expect(await artifacts.load(KEY, 'a.txt', -1)).toBeUndefined();
    expect(await artifacts.versions(KEY, 'b.txt')).toEqual([]);
    expect(await artifacts.list(OTHER_SESSION)).toEqual([]);
  });

  it('deletes a file with all its versions, and what is not there already is', async () => {
    const artifacts = await open();
    for (const text of ['one', 'two']) await artifacts.save(KEY, 'a.txt', { text });
    await artifacts.save(KEY, 'b.txt', { text: 'kept' });

    await artifacts.delete(KEY, 'a.txt');
    await expect(artifacts.delete(KEY, 'a.txt')).resolves.toBeUndefined();
    await expect(artifacts.delete(OTHER_SESSION, 'never')).resolves.toBeUndefined();

    expect(await artifacts.load(KEY, 'a.txt')).toBeUndefined();
    expect(await artifacts.load(KEY, 'a.txt', 0)).toBeUndefined();
    expect(await artifacts.versions(KEY, 'a.txt')).toEqual([]);
    expect(await artifacts.list(KEY)).toEqual(['b.txt']);
  });
}
