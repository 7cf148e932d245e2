import { relative } from 'node:path';

/**
 * A path as people read it, in messages and in the output of commands: relative to the working directory; unchanged if it is
 * outside of it.
 */
export function shownPath(path: string): string {
  const local = relative(process.cwd(), path).replaceAll('\\', '/');
  if (local === '') return '.';
  return local === '..' || local.startsWith('../') ? path : local;
}
