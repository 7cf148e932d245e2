import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { describeThrown, isObject } from '@adorn/core/backend';

import { CassetteInvalidError } from './errors.js';

/** The form of the file. */
const VERSION = 1;

/** What a cassette is a list of: exchanges with a model, connections of a live model, requests by `fetch`. */
export type CassetteList = 'exchanges' | 'connections' | 'requests';

/** The recorded ones in a file, unchecked; none if there is no file. @throws {CassetteInvalidError} */
export function readCassette(path: string, list: CassetteList): readonly unknown[] {
  const file = readFields(path);
  if (!file) return [];
  const stored: unknown = file[list];
  if (!Array.isArray(stored)) throw new CassetteInvalidError(path, `has no list of ${list}`);
  return stored;
}

/** The conversation that a cassette is of, unchecked; undefined if it does not say. @throws {CassetteInvalidError} */
export function readConversation(path: string): unknown {
  return readFields(path)?.['conversation'];
}

function readFields(path: string): Readonly<Record<string, unknown>> | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new CassetteInvalidError(path, `is not JSON (${describeThrown(error).message})`);
  }
  if (!isObject(file) || file['cassette'] !== VERSION)
    throw new CassetteInvalidError(path, `has no "cassette": ${String(VERSION)}`);
  return file;
}

/** Writes the file, which is replaced at once, never half written. */
export function writeCassette(
  path: string,
  lists: { readonly [List in CassetteList]?: readonly unknown[] } & { readonly conversation?: unknown },
): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${String(process.pid)}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ cassette: VERSION, ...lists }, undefined, 2)}\n`);
  renameSync(draft, path);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CassetteInvalidError(path, `cannot be read (${describeThrown(error).message})`);
  }
}
