import { AdornError } from '@adorn/core';

import { printable } from './printable.js';

export interface ReportOptions {
  /** Prints the stack. Default: only for errors that are neither an AdornError nor one with an `exitCode`. */
  readonly verbose?: boolean | undefined;
  /** Prints `{ "error": { "message", "code" } }` on one line. Default: false. */
  readonly asJson?: boolean | undefined;
  /** Default: writes to stderr. */
  readonly write?: (text: string) => void;
}

/** Prints an error and sets the exit code of the process: the error's `exitCode` if it has one, else 1. */
export function reportFailure(
  error: unknown,
  { verbose = false, asJson = false, write = toStderr }: ReportOptions = {},
): void {
  write(asJson ? `${failureJson(error)}\n` : `${printable(failureText(error, verbose))}\n`);
  process.exitCode = exitCodeOf(error) ?? 1;
}

/** Programs give it to errors that they expect, such as a wrong argument of a command line. */
function exitCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('exitCode' in error)) return undefined;
  return typeof error.exitCode === 'number' ? error.exitCode : undefined;
}

function toStderr(text: string): void {
  process.stderr.write(text);
}

/** `error: …` with the code of an AdornError; the stack for unexpected errors, or if `verbose`. */
export function failureText(error: unknown, verbose = false): string {
  if (!(error instanceof Error)) return `error: ${String(error)}`;
  if (verbose || !isExpected(error)) return stackText(error);
  return `error: ${error.message}${AdornError.is(error) ? ` (${error.code})` : ''}`;
}

function isExpected(error: Error): boolean {
  return AdornError.is(error) || exitCodeOf(error) !== undefined;
}

function failureJson(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return JSON.stringify({ error: AdornError.is(error) ? { message, code: error.code } : { message } });
}

function stackText({ stack, message, cause }: Error): string {
  const own = stack ?? message;
  return cause instanceof Error ? `${own}\nCaused by: ${stackText(cause)}` : own;
}
