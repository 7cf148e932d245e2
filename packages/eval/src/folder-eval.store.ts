import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { EvalSetInvalidError } from './errors.js';
import type { EvalSet } from './eval-set.js';
import { EvalStore, type EvalSetResult } from './eval-store.js';
import { readEvalSet } from './read-eval-set.js';
import { formatEvalSet } from './write-eval-set.js';

const SET = '.evalset.json';
const RESULT = '.evalset_result.json';
/** Where results are kept, below the folder. */
const HISTORY = '.eval_history';

/** Ids are names of files. */
const USABLE = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}$/u;

/**
 * Eval sets as files `<id>.evalset.json` of a folder, beside the code: they are reviewed and kept with it. ADK reads them too.
 * Results are in its folder `.eval_history`.
 */
export class FolderEvalStore extends EvalStore {
  /** @param folderOf the folder of an application. It need not exist. */
  constructor(private readonly folderOf: string | ((appName: string) => string)) {
    super();
  }

  async listSets(appName: string): Promise<readonly string[]> {
    return (await namesIn(this.folder(appName), SET)).sort();
  }

  async getSet(appName: string, evalSetId: string): Promise<EvalSet | undefined> {
    const names = await this.listSets(appName);
    if (!names.includes(evalSetId)) return undefined;
    // The name of the file is the id, whatever the file says.
    return { ...(await readEvalSet(join(this.folder(appName), `${evalSetId}${SET}`))), evalSetId };
  }

  /** @throws {EvalSetInvalidError} if the id cannot be the name of a file */
  async saveSet(appName: string, set: EvalSet): Promise<void> {
    await save(this.folder(appName), `${usable(set.evalSetId)}${SET}`, formatEvalSet(set));
  }

  async deleteSet(appName: string, evalSetId: string): Promise<void> {
    await rm(join(this.folder(appName), `${usable(evalSetId)}${SET}`), { force: true });
  }

  async listResults(appName: string): Promise<readonly string[]> {
    const ids = await namesIn(this.history(appName), RESULT);
    // They end with the time.
    return ids.sort((one, other) => timeIn(other) - timeIn(one));
  }

  async getResult(appName: string, id: string): Promise<EvalSetResult | undefined> {
    const names = await this.listResults(appName);
    if (!names.includes(id)) return undefined;
    const file = join(this.history(appName), `${id}${RESULT}`);
    try {
      return JSON.parse(await readFile(file, 'utf8')) as EvalSetResult;
    } catch (cause) {
      throw new EvalSetInvalidError(file, '', 'its results are no JSON', { cause });
    }
  }

  async saveResult(appName: string, result: EvalSetResult): Promise<void> {
    const text = `${JSON.stringify(result, undefined, 2)}\n`;
    await save(this.history(appName), `${usable(result.evalSetResultId)}${RESULT}`, text);
  }

  private folder(appName: string): string {
    return typeof this.folderOf === 'string' ? this.folderOf : this.folderOf(appName);
  }

  private history(appName: string): string {
    return join(this.folder(appName), HISTORY);
  }
}

function usable(id: string): string {
  if (USABLE.test(id) && !id.includes('..')) return id;
  throw new EvalSetInvalidError(
    JSON.stringify(id),
    '',
    'its id cannot be the name of a file: it may have letters, digits, spaces and . _ -, and 121 characters',
  );
}

/** The names of the files with an ending, without it. */
async function namesIn(folder: string, ending: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
}

/** Whole or not at all: another process may read meanwhile. */
async function save(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function timeIn(id: string): number {
  return Number(/_(\d+(?:\.\d+)?)$/.exec(id)?.[1] ?? 0);
}
