import { readCounts } from '@adorn/conformance/command-line/read-counts';

export type ServedOptions = ReturnType<typeof parseOptions>;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]) {
  return readCounts(args, { turns: 1_000, requests: 5_000, streams: 1_000 }, ['server']);
}
