import { readFlags } from '../command-line/read-flags.js';
import { positive } from '../command-line/whole-number.js';

export interface ServedOptions {
  readonly help: boolean;
  readonly turns: number;
  readonly requests: number;
  readonly streams: number;
}

const FLAGS = {
  server: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  turns: { type: 'string' },
  requests: { type: 'string' },
  streams: { type: 'string' },
} as const;

/** Reads the command line. Throws `UsageError` for a flag or a number that means nothing. */
export function parseOptions(args: readonly string[]): ServedOptions {
  const { values } = readFlags(args, { options: FLAGS });
  return {
    help: values.help ?? false,
    turns: positive('turns', values.turns ?? '1000'),
    requests: positive('requests', values.requests ?? '5000'),
    streams: positive('streams', values.streams ?? '1000'),
  };
}
