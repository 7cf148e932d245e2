import { structuredPatch, type StructuredPatchHunk } from 'diff';

import type { StoredFile } from '../stores/workspace-store.js';
import { textIn } from './file-text.js';

/** What a diff is made of. */
export interface DiffedFile {
  readonly path: string;
  /** Undefined if there is no file yet. */
  readonly before: StoredFile | undefined;
  /** Undefined if the file is deleted. */
  readonly after: Uint8Array | undefined;
}

/** The longest diff that a person is shown, in characters. */
const LONGEST = 20_000;

/** How many lines may differ, and how long it is compared in milliseconds, until all lines are shown as changed. */
const MOST_CHANGES = 2_000;
const LONGEST_COMPARISON = 100;

const CONTEXT = 3;

/** What changes in a file, as a unified diff. Control characters are visible; of files that are no text, the sizes are shown. */
export function unifiedDiff(file: DiffedFile): string {
  const { before, after } = file;
  const from = before ? textIn(before.data) : '';
  const to = after ? textIn(after) : '';
  const header = diffHeader(file).join('\n');
  if (from === undefined || to === undefined)
    return `${header}\nBinary file: ${sizeOf(before?.data)} before, ${sizeOf(after)} after`;
  const lines = hunksOf(from, to).map(visible).join('\n');
  if (lines.length <= LONGEST) return `${header}\n${lines}`;
  const cut = lines.lastIndexOf('\n', LONGEST);
  const shown = lines.slice(0, cut === -1 ? LONGEST : cut);
  return `${header}\n${shown}\n[${String(lines.length - shown.length)} more characters of the diff are not shown]`;
}

/** The two lines at the top of a diff. They name the version, which a yes is about. */
export function diffHeader({ path, before, after }: DiffedFile): readonly [string, string] {
  return [
    before ? `--- ${path}\t${before.version}` : '--- /dev/null',
    after ? `+++ ${path}` : '+++ /dev/null',
  ];
}

function hunksOf(from: string, to: string): string[] {
  const limits = { context: CONTEXT, maxEditLength: MOST_CHANGES, timeout: LONGEST_COMPARISON };
  const patch = structuredPatch('', '', from, to, undefined, undefined, limits);
  const hunks = patch?.hunks ?? [replacement(from, to)];
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines,
  ]);
}

/** All of one text in place of all of the other. */
function replacement(from: string, to: string): StructuredPatchHunk {
  const [removed, added] = [from.split('\n'), to.split('\n')];
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
}

function rangeOf(start: number, lines: number): string {
  if (lines === 0) return `${String(start - 1)},0`;
  return lines === 1 ? String(start) : `${String(start)},${String(lines)}`;
}

/** Characters that a terminal obeys, or that change the order in which a text is shown. */
// eslint-disable-next-line no-control-regex -- they are what is shown
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function visible(line: string): string {
  return line.replace(INVISIBLE, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

function sizeOf(data: Uint8Array | undefined): string {
  return data ? `${String(data.byteLength)} bytes` : 'no file';
}
