import { type Check, type Section, timed } from '@adorn/conformance/check';

import { holdConversation, type StoreName } from './conversation.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

const PROGRESS_EVERY = 500;

export const inputChaos = chaosSuite({
  name: 'input',
  takes: 'four to six minutes',
  summary:
    'models, users, tools and imported logs send what they must not, in conversations of three turns; ' +
    'every run must end with events or a typed error, and the session must answer afterwards',
  counts: {
    conversations: { default: 5000, what: 'conversations in memory, and as many on SQLite' },
  },
  run: talk,
});

/** Holds so many conversations in memory, and as many on SQLite, each by its own seed. */
async function* talk({
  from,
  counts: { conversations },
}: SuiteOptions<'conversations'>): AsyncGenerator<Section> {
  for (const store of ['memory', 'sqlite'] as const) {
    yield await timed(`hostile input: ${store}`, async () => [
      { name: 'conversations', checks: await hold(store, from, conversations) },
    ]);
  }
}

async function hold(store: StoreName, from: number, conversations: number): Promise<Check[]> {
  const checks: Check[] = [];
  for (let seed = from; seed < from + conversations; seed++) {
    const fault = await faultOf(seed, store);
    checks.push({ what: `seed ${String(seed)} (--conversations 1 --from ${String(seed)})`, fault });
    if (fault !== undefined) console.log(`  ${store}: seed ${String(seed)}: ${fault}`);
    if (checks.length % PROGRESS_EVERY === 0) {
      console.log(`  ${store}: ${String(checks.length)} of ${String(conversations)} conversations`);
    }
  }
  return checks;
}

async function faultOf(seed: number, store: StoreName): Promise<string | undefined> {
  try {
    return await holdConversation(seed, store);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : 'something that is no error was thrown';
  }
}
