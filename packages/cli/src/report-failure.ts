import { AdornError } from '@adorn/core';

import { printable } from './terminal/printable.js';
import { UsageError } from './usage.error.js';

export interface ReportOptions {
  /** Adds where it was thrown. Default: only for what is neither Adorn's nor the user's fault. */
  readonly verbose?: boolean;
  readonly write?: (text: string) => void;
}

/** Tells why a program ends, in as many words as help, and makes it exit with 1. */
export function reportFailure(
  error: unknown,
  { verbose = false, write = toStderr }: ReportOptions = {},
): void {
  write(`${printable(failureText(error, verbose))}\n`);
  process.exitCode = 1;
}

function toStderr(text: string): void {
  process.stderr.write(text);
}

/** `error: …` with the code of an error of Adorn's; a stack where it is nobody's fault, or where it is wanted. */
export function failureText(error: unknown, verbose = false): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const isKnown = AdornError.is(error) || error instanceof UsageError;
  if (verbose || !isKnown) return error.stack ?? error.message;
  return `error: ${error.message}${AdornError.is(error) ? ` (${error.code})` : ''}`;
}
