import { DerivationFailedError } from '../errors/errors.js';
import type { CheckerContext } from '../schema/checker-context.js';
import type { ts } from '../typescript.js';
import { shownPath } from './shown-path.js';

/** @throws DerivationFailedError where the program has no such file */
export function requireSource(path: string, { program }: CheckerContext): ts.SourceFile {
  const source = program.getSourceFile(path);
  if (!source)
    throw new DerivationFailedError(`TypeScript cannot read ${shownPath(path)}. Check that the file exists.`);
  return source;
}
