import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /(?<!\.d)\.[cm]?tsx?$/;
const MARK = /@(?:tool|agent|toolbox)\b|\bdefine(?:Tool|Agent)\b/;

/** The TypeScript files below the folders in which something is marked for Adorn, whether it is tested or a test. */
export function decoratedSources(folders: readonly string[]): string[] {
  return folders.flatMap(sourcesIn).filter((file) => MARK.test(readFileSync(file, 'utf8')));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : sourcesIn(path);
    return entry.isFile() && SOURCE.test(entry.name) ? [path] : [];
  });
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}
