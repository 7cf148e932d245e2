import { type Check, type Section, timed } from '../../conformance/check.js';
import { holdConversation, type StoreName } from './conversation.js';

export interface InputChaosOptions {
  /** The first seed. */
  readonly from: number;
  readonly conversations: number;
}

const PROGRESS_EVERY = 500;

/** Holds so many conversations in memory, and as many on SQLite, each by its own seed. */
export async function* inputChaos({ from, conversations }: InputChaosOptions): AsyncGenerator<Section> {
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
    checks.push({ what: `seed ${String(seed)} (--seed ${String(seed)})`, fault });
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
