import { resolve } from 'node:path';

import type { Line } from '../terminal/line.js';
import { paletteFor } from '../terminal/palette.js';
import { roundLines } from './round-lines.js';

/** `adorn build --watch`: until SIGINT or SIGTERM, which end it as it is meant to end. */
export async function watchBuild(project: string): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  const { watchSchemas } = await import('@adorn/compiler');
  print([{ tone: 'note', text: `Watching ${resolve(project)}. Ctrl-C ends it.` }]);
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
