import { DerivationFailedError } from '../errors/errors.js';
import type { TypeWorld } from '../schema/type-world.js';
import type { ts } from '../typescript.js';

/** @throws DerivationFailedError where the program has no such file */
export function requireSource(path: string, { program }: TypeWorld): ts.SourceFile {
  const source = program.getSourceFile(path);
  if (source === undefined) throw new DerivationFailedError(`TypeScript cannot read ${path}. Is it there?`);
  return source;
}
