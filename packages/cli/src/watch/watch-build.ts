import type { WatchRound } from '@adorn/compiler';
import { shownPath } from '@adorn/compiler/build';

import { failureText } from 'adorn/main';
import { counted } from '../terminal/counted.js';
import { type Line, paletteFor } from '../terminal/palette.js';

/** `adorn build --watch`: until SIGINT or SIGTERM, which end it as it is meant to end. */
export async function watchBuild(project: string): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const { watchSchemas } = await import('@adorn/compiler');
  print([{ tone: 'note', text: `Watching ${shownPath(project)} (Ctrl-C ends it)` }]);
  await watchSchemas({
    project,
    signal: stopped.signal,
    onRound: (round) => print(roundLines(round, new Date())),
  });
}

function print(lines: readonly Line[]): void {
  const palette = paletteFor(process.stdout);
  for (const { tone, text } of lines) console.log(palette(tone, text));
}

/** The most faults that are listed: before the first run of tsc, every file has one. */
const AT_MOST = 20;

/** `12:03:05  2 files written, 31 tools of 6 classes`, and a line for each new fault. */
export function roundLines(round: WatchRound, now: Date): Line[] {
  const { written, report, standing, isFixed, faults } = round;
  const parts = [
    ...(standing > 0 ? [counted(standing, 'fault')] : []),
    ...(isFixed ? ['all faults fixed'] : []),
    ...(written.length > 0 ? [`${counted(written.length, 'file')} written`] : []),
    ...(report.files > 0 || standing === 0 ? [toolsOf(report)] : []),
  ];
  return [
    { tone: standing > 0 ? 'failure' : 'answer', text: `${timeOf(now)}  ${parts.join(', ')}` },
    ...faults.slice(0, AT_MOST).map((fault): Line => ({ tone: 'answer', text: failureText(fault) })),
    ...(faults.length > AT_MOST ? [andMore(faults.length - AT_MOST)] : []),
  ];
}

function andMore(count: number): Line {
  return { tone: 'note', text: `and ${counted(count, 'more fault')}` };
}

function toolsOf({ tools, classes }: WatchRound['report']): string {
  return `${counted(tools, 'tool')} of ${counted(classes, 'class')}`;
}

/** `09:03:05`, in the time zone of the machine. */
function timeOf(now: Date): string {
  return [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
