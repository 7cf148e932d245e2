import { main } from '@adorn/cli';

/** Runs `adorn new` with the arguments of `npm create adorn`. */
export async function createAdorn(args: readonly string[], facts: Parameters<typeof main>[1]): Promise<void> {
  await main(['node', 'adorn', 'new', ...args], facts);
}
