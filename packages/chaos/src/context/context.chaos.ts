import { type Check, type Section, timed } from '@adorn/conformance/check';
import { chaosSuite, type SuiteOptions } from '../suite.js';
import { holdLongConversation, type LongConversation } from './long-conversation.js';

const PROGRESS_EVERY = 100;

export const contextChaos = chaosSuite({
  name: 'context',
  takes: 'ten minutes',
  summary:
    'conversations with results of 1 byte to 2 MB outgrow windows of 8,000 to 1,000,000 tokens, with requests that wait, ' +
    'forks, rewinds, agents as tools and parallel branches; no session may die, no request may be lost, none may be ' +
    'above the window after the first refusal, and each must be one that providers take',
  counts: { conversations: { default: 2000, what: 'conversations' } },
  run: talk,
});

async function* talk({
  from,
  counts: { conversations },
}: SuiteOptions<'conversations'>): AsyncGenerator<Section> {
  const sums = new Map<string, number>();
  yield await timed('long conversations', async () => {
    const checks: Check[] = [];
    for (let seed = from; seed < from + conversations; seed += 1) {
      const fault = await faultOf(seed, sums);
      checks.push({ what: `seed ${String(seed)} (--conversations 1 --from ${String(seed)})`, fault });
      if (fault !== undefined) console.log(`  seed ${String(seed)}: ${fault}`);
      if (checks.length % PROGRESS_EVERY === 0) console.log(`  ${String(checks.length)} conversations`);
    }
    return [{ name: 'conversations', checks }];
  });
  console.log(`  ${[...sums].map(([what, count]) => `${what} ${String(count)}`).join(', ')}`);
}

async function faultOf(seed: number, sums: Map<string, number>): Promise<string | undefined> {
  try {
    const counts: LongConversation = await holdLongConversation(seed);
    for (const [what, count] of Object.entries(counts) as [string, number][])
      sums.set(what, (sums.get(what) ?? 0) + count);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message).slice(0, 700) : 'no error was thrown';
  }
}
