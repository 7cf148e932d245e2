import picomatch from 'picomatch';

import { confusableForm } from '../paths/file-path.js';
import { LOCK_NAME } from './folder-lock.js';

/** What a folder on a disk does not show, unless its options say otherwise. */
export const DEFAULT_IGNORED: readonly string[] = ['.git', 'node_modules'];

/** Decides by the names in a path which files are not there for the workspace. */
export class IgnoredNames {
  private readonly isIgnored: (name: string) => boolean;

  /** @param patterns names of files and folders, wherever they lie; `*` stands for any characters */
  constructor(patterns: readonly string[]) {
    const forms = [...patterns, LOCK_NAME, `${LOCK_NAME}-*`].map(confusableForm);
    this.isIgnored = picomatch(forms, { dot: true, noextglob: true });
  }

  /** True if a name of the path is ignored, also in another case or form: file systems may take them for one. */
  has(path: string): boolean {
    return path.split('/').some((name) => this.isIgnored(confusableForm(name)));
  }
}
