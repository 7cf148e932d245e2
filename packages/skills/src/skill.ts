import { createHash } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { describeThrown } from '@adorn/core/backend';

import { SkillInvalidError } from './errors.js';
import { type FrontMatter, readSkillText } from './front-matter.js';

/** The name of the file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** How many files a skill may have. */
const MOST_FILES = 2_000;

/** How many bytes they may have together. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** A skill as it was at one moment: what a model reads and runs are these bytes, whatever the folder becomes. */
export interface Skill {
  readonly frontMatter: FrontMatter;
  /** What a model reads when it opens the skill. */
  readonly body: string;
  /** The other files, by their paths within the folder, with `/`, in the order of the paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of all paths and bytes, as base64url: it changes with every change of the skill. */
  readonly digest: string;
}

/**
 * Reads a skill with all of its files.
 *
 * @param folder the folder with the `SKILL.md`
 * @throws {SkillInvalidError} if it is no skill, or too large, or if something in it leads outside
 */
export async function readSkill(folder: string): Promise<Skill> {
  const bytes = await bytesIn(folder);
  const main = bytes.get(SKILL_FILE);
  if (main === undefined)
    throw new SkillInvalidError(folder, `it has no ${SKILL_FILE}`, `Name a folder with a ${SKILL_FILE}.`);
  const { frontMatter, body } = readSkillText(Buffer.from(main).toString('utf8'), folder);
  const files = new Map([...bytes].filter(([path]) => path !== SKILL_FILE));
  return { frontMatter, body, files, digest: digestOf(bytes) };
}

/** All files below a folder. A link may lead anywhere within the folder, and nowhere else. */
async function bytesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  let total = 0;
  for (const path of (await pathsIn(folder)).sort()) {
    if (found.size === MOST_FILES) throw tooLarge(folder, `more than ${String(MOST_FILES)} files`);
    const full = join(folder, path);
    total += (await stat(full)).size;
    if (total > MOST_BYTES) throw tooLarge(folder, `more than ${String(MOST_BYTES)} bytes`);
    found.set(path.split(sep).join('/'), await readFile(full));
  }
  return found;
}

async function pathsIn(folder: string): Promise<string[]> {
  try {
    const root = await realpath(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths: string[] = [];
    for (const entry of entries)
      if (await isFileOf(root, entry)) paths.push(relative(folder, join(entry.parentPath, entry.name)));
    return paths;
  } catch (error) {
    if (error instanceof SkillInvalidError) throw error;
    const { message } = describeThrown(error);
    throw new SkillInvalidError(folder, `it cannot be read (${message})`, 'Name a folder that can be read.', {
      cause: error,
    });
  }
}

async function isFileOf(root: string, entry: Dirent): Promise<boolean> {
  const full = join(entry.parentPath, entry.name);
  if (entry.isSymbolicLink()) {
    const target = await realpath(full);
    if (!target.startsWith(root + sep))
      throw new SkillInvalidError(
        root,
        `${JSON.stringify(relative(root, full))} is a link to a place outside of it`,
        'Replace the link by the file.',
      );
    return (await stat(target)).isFile();
  }
  return entry.isFile();
}

function tooLarge(folder: string, size: string): SkillInvalidError {
  return new SkillInvalidError(folder, `it has ${size}`, 'Move data that no model reads elsewhere.');
}

function digestOf(bytes: ReadonlyMap<string, Uint8Array>): string {
  const whole = createHash('sha256');
  for (const [path, data] of bytes) {
    const own = createHash('sha256').update(data).digest('base64url');
    whole.update(`${JSON.stringify(path)} ${own}\n`);
  }
  return whole.digest('base64url');
}
