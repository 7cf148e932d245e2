import type { Check, Section } from '../../conformance/check.js';
import { timed } from '../../conformance/check.js';
import { holdConversation } from './live-conversation.js';

export interface LiveChaosOptions {
  /** The first seed. */
  readonly from: number;
  readonly conversations: number;
}

/** Live conversations in which anything happens at any time, and whose processes die. */
export async function* liveChaos({ from, conversations }: LiveChaosOptions): AsyncGenerator<Section> {
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
