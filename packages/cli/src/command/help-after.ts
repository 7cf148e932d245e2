import { Help } from 'commander';

import type { CommandDeclaration } from './declaration.js';

/** What stands below the options in the help of a command: its notes, exit codes and examples. */
export function helpAfter(
  { notes, exitCodes = {}, examples }: CommandDeclaration,
  width: number | undefined,
): string {
  const codes = Object.entries(exitCodes).map(([code, meaning]) => `  ${code}  ${meaning}`);
  const parts = [
    notes === undefined ? '' : wrapped(notes, width),
    codes.length === 0 ? '' : `Exit codes:\n${codes.join('\n')}`,
    examples.length === 0 ? '' : `Examples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`,
  ];
  return parts
    .filter((part) => part !== '')
    .map((part) => `\n${part}`)
    .join('\n');
}

/** The width of help that is written to a file or a pipe. */
export const PLAIN_WIDTH = 80;

/** Help is not wrapped for a terminal that is narrower. */
export const MIN_WIDTH = 20;

/** Paragraphs are wrapped; lines that begin with spaces, such as code and lists, stay as they are. */
export function wrapped(text: string, width = PLAIN_WIDTH): string {
  const help = Object.assign(new Help(), { minWidthToWrap: MIN_WIDTH });
  const paragraphs = text.trim().split(/\n{2,}/);
  return paragraphs
    .map((paragraph) =>
      linesOf(paragraph)
        .map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, width)))
        .join('\n'),
    )
    .join('\n\n');
}

/** Lines of prose are joined; an indented line is a line of its own. */
function linesOf(paragraph: string): string[] {
  const lines: string[] = [];
  for (const line of paragraph.split('\n')) {
    const last = lines.at(-1);
    const goesOn = last !== undefined && !last.startsWith(' ') && !line.startsWith(' ');
    if (goesOn) lines[lines.length - 1] = `${last} ${line}`;
    else lines.push(line);
  }
  return lines;
}
