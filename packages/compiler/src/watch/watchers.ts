import { ts } from '../typescript.js';

/** What is to be watched: files by themselves, and folders with those below them for files that come and go. */
export interface Watched {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Below the folders, but nobody's source. */
  readonly except: readonly string[];
}

/** TypeScript's own watchers, on a set of files that may be another one after each round. */
export class Watchers {
  private readonly open = new Map<string, ts.FileWatcher | undefined>();

  constructor(private readonly changed: (path: string) => void) {}

  /** Watches these from now on, and no others. */
  watch({ files, folders, except }: Watched): void {
    const wanted = new Map<string, () => ts.FileWatcher | undefined>();
    for (const path of files) wanted.set(path, () => this.watchFile(path));
    for (const path of folders) wanted.set(`${path}/`, () => this.watchFolder(path, except));
    for (const [key, watcher] of this.open) {
      if (wanted.has(key)) continue;
      watcher?.close();
      this.open.delete(key);
    }
    for (const [key, begin] of wanted) if (!this.open.has(key)) this.open.set(key, begin());
  }

  close(): void {
    this.watch({ files: [], folders: [], except: [] });
  }

  private watchFile(path: string): ts.FileWatcher | undefined {
    return ts.sys.watchFile?.(path, this.changed, POLLING_MS);
  }

  private watchFolder(path: string, except: readonly string[]): ts.FileWatcher | undefined {
    return ts.sys.watchDirectory?.(path, this.changed, true, { excludeDirectories: [...except] });
  }
}

/** Only for file systems that tell nothing by themselves. */
const POLLING_MS = 500;
