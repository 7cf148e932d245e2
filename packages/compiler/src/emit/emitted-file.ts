import { existsSync, readFileSync } from 'node:fs';

import { DerivationFailedError } from '../errors/derivation-failed.error.js';
import type { Project } from '../program/read-project.js';
import { ts } from '../typescript.js';
import { withoutInsertions } from './insertion.js';

/** What tsc, or another compiler in its place, made of a source. */
export interface EmittedFile {
  readonly path: string;
  /** As it lies there, with the insertions of an earlier run. */
  readonly text: string;
  /** The code without them. */
  readonly code: ts.SourceFile;
}

/** @throws DerivationFailedError where the project emits nothing, or tsc has not run */
export function readEmittedFile(source: string, { config, path = 'the tsconfig' }: Project): EmittedFile {
  const { noEmit, emitDeclarationOnly } = config.options;
  if (noEmit === true || emitDeclarationOnly === true) {
    throw new DerivationFailedError(
      `${path} emits no JavaScript, so there is nothing to write the schemas of ${source} into.`,
    );
  }
  const outputs = ts.getOutputFileNames(config, source, !ts.sys.useCaseSensitiveFileNames);
  const output = outputs.find((name) => /\.[cm]?jsx?$/.test(name));
  if (output === undefined || !existsSync(output)) {
    throw new DerivationFailedError(
      `${source} has tools, but ${output ?? 'its emitted file'} is not there. Run tsc first.`,
    );
  }
  return parseEmittedFile(output, readFileSync(output, 'utf8'));
}

export function parseEmittedFile(path: string, text: string): EmittedFile {
  const code = ts.createSourceFile(path, withoutInsertions(text), ts.ScriptTarget.ESNext, true);
  return { path, text, code };
}
