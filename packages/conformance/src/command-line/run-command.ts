import { UsageError } from './usage.error.js';

/** One command of this package, as `runCommand` needs it. */
export interface Command<Options extends { readonly help: boolean }> {
  /** Throws `UsageError` for a command line that means nothing. */
  readonly parse: (args: readonly string[]) => Options;
  readonly run: (options: Options) => Promise<void>;
  /** What `--help` prints. */
  readonly help: string;
  /** Said after what is wrong with a command line: where to read what there is. */
  readonly hint: string;
  /** The exit code where the command line or what it names is not there. */
  readonly usageCode: number;
}

/** Runs a command, or prints its help. A `UsageError` ends it in a sentence; any other error is a fault, and thrown on. */
export async function runCommand<Options extends { readonly help: boolean }>(
  { parse, run, help, hint, usageCode }: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  try {
    const options = parse(args);
    if (options.help) process.stdout.write(help);
    else await run(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message} ${hint}`);
    process.exitCode = usageCode;
  }
}
