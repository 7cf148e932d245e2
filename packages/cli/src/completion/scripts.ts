import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The shells whose scripts `adorn completion` prints: files of the folder `completions` of this package. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

/** What a shell runs at its start, so that it completes the command lines of `adorn`. */
export function completionScript(shell: Shell): string {
  const manifest = createRequire(import.meta.url).resolve('@adorn/cli/package.json');
  return readFileSync(join(dirname(manifest), 'completions', `adorn.${shell}`), 'utf8');
}
