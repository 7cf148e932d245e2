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

/** @throws DerivationFailedError where the project emits nothing, or tsc has not run, or is at it */
export function readEmittedFile(source: string, project: Project): EmittedFile {
  const { config, path = 'the tsconfig' } = project;
  const { noEmit, emitDeclarationOnly } = config.options;
  if (noEmit === true || emitDeclarationOnly === true) {
    throw new DerivationFailedError(
      `${path} emits no JavaScript, so there is nothing to write the schemas of ${source} into.`,
    );
  }
  const output = emittedPath(source, project);
  if (output === undefined || !existsSync(output)) {
    throw new DerivationFailedError(
      `${source} has tools, but ${output ?? 'its emitted file'} is not there. Run tsc first.`,
    );
  }
  return requireWhole(parseEmittedFile(output, readFileSync(output, 'utf8')));
}

/** Where the JavaScript of a source goes. */
export function emittedPath(source: string, { config }: Project): string | undefined {
  const outputs = ts.getOutputFileNames(config, source, !ts.sys.useCaseSensitiveFileNames);
  return outputs.find((name) => /\.[cm]?jsx?$/.test(name));
}

export function parseEmittedFile(path: string, text: string): EmittedFile {
  const code = ts.createSourceFile(path, withoutInsertions(text), ts.ScriptTarget.ESNext, true);
  return { path, text, code };
}

/** A file that is being written ends somewhere in its midst. */
function requireWhole(file: EmittedFile): EmittedFile {
  const { parseDiagnostics = [] } = file.code as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  const [fault] = parseDiagnostics;
  if (fault === undefined) return file;
  const { line } = file.code.getLineAndCharacterOfPosition(fault.start);
  const text = ts.flattenDiagnosticMessageText(fault.messageText, ' ');
  throw new DerivationFailedError(
    `${file.path}:${String(line + 1)} is not whole: ${text} Run tsc again.`,
  );
}
