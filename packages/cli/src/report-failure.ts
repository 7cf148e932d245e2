import { AdornError } from '@adorn/core';

import { printable } from './terminal/printable.js';
import { UsageError } from './usage.error.js';

export interface ReportOptions {
  /** Prints the stack. Default: only for errors that are neither an AdornError nor a UsageError. */
  readonly verbose?: boolean;
  readonly write?: (text: string) => void;
}

/** Prints the error and sets the exit code to 1. */
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

/** `error: …` with the code of an AdornError; the stack for unknown errors, or if `verbose`. */
export function failureText(error: unknown, verbose = false): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  const isKnown = AdornError.is(error) || error instanceof UsageError;
  if (verbose || !isKnown) return stackText(error);
  return `error: ${error.message}${AdornError.is(error) ? ` (${error.code})` : ''}`;
}

function stackText({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause instanceof Error ? `${own}\nCaused by: ${stackText(cause)}` : own;
}
