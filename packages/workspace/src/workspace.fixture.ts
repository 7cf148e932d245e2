import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Makes folders for a spec, which are removed after each test. */
export function useFolders(): (files?: Files) => string {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return (files = {}) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
    made.push(folder);
    for (const [path, data] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), data);
    }
    return folder;
  };
}
