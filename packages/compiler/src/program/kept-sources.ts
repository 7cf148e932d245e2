import { statSync } from 'node:fs';

import type { ts } from '../typescript.js';

type ReadSource = ts.CompilerHost['getSourceFile'];

interface KeptSource {
  readonly version: string;
  readonly file: ts.SourceFile | undefined;
}

/** The parsed files of a project, for the programs that are made of it one after the other. */
export class KeptSources {
  private readonly files = new Map<string, KeptSource>();

  /** Reads as the given function does, but for a file that is as it was when it was last read. */
  reading(read: ReadSource): ReadSource {
    return (name, settings, ...rest) => {
      const key = `${name} ${JSON.stringify(settings)}`;
      const kept = this.files.get(key);
      const version = versionOf(name);
      if (kept?.version === version) return kept.file;
      const file = read(name, settings, ...rest);
      this.files.set(key, { version, file });
      return file;
    };
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
}
