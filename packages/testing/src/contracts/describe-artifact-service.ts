import type { ArtifactService, Part, SessionKey } from '@adorn/core';
import { describe, expect, it } from '@jest/globals';

import { HOSTILE_NAMES, isPrototypeClean } from './hostile-names.js';
import { longestName } from './long-names.js';
import { promisesOfArtifactStreams } from './promises-of-artifact-streams.js';
import { promisesOfArtifactRefusals } from './promises-of-artifact-refusals.js';

const KEY: SessionKey = { appName: 'app', userId: 'ada', sessionId: 's1' };
const OTHER_SESSION: SessionKey = { ...KEY, sessionId: 's2' };

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

/** What every artifact service promises. A new backend is done when this passes. */
export function describeArtifactService(name: string, open: () => Promise<ArtifactService>): void {
  describe(`${name} as an ArtifactService`, () => {
    promisesOfVersions(open);
    promisesOfScopes(open);
    promisesOfNames(open);
    promisesOfArtifactRefusals(open);
    promisesOfArtifactStreams(open);
  });
}

function promisesOfVersions(open: () => Promise<ArtifactService>): void {
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

function promisesOfScopes(open: () => Promise<ArtifactService>): void {
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

function promisesOfNames(open: () => Promise<ArtifactService>): void {
  it.each(['', 'user:'])('takes any name behind "%s", and none collides with another', async (prefix) => {
    const artifacts = await open();
    const names = HOSTILE_NAMES.map((name) => `${prefix}${name}`);

    for (const name of names) expect(await artifacts.save(KEY, name, { text: name })).toBe(0);

    for (const name of names) expect(await artifacts.load(KEY, name)).toEqual({ text: name });
    expect([...(await artifacts.list(KEY))].sort()).toEqual([...names].sort());
    expect(isPrototypeClean()).toBe(true);
  });

  it.each(['appName', 'userId', 'sessionId'] as const)('takes any %s, and none collides', async (field) => {
    const artifacts = await open();
    const scopes = HOSTILE_NAMES.map((name) => ({ ...KEY, [field]: name }));

    for (const scope of scopes) expect(await artifacts.save(scope, 'a.txt', { text: scope[field] })).toBe(0);

    for (const scope of scopes) expect(await artifacts.load(scope, 'a.txt')).toEqual({ text: scope[field] });
    expect(isPrototypeClean()).toBe(true);
  });
  it.each(['', 'user:'])('takes names behind "%s" that are as long as names may be', async (prefix) => {
    const artifacts = await open();
    const scope = {
      appName: longestName('app'),
      userId: longestName('user'),
      sessionId: longestName('session'),
    };
    const name = `${prefix}${longestName('file').slice(prefix.length)}`;

    await artifacts.save(scope, name, { text: 'one' });

    expect(await artifacts.load(scope, name)).toEqual({ text: 'one' });
    expect(await artifacts.list(scope)).toEqual([name]);
  });
}
