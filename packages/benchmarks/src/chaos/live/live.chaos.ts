import type { Check, Section } from '../../conformance/check.js';
import { timed } from '../../conformance/check.js';
import { holdConversation } from './live-conversation.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

export const liveChaos = chaosSuite({
  name: 'live',
  takes: 'three minutes',
  summary:
    'live conversations with speech, calls, cancellations, interruptions, phases, hand-overs, lost ' +
    'connections and deaths of the process in any order; every call must be answered once or cancelled, ' +
    'and nothing may be lost, happen twice or stay open',
  counts: {
    conversations: { default: 5000, what: 'conversations' },
  },
  run: talk,
});

/** Live conversations in which anything happens at any time, and whose processes die. */
async function* talk({
  from,
  counts: { conversations },
}: SuiteOptions<'conversations'>): AsyncGenerator<Section> {
  yield await timed('live conversations in any order', async () => {
    const checks: Check[] = [];
    for (let seed = from; seed < from + conversations; seed++) checks.push(await checkOf(seed));
    return [{ name: 'conversations', checks }];
  });
}

async function checkOf(seed: number): Promise<Check> {
  const what = `seed ${String(seed)}`;
  try {
    return { what, fault: await holdConversation(seed) };
  } catch (error) {
    return { what, fault: error instanceof Error ? error.message : String(error) };
  }
}
