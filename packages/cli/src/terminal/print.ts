import { type Line, type Output, paletteFor } from './palette.js';
import { printable } from 'adorn/main';

/** Prints a value as JSON that a person can read, too. */
export function printJson(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Prints a value as one line of JSON. */
export function printJsonLine(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value)}\n`);
}

/** Prints a line without colour, and without characters that command a terminal. */
export function printLine(output: Output, text: string): void {
  output.write(`${printable(text)}\n`);
}

/** Prints lines in their colours. */
export function printLines(output: Output, lines: readonly Line[]): void {
  const paint = paletteFor(output);
  for (const { tone, text } of lines) output.write(`${paint(tone, text)}\n`);
}
