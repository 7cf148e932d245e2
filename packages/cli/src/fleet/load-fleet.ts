import { isLoopback } from '@adorn/core/backend';
import type { Fleet, InvocationQueue } from '@adorn/fleet';

import { type Parameters, required, text, type ValuesOf } from '../command/parameter.js';
import { STORE_OPTIONS } from '../command/shared-parameters.js';
import { loadRunner, type LoadOptions } from '../commands/load-runner.js';
import { UsageError } from '../usage.error.js';

/** The options of commands that belong to a fleet. */
export const FLEET_OPTIONS = {
  store: required('<url>', 'the PostgreSQL of the sessions, which all machines share: postgres://…'),
  restate: text(
    '<ingress,admin,workers>',
    'the addresses of Restate and of its workers (default: pg-boss in the store)',
  ),
  app: STORE_OPTIONS.app,
} satisfies Parameters;

type FleetCommandOptions = ValuesOf<typeof FLEET_OPTIONS>;

/**
 * Creates the runner of an application, and connects it to the other machines.
 *
 * @param bin the URL of the command
 * @throws {UsageError} if the queue's package is not installed
 */
export async function loadFleet(
  file: string,
  bin: string,
  options: FleetCommandOptions & Pick<LoadOptions, 'callsModels'>,
): Promise<Fleet> {
  const { store: url } = options;
  if (!/^postgres(ql)?:/.test(url))
    throw new UsageError(`--store is "${url}"; machines share a postgres://… database.`);
  const queue = await queueOf(options);
  const runner = await loadRunner(file, bin, { ...options, allowsRunner: true });
  const { openFleet } = await import('@adorn/fleet');
  return openFleet(runner, { queue, url });
}

/** The queues are loaded from the project: most projects need neither. */
async function queueOf({ restate, store }: FleetCommandOptions): Promise<InvocationQueue> {
  if (restate === undefined) {
    const { PgBossQueue } = await import('@adorn/pg-boss').catch(() => missing('@adorn/pg-boss'));
    return new PgBossQueue(store);
  }
  const { RestateQueue } = await import('@adorn/restate').catch(() => missing('@adorn/restate'));
  const [ingress, admin, workers] = restate.split(',');
  if (ingress === undefined || admin === undefined)
    throw new UsageError(
      '--restate takes the ingress and the admin address of Restate, and that of the workers.',
    );
  if (workers === undefined) return new RestateQueue({ ingress, admin });
  const { port, hostname } = new URL(workers);
  const identityKeys = (process.env['RESTATE_IDENTITY_KEYS'] ?? '').split(',').filter((key) => key !== '');
  const host = isLoopback(hostname) ? '127.0.0.1' : '0.0.0.0';
  return new RestateQueue({ ingress, admin, workers, port: Number(port), host, identityKeys });
}

function missing(name: string): never {
  throw new UsageError(`The package ${name} is not installed: npm install ${name}`);
}
