import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { readHttprr, readLoneAnswer, readReplay, type RecordedExchange } from '@adorn/testing';

import type { Recording } from './recording.js';

/** Every recording beneath a folder, by path. Each kind of file is known by what it holds, not by where it lies. */
export async function listRecordings(folder: string): Promise<Recording[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => /\.(httprr|json|txt)$/.test(path))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      path,
      group: path.split(sep)[0] ?? '',
      exchanges: await readExchanges(join(folder, path)),
    })),
  );
}

async function readExchanges(file: string): Promise<RecordedExchange[]> {
  if (file.endsWith('.httprr')) return readHttprr(file);
  return (await isReplay(file)) ? readReplay(file) : readLoneAnswer(file);
}

async function isReplay(file: string): Promise<boolean> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null && 'interactions' in value;
  } catch {
    return false;
  }
}
