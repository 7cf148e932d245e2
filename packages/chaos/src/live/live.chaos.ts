import type { Check, Section } from '@adorn/conformance/check';
import { timed } from '@adorn/conformance/check';
import { messageOf } from '@adorn/conformance/message-of';

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
      const checks = await checksOf(from, counts.conversations, holdConversation);
      return [{ name: 'conversations', checks }];
    });
  }
  if (parts.includes('kills')) {
    yield await timed('live conversations of killed processes', async () => {
      const soFar = { kills: 0, drops: 0, calls: 0 };
      const checks = await checksOf(from, counts.kills, (seed) => holdThroughKills(seed, soFar));
      const { kills, drops, calls } = soFar;
      const name = `kill -9 (${String(kills)}), lost sockets (${String(drops)}), calls (${String(calls)})`;
      return [{ name, checks }];
    });
  }
}

/** A check for each seed. @param hold returns what is wrong with a conversation */
async function checksOf(
  from: number,
  count: number,
  hold: (seed: number) => Promise<string | undefined>,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (let seed = from; seed < from + count; seed++)
    checks.push({ what: `seed ${String(seed)}`, fault: await hold(seed).catch(messageOf) });
  return checks;
}
