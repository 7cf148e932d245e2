import { applyEdits, modify, parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { shownPath } from '@adorn/compiler/build';

import { UsageError } from '../usage.error.js';

/**
 * Parses JSON with comments and trailing commas.
 *
 * @throws {UsageError} if it cannot be read
 */
export function parseJson(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (!error && typeof value === 'object' && value !== null) return value;
  const reason = error ? `is not JSON (${positionOf(error, text)})` : 'holds no object';
  throw new UsageError(`${shownPath(path)} ${reason}. Mend it, and run the command again.`);
}

/** Sets a property and leaves everything else as it is written: comments, order, indentation. */
export function setProperty(text: string, path: string[], value: unknown): string {
  const indentation = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indentation.startsWith('\t'),
    tabSize: indentation.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  // At the end, a comment behind the last property would move to the new one.
  return applyEdits(text, modify(text, path, value, { formattingOptions, getInsertionIndex: () => 0 }));
}

function positionOf({ error, offset }: ParseError, text: string): string {
  return `${printParseErrorCode(error)} in line ${String(text.slice(0, offset).split('\n').length)}`;
}
