import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

import { textOf } from './text-of.js';

/** Replaces a file atomically: readers see either the old or the new content. */
export function writeWhole(path: string, text: string): void {
  viaDraft(path, text, (draft) => {
    renameSync(draft, path);
  });
}

/** The same, unless the file has been written or taken away since it was read: then the answer is false. */
export function replaceWhole(path: string, before: string, after: string): boolean {
  let isReplaced = false;
  if (textOf(path) !== before) return isReplaced;
  viaDraft(path, after, (draft) => {
    if (textOf(path) !== before) return;
    renameSync(draft, path);
    isReplaced = true;
  });
  return isReplaced;
}

function viaDraft(path: string, text: string, place: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text);
    place(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}
