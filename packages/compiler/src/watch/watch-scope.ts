import { dirname } from 'node:path';

/** Files that TypeScript reads and writes: sources, declarations, JavaScript, tsconfigs. */
const OF_INTEREST = /\.(?:[cm]?[jt]sx?|json)$/;

const NOBODYS = /\/(?:node_modules|\.git)$/;

/** The watched paths: folders with everything below them, and single files. Paths use `/` on every platform. */
export class WatchScope {
  private readonly files: readonly string[];

  constructor(
    private readonly folders: readonly string[],
    files: readonly string[],
  ) {
    this.files = files.filter((file) => !this.isWithin(file));
  }

  /** True if this scope contains the other. */
  covers(other: WatchScope): boolean {
    const known = new Set(this.files);
    return (
      other.folders.every((folder) => this.isWithin(folder)) &&
      other.files.every((file) => known.has(file) || this.isWithin(file))
    );
  }

  /** The folders where watching begins: the parents of the watched paths, which exist even if those do not. */
  roots(exists: (path: string) => boolean): string[] {
    const parents = [...this.folders, ...this.files].map((path) => dirname(path));
    const roots = new Set(parents.map((path) => nearest(path, exists)));
    return [...roots].filter((root) => ![...roots].some((other) => isBelow(root, other)));
  }

  /** True if the file is watched. */
  hasFile(path: string): boolean {
    return OF_INTEREST.test(path) && (this.files.includes(path) || this.isWithin(path));
  }

  /** True if the folder is watched or leads to a watched path. */
  hasFolder(path: string): boolean {
    if (NOBODYS.test(path)) return false;
    return this.isWithin(path) || [...this.folders, ...this.files].some((wanted) => isBelow(wanted, path));
  }

  private isWithin(path: string): boolean {
    return this.folders.some((folder) => folder === path || isBelow(path, folder));
  }
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function nearest(path: string, exists: (path: string) => boolean): string {
  return exists(path) || path === dirname(path) ? path : nearest(dirname(path), exists);
}
