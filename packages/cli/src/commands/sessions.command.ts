import { Command } from 'commander';

import { loadFleet, type FleetCommandOptions, withFleetOptions } from '../fleet/load-fleet.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage.error.js';

interface ParkedOptions extends FleetCommandOptions {
  readonly release?: string;
  readonly drop?: string;
}

/**
 * `adorn sessions parked`: lists the invocations that workers have given up, and releases or drops one.
 *
 * @param bin the URL of the command
 */
export function sessionsCommand(bin: string): Command {
  const parked = withFleetOptions(new Command('parked').description('list what workers have given up'))
    .option('--release <invocation>', 'let workers attempt it again')
    .option('--drop <invocation>', 'remove it, and let those behind it run')
    .action((file: string, options: ParkedOptions) => showParked(file, bin, options));
  return new Command('sessions').description('look at the sessions of a fleet').addCommand(parked);
}

async function showParked(file: string, bin: string, options: ParkedOptions): Promise<void> {
  const fleet = await loadFleet(file, bin, options);
  try {
    const entries = await fleet.parked();
    const id = options.release ?? options.drop;
    if (id === undefined) {
      for (const { userId, sessionId, invocationId, attempts, error = '' } of entries)
        console.log(
          printable([userId, sessionId, invocationId, `${String(attempts)} attempts`, error].join('  ')),
        );
      console.log(`${String(entries.length)} parked`);
      return;
    }
    const entry = entries.find(({ invocationId }) => invocationId === id);
    if (!entry)
      throw new UsageError(`No parked invocation has the id ${id}; without a flag, all are listed.`);
    await (options.release === undefined ? fleet.drop(entry) : fleet.release(entry));
    console.log(`${id} ${options.release === undefined ? 'dropped' : 'released'}`);
  } finally {
    await fleet.close();
    await fleet.runner.close();
  }
}
