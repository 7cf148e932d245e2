import type { StoredFile } from '../stores/workspace-store.js';
import { diffHeader, unifiedDiff } from './unified-diff.js';

/** A change of one file, before it is made. */
export interface FileChange {
  /** The tool that makes it: `write_file`, `edit_file` or `delete_file`. */
  readonly tool: string;
  readonly path: string;
  /** What the file is; undefined if there is none. */
  readonly before: Uint8Array | undefined;
  /** What it becomes; undefined if it is deleted. */
  readonly after: Uint8Array | undefined;
  /** What changes, as a unified diff. */
  readonly diff: string;
}

/** A change with the version that it replaces. */
export interface PlannedChange {
  readonly tool: string;
  readonly path: string;
  readonly before: StoredFile | undefined;
  readonly after: Uint8Array | undefined;
}

/** A change as people and predicates see it. */
export function shownChange({ tool, path, before, after }: PlannedChange): FileChange {
  return { tool, path, before: before?.data, after, diff: unifiedDiff({ path, before, after }) };
}

/**
 * True if a change is what a person has said yes to: the diff of the hint begins with this file as it is now. A person who approved
 * with other arguments may have named another file; the diff then says nothing about it.
 */
export function wasShown({ path, before, after }: PlannedChange, hint: string): boolean {
  const lines = hint.split('\n');
  const start = lines.findIndex(
    (line, index) => line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true,
  );
  if (start === -1) return false;
  const shown = lines.slice(start, start + 2);
  const isOfOther = shown.every((line) => line.slice(4).split('\t')[0] !== path);
  return isOfOther || shown.join('\n') === diffHeader({ path, before, after }).join('\n');
}
