import type { CacheExplanation } from '@adorn/core/backend';

import type { Line } from '../terminal/palette.js';
import { printable } from 'adorn/main';

/** What most providers bill for what they find in their cache, of the full price. */
const CACHED_PRICE = 0.1;

/** Two requests side by side, in tokens, and where they first differ. */
export function cacheLines({ before, after, parts, difference }: CacheExplanation): Line[] {
  const total = { part: 'total', before: 0, after: 0, shared: 0 };
  for (const one of parts) {
    total.before += one.before;
    total.after += one.after;
    total.shared += one.shared;
  }
  const cost = total.after - total.shared * (1 - CACHED_PRICE);
  return [
    note(`agent ${after.agent}, model ${after.model}; the turn before: agent ${before.agent}`),
    note(''),
    { tone: 'title', text: row('tokens', ['before', 'now', 'as before']) },
    ...[...parts, total].map(({ part, ...sizes }) =>
      plain(row(part, [sizes.before, sizes.after, sizes.shared])),
    ),
    note(''),
    ...(difference
      ? [
          plain(`They differ in the ${difference.part}: ${difference.cause}.`),
          note(`  before: ${difference.before}`),
          note(`  now:    ${difference.after}`),
        ]
      : [plain('The request begins as the one before it.')]),
    plain(
      `A provider that caches finds ${percent(total.shared, total.after)} of it, and bills about ` +
        `${percent(cost, total.after)} of the full price.`,
    ),
  ];
}

function row(title: string, columns: readonly (string | number)[]): string {
  return [title.padEnd(14), ...columns.map((one) => String(one).padStart(11))].join('');
}

function percent(part: number, whole: number): string {
  return `${String(whole === 0 ? 0 : Math.round((100 * part) / whole))} %`;
}

function plain(text: string): Line {
  return { tone: 'answer', text: printable(text) };
}

function note(text: string): Line {
  return { tone: 'note', text: printable(text) };
}
