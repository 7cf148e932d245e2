import { AdornError } from '@adorn/core';

import { FAILED, INTERRUPTED, WRONG_USE } from './command/exit-codes.js';
import { CommandFailedError } from './command-failed.error.js';
import { InterruptedError } from './interrupted.error.js';
import { printable } from './terminal/printable.js';
import { UsageError } from './usage.error.js';

export interface ReportOptions {
  /** Prints the stack. Default: only for errors that are neither an AdornError nor one of the command line. */
  readonly verbose?: boolean | undefined;
  /** Prints `{ "error": { "message", "code" } }` on one line. Default: false. */
  readonly asJson?: boolean | undefined;
  readonly write?: (text: string) => void;
}

/** Prints the error and sets the exit code: 2 for a `UsageError`, 130 for a cancelled question, else 1. */
export function reportFailure(
  error: unknown,
  { verbose = false, asJson = false, write = toStderr }: ReportOptions = {},
): void {
  write(asJson ? `${failureJson(error)}\n` : `${printable(failureText(error, verbose))}\n`);
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return WRONG_USE;
  return error instanceof InterruptedError ? INTERRUPTED : FAILED;
}

function toStderr(text: string): void {
  process.stderr.write(text);
}

/** `error: …` with the code of an AdornError; the stack for unknown errors, or if `verbose`. */
export function failureText(error: unknown, verbose = false): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (verbose || !isKnown(error)) return stackText(error);
  return `error: ${error.message}${AdornError.is(error) ? ` (${error.code})` : ''}`;
}

function isKnown(error: Error): boolean {
  const ours = [UsageError, CommandFailedError, InterruptedError];
  return AdornError.is(error) || ours.some((type) => error instanceof type);
}

function failureJson(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify({ error: AdornError.is(error) ? { message, code: error.code } : { message } });
}

function stackText({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause instanceof Error ? `${own}\nCaused by: ${stackText(cause)}` : own;
}
