import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that a file belongs to: the nearest one above it with a `package.json`. */
export function packageRoot(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
