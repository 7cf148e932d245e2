import { type CommandContext, defineCommand } from '../command/declaration.js';
import { count, type Parameters, type ValuesOf } from '../command/parameter.js';
import { FILE, json } from '../command/shared-parameters.js';
import { FLEET_OPTIONS, loadFleet } from '../fleet/load-fleet.js';
import { printJsonLine, printLine } from '../terminal/print.js';

const OPTIONS = {
  ...FLEET_OPTIONS,
  concurrency: count('<n>', 'how many invocations run at a time', { fallback: 10 }),
  attempts: count('<n>', 'after how many failed attempts an invocation is parked', { fallback: 5 }),
  grace: count('<seconds>', 'how long a stopping worker waits for what it runs', { fallback: 10 }),
  json: json('print a line of JSON when it has begun'),
} satisfies Parameters;

/** `adorn worker`: runs the invocations that other machines have accepted. */
export const workerCommand = defineCommand({
  name: 'worker',
  summary: 'run what other machines have accepted',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
At SIGTERM or SIGINT it takes nothing more, and waits for what it runs. Another worker continues what has not ended within the
grace. A second signal ends it at once.`,
  exitCodes: { 0: 'it was ended by SIGTERM or SIGINT' },
  examples: [
    'adorn worker --store postgres://adorn@db/adorn',
    'adorn worker . --store "$DATABASE_URL" --restate http://restate:8080,http://restate:9070,http://workers:9080',
  ],
  run: work,
});

async function work(
  { file, ...options }: ValuesOf<typeof OPTIONS> & { readonly file: string },
  { bin, output }: CommandContext,
): Promise<void> {
  const { concurrency, attempts: maxAttempts, grace, json: isJson } = options;
  const { startWorker } = await import('@adorn/fleet');
  const fleet = await loadFleet(file, bin, { ...options, callsModels: true });
  const worker = await startWorker(fleet, { concurrency, maxAttempts });
  const { appName } = fleet.runner;
  if (isJson) printJsonLine(output, { app: appName, concurrency });
  else printLine(output, `Works for ${appName}. SIGTERM ends it.`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve);
  });
  await worker.stop(grace * 1_000);
  // What has not ended belongs to another worker now.
  process.exit();
}
