import { readCounts } from '@adorn/conformance/command-line/read-counts';

export type StoresOptions = ReturnType<typeof parseOptions>;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]) {
  return readCounts(args, { appends: 300, events: 10_000, rounds: 15 }, ['stores']);
}
