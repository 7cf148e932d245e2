import { Command } from 'commander';

import { loadFleet, type FleetCommandOptions, withFleetOptions } from '../fleet/load-fleet.js';
import { UsageError } from '../usage.error.js';

interface WorkerCommandOptions extends FleetCommandOptions {
  readonly concurrency: string;
  readonly attempts: string;
  readonly grace: string;
}

/**
 * `adorn worker`: runs the invocations that other machines have accepted.
 *
 * @param bin the URL of the command
 */
export function workerCommand(bin: string): Command {
  return withFleetOptions(new Command('worker').description('run what other machines have accepted'))
    .option('--concurrency <n>', 'how many invocations run at a time', '10')
    .option('--attempts <n>', 'after how many failed attempts an invocation is parked', '5')
    .option('--grace <seconds>', 'how long a stopping worker waits for what it runs', '10')
    .addHelpText('after', AFTER)
    .action((file: string, options: WorkerCommandOptions) => work(file, bin, options));
}

const AFTER = `
At SIGTERM or SIGINT it takes nothing more, and waits for what it runs. Another worker continues what has not ended within
the grace. A second signal ends it at once.

Examples:
  $ adorn worker --store postgres://adorn@db/adorn
  $ adorn worker . --store "$DATABASE_URL" --restate http://restate:8080,http://restate:9070,http://workers:9080
`;

async function work(file: string, bin: string, options: WorkerCommandOptions): Promise<void> {
  // Before the fleet is opened: its connections would keep a refused command alive.
  const concurrency = wholeNumber('--concurrency', options.concurrency);
  const maxAttempts = wholeNumber('--attempts', options.attempts);
  const graceMs = wholeNumber('--grace', options.grace) * 1000;
  const { startWorker } = await import('@adorn/fleet');
  const fleet = await loadFleet(file, bin, options);
  const worker = await startWorker(fleet, { concurrency, maxAttempts });
  console.log(`Works for ${fleet.runner.appName}. SIGTERM ends it.`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
  await worker.stop(graceMs);
  // What has not ended belongs to another worker now.
  process.exit();
}

function wholeNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new UsageError(`${flag} is "${text}"; it takes a whole number from 1.`);
  return Number(text);
}
