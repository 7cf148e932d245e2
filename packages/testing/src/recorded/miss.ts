import { createTwoFilesPatch } from 'diff';

import type { RecordedRequest } from './recorded-request.js';

/** How many lines of a difference are shown. */
const MOST_LINES = 60;

/** How a request differs from the recorded one that is nearest to it, as a unified diff. */
export function differenceToNearest(request: RecordedRequest, recorded: readonly RecordedRequest[]): string {
  const nearest = nearestTo(request, recorded);
  if (!nearest) return 'Nothing is recorded.';
  const [place, other] = nearest;
  const names = [`recorded, exchange ${String(place)}`, 'asked'] as const;
  const patch = createTwoFilesPatch(...names, textOf(other), textOf(request), '', '', { context: 2 });
  // The first line is a rule, and tabs stand where times of files would.
  const lines = patch
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/\t$/, ''));
  const left = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES), ...(left > 0 ? [`… ${String(left)} more lines`] : [])].join('\n');
}

/** The recorded request that shares the most: the lines of its JSON text, each counted once. */
function nearestTo(
  request: RecordedRequest,
  recorded: readonly RecordedRequest[],
): readonly [place: number, request: RecordedRequest] | undefined {
  const asked = linesOf(request);
  let [most, nearest]: [number, number | undefined] = [-1, undefined];
  for (const [place, other] of recorded.entries()) {
    const lines = linesOf(other);
    const shared = [...lines].filter((line) => asked.has(line)).length;
    const likeness = shared / Math.max(1, asked.size + lines.size - shared);
    if (likeness > most) [most, nearest] = [likeness, place];
  }
  const found = nearest === undefined ? undefined : recorded[nearest];
  return nearest === undefined || !found ? undefined : [nearest, found];
}

function linesOf(request: RecordedRequest): ReadonlySet<string> {
  return new Set(textOf(request).split('\n'));
}

function textOf(request: RecordedRequest): string {
  return `${JSON.stringify(request, undefined, 2)}\n`;
}
