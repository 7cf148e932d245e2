import type { Event, FunctionCall } from '@adorn/core';
import { isRequestName } from '@adorn/core/backend';

import type { ReadSubject } from './run-subject.js';

/** How many characters of a text, of arguments or of a result are shown. */
const LONGEST = 200;

/** How many lines of a conversation are shown, the last ones. */
const MOST_LINES = 40;

/** A conversation, a line for each text, call and result, for the message of a test that failed. */
export function conversationText({ events, pending = [] }: ReadSubject): string {
  const lines = [
    ...events.filter(({ partial }) => !partial).flatMap(linesOf),
    ...pending.map(
      ({ kind, tool, hint }) => `  waits for ${kind} of ${tool}${hint === undefined ? '' : `: ${hint}`}`,
    ),
  ];
  if (lines.length === 0) return 'The conversation is empty.';
  const left = lines.length - MOST_LINES;
  const shown = left > 0 ? [`  … ${String(left)} earlier lines`, ...lines.slice(-MOST_LINES)] : lines;
  return ['The conversation:', ...shown].join('\n');
}

function linesOf({
  author,
  text,
  functionCalls,
  functionResponses,
  errorCode,
  errorMessage,
}: Event): readonly string[] {
  return [
    ...(text === '' ? [] : [`  ${author}: ${shortened(text)}`]),
    ...functionCalls
      .filter(isOfTool)
      .map(({ name, args }) => `  ${author} calls ${String(name)}(${shortened(JSON.stringify(args ?? {}))})`),
    ...functionResponses.map(
      ({ name, response }) => `  ${String(name)} returns ${shortened(JSON.stringify(response ?? {}))}`,
    ),
    ...(errorCode === undefined ? [] : [`  ${author} fails: ${errorCode} ${shortened(errorMessage ?? '')}`]),
  ];
}

/** False for the call by which a request to a person is stored. */
function isOfTool({ name }: FunctionCall): boolean {
  return !isRequestName(name);
}

function shortened(text: string): string {
  const line = text.replaceAll('\n', '⏎');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
