import { relative } from 'node:path';

/** A file as one names it from the working directory; as it is where that does not lead above. */
export function shownPath(file: string, cwd = process.cwd()): string {
  const path = relative(cwd, file).replaceAll('\\', '/');
  return path.startsWith('../') ? file : path;
}
