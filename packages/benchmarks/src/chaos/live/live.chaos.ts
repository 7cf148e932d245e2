import type { Check, Section } from '../../conformance/check.js';
import { timed } from '../../conformance/check.js';
import { holdConversation } from './live-conversation.js';
import { holdThroughKills } from './live-kills.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

export const liveChaos = chaosSuite({
  name: 'live',
  takes: 'six minutes',
  summary:
    'live conversations with speech, calls, cancellations, interruptions, phases, hand-overs, lost ' +
    'connections and deaths of the process in any order; every call must be answered once or cancelled, ' +
    'and nothing may be lost, happen twice or stay open. kills: real processes that are killed, and real sockets',
  parts: ['conversations', 'kills'],
  counts: {
    conversations: { default: 5000, what: 'conversations' },
    kills: { default: 30, what: 'conversations of killed processes' },
  },
  run: talk,
});

/** Live conversations in which anything happens at any time, and whose processes die. */
async function* talk({
  from,
  counts,
  parts,
}: SuiteOptions<'conversations' | 'kills'>): AsyncGenerator<Section> {
  if (parts.includes('conversations')) {
    yield await timed('live conversations in any order', async () => {
      const checks: Check[] = [];
      for (let seed = from; seed < from + counts.conversations; seed++) checks.push(await checkOf(seed));
      return [{ name: 'conversations', checks }];
    });
  }
  if (parts.includes('kills')) {
    const soFar = { kills: 0, drops: 0, calls: 0 };
    const section = await timed('live conversations of killed processes', async () => {
      const checks: Check[] = [];
      for (let seed = from; seed < from + counts.kills; seed++)
        checks.push(await holdThroughKills(seed, soFar));
      return [{ name: 'conversations', checks }];
    });
    const { kills, drops, calls } = soFar;
    const name = `kill -9 (${String(kills)}), lost sockets (${String(drops)}), calls (${String(calls)})`;
    yield { ...section, groups: section.groups.map(({ checks }) => ({ name, checks })) };
  }
}

async function checkOf(seed: number): Promise<Check> {
  const what = `seed ${String(seed)}`;
  try {
    return { what, fault: await holdConversation(seed) };
  } catch (error) {
    return { what, fault: error instanceof Error ? error.message : String(error) };
  }
}
