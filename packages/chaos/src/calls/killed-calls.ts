import type { Check } from '@adorn/conformance/check';

import { Child } from '../child-process.js';
import { seededRandom } from '../seeded-random.js';
import { type Outcome, type Place, readOutcome } from './call-log.js';
import { type CountingTool, nameOf } from './counting-tools.js';

/** What is left of the call of an unmarked tool, by the moment at which its process died. */
type Left = 'one effect' | 'no effect, unknown' | 'one effect, unknown';

/** A moment with a name, and when processes die for it: each takes up what the one before left. */
interface NamedMoment {
  readonly name: string;
  readonly deaths: readonly string[];
  readonly left: Left;
  /** For a call that a person approves, if it is another one. */
  readonly leftOfApproved?: Left;
  /** Only a call that a person approves has the moment. */
  readonly needsApproval?: true;
  /** The processes that follow send another message. Otherwise they resume the run. */
  readonly next?: 'message';
}

export const NAMED_MOMENTS: readonly NamedMoment[] = [
  { name: 'before the call is stored', deaths: ['before-call'], left: 'one effect' },
  {
    name: 'after the call is stored',
    deaths: ['after-call'],
    left: 'no effect, unknown',
    // Nobody was asked yet, so it has not begun: a person is asked now.
    leftOfApproved: 'one effect',
  },
  {
    name: 'after the question is stored',
    deaths: ['after-question'],
    left: 'one effect',
    needsApproval: true,
  },
  {
    name: 'after the question is stored, and a message follows',
    deaths: ['after-question'],
    left: 'one effect',
    needsApproval: true,
    next: 'message',
  },
  { name: 'while paused', deaths: ['paused'], left: 'one effect', needsApproval: true },
  {
    name: 'after the approval is stored',
    deaths: ['after-answer'],
    left: 'no effect, unknown',
    needsApproval: true,
  },
  { name: 'mid effect', deaths: ['mid-effect'], left: 'no effect, unknown' },
  { name: 'after the effect', deaths: ['after-effect'], left: 'one effect, unknown' },
  { name: 'after the response is stored', deaths: ['after-response'], left: 'one effect' },
  { name: 'during resume', deaths: ['mid-effect', 'before-append-1'], left: 'no effect, unknown' },
];

/** How many appends of a process a seed may choose from. */
const APPENDS = 6;
const MOST_DEATHS = 3;

/** Processes that die at a moment with a name: what is left must be exactly what the tool is promised. */
export async function dieAt(place: Place, tool: CountingTool, moment: NamedMoment): Promise<Check> {
  const what = `${nameOf(tool)}, ${moment.name}`;
  const lives = await live(place, tool, moment.deaths, moment.next);
  if (typeof lives === 'string') return { what, fault: lives };
  if (lives.deaths < moment.deaths.length)
    return { what, fault: `only ${String(lives.deaths)} processes died` };
  const outcome = await readOutcome(place, tool, lives.children);
  if (typeof outcome === 'string') return { what, fault: outcome };
  const fault = faultOf(outcome, tool);
  if (fault !== undefined || tool.mark !== 'unmarked') return { what, fault };
  const left = `${outcome.effects === 1 ? 'one' : 'no'} effect${outcome.isUnknown ? ', unknown' : ''}`;
  const expected = (tool.isConfirmed ? moment.leftOfApproved : undefined) ?? moment.left;
  return { what, fault: left === expected ? undefined : `${left}; expected: ${expected}` };
}

/** Up to three processes that die at moments which the seed decides, before or after any append too. */
export async function dieBySeed(place: Place, tool: CountingTool, seed: number): Promise<Check> {
  const deaths = deathsOf(seed);
  const what = `seed ${String(seed)}: ${nameOf(tool)}, ${deaths.join(', ')}`;
  const lives = await live(place, tool, deaths);
  if (typeof lives === 'string') return { what, fault: lives };
  const outcome = await readOutcome(place, tool, lives.children);
  return { what, fault: typeof outcome === 'string' ? outcome : faultOf(outcome, tool) };
}

function deathsOf(seed: number): string[] {
  const random = seededRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const moments = [
    ...new Set(NAMED_MOMENTS.flatMap(({ deaths }) => deaths)),
    ...Array.from({ length: APPENDS }, (_, index) => [
      `before-append-${String(index + 1)}`,
      `after-append-${String(index + 1)}`,
    ]).flat(),
  ];
  return Array.from({ length: 1 + pick(MOST_DEATHS) }, () => moments[pick(moments.length)] ?? '');
}

interface Lives {
  readonly children: readonly Child[];
  readonly deaths: number;
}

/** One process for each death, and one that lives. */
async function live(
  place: Place,
  tool: CountingTool,
  moments: readonly string[],
  next?: 'message',
): Promise<Lives | string> {
  const children: Child[] = [];
  let deaths = 0;
  for (const moment of [...moments, '']) {
    const child = new Child('caller.child.js', import.meta.url, [
      place.url,
      place.effects,
      nameOf(tool),
      'drive',
      moment,
      ...(next === undefined ? [] : [next]),
    ]);
    children.push(child);
    const code = await child.ended;
    if (code === null && moment !== '') deaths++;
    else if (code !== 0) return `process ${String(children.length)} ${String(await child.fault())}`;
  }
  return { children, deaths };
}

/** What every tool of the kind is promised, wherever its process died. */
function faultOf({ began, effects, isUnknown }: Outcome, { mark }: CountingTool): string | undefined {
  const said = `${String(began)} runs, ${String(effects)} effects${isUnknown ? ', outcome unknown' : ''}`;
  switch (mark) {
    case 'idempotent':
    case 'reconcile':
      return effects === 1 && !isUnknown ? undefined : said;
    case 'read':
      return effects >= 1 && !isUnknown ? undefined : said;
    case 'unmarked':
      return began <= 1 && (isUnknown || effects === 1) ? undefined : said;
  }
}
