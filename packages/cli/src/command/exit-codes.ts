/** The exit codes of every command. */
export const EXIT_CODES = {
  0: 'it is done, and what was checked is fine; also if the reader of its output left, as `head` does',
  1: 'it failed, or what was checked is not fine',
  2: 'the command line is not valid, or names a file that does not exist',
  129: 'its terminal was closed (SIGHUP)',
  130: 'it was interrupted by Ctrl-C (SIGINT)',
  143: 'it was ended by SIGTERM',
} as const satisfies Readonly<Record<number, string>>;

export const FAILED = 1;
export const WRONG_USE = 2;
export const INTERRUPTED = 130;
