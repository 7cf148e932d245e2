import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { DerivationFailedError } from '../errors/errors.js';
import { shownPath } from './shown-path.js';

/**
 * The tsconfig of a path: the file itself, or `tsconfig.json` in the folder.
 *
 * @throws DerivationFailedError if there is no tsconfig
 */
export function configFile(path: string): string {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path;
  if (!existsSync(file)) {
    throw new DerivationFailedError(
      `There is no tsconfig at ${shownPath(file)}. Pass one as the project, or run in the folder of tsconfig.json.`,
    );
  }
  return file;
}
