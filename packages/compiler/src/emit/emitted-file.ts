import { DerivationFailedError, EmittedFileError } from '../errors/errors.js';
import type { Project } from '../program/read-project.js';
import { ts } from '../typescript.js';
import { withoutInsertions } from './insertion.js';
import { textOf } from './text-of.js';
import { shownPath } from '../program/shown-path.js';

/** The output of tsc, or of another compiler, for a source. */
export interface EmittedFile {
  readonly path: string;
  /** As it lies there, with the insertions of an earlier run. */
  readonly text: string;
  /** The code without them. */
  readonly code: ts.SourceFile;
}

/**
 * @throws DerivationFailedError where the project emits nothing
 * @throws EmittedFileError where tsc has not run, or is at it
 */
export function readEmittedFile(source: string, project: Project): EmittedFile {
  requireEmission(source, project);
  const output = emittedPath(source, project);
  const text = output && textOf(output);
  if (output === undefined || text === undefined) {
    throw new EmittedFileError(
      `${shownPath(source)} has tools, but ${output === undefined ? 'its emitted file' : shownPath(output)} does not exist. Run tsc first.`,
    );
  }
  return requireWhole(parseEmittedFile(output, text));
}

/** The path of a source's JavaScript. */
export function emittedPath(source: string, { config }: Project): string | undefined {
  const outputs = ts.getOutputFileNames(config, source, !ts.sys.useCaseSensitiveFileNames);
  return outputs.find((name) => /\.[cm]?jsx?$/.test(name));
}

function parseEmittedFile(path: string, text: string): EmittedFile {
  const code = ts.createSourceFile(path, withoutInsertions(text), ts.ScriptTarget.ESNext, true);
  return { path, text, code };
}

function requireEmission(source: string, { config, path }: Project): void {
  const { noEmit, emitDeclarationOnly } = config.options;
  if (noEmit !== true && emitDeclarationOnly !== true) return;
  throw new DerivationFailedError(
    `${path === undefined ? 'The tsconfig' : shownPath(path)} emits no JavaScript to write the schemas of ${shownPath(source)} to. Remove noEmit or emitDeclarationOnly.`,
  );
}

/** A file that is just being written ends somewhere in its midst. */
function requireWhole(file: EmittedFile): EmittedFile {
  const { parseDiagnostics = [] } = file.code as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  const [fault] = parseDiagnostics;
  if (!fault) return file;
  const { line } = file.code.getLineAndCharacterOfPosition(fault.start);
  const text = ts.flattenDiagnosticMessageText(fault.messageText, ' ');
  throw new EmittedFileError(
    `${shownPath(file.path)}:${String(line + 1)} is incomplete: ${text} Run tsc again.`,
  );
}
