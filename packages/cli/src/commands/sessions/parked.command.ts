import { type CommandContext, defineCommand } from '../../command/declaration.js';
import { type Parameters, text, type ValuesOf } from '../../command/parameter.js';
import { FILE, json } from '../../command/shared-parameters.js';
import { FLEET_OPTIONS, loadFleet } from '../../fleet/load-fleet.js';
import { printJsonLine, printLine } from '../../terminal/print.js';
import { UsageError } from '../../usage.error.js';

const OPTIONS = {
  ...FLEET_OPTIONS,
  release: text('<invocation>', 'let workers attempt it again', { conflicts: ['drop'] }),
  drop: text('<invocation>', 'remove it, and let those behind it run'),
  json: json('print each invocation as a line of JSON'),
} satisfies Parameters;

/** `adorn sessions parked`: lists the invocations that workers have given up, and releases or drops one. */
export const parkedCommand = defineCommand({
  name: 'parked',
  summary: 'list what the workers of a fleet have given up',
  arguments: { file: FILE },
  options: OPTIONS,
  examples: [
    'adorn sessions parked . --store "$DATABASE_URL"',
    'adorn sessions parked . --store "$DATABASE_URL" --release e-8f21',
  ],
  run: showParked,
});

async function showParked(
  { file, release, drop, json: isJson, ...options }: ValuesOf<typeof OPTIONS> & { readonly file: string },
  { bin, output }: CommandContext,
): Promise<void> {
  const fleet = await loadFleet(file, bin, options);
  try {
    const entries = await fleet.parked();
    const id = release ?? drop;
    if (id === undefined) {
      for (const entry of entries) {
        const { userId, sessionId, invocationId, attempts, error = '' } = entry;
        if (isJson) printJsonLine(output, entry);
        else
          printLine(
            output,
            [userId, sessionId, invocationId, `${String(attempts)} attempts`, error].join('  '),
          );
      }
      if (!isJson) printLine(output, `${String(entries.length)} parked`);
      return;
    }
    const entry = entries.find(({ invocationId }) => invocationId === id);
    if (!entry)
      throw new UsageError(`No parked invocation has the id ${id}; without a flag, all are listed.`);
    await (release === undefined ? fleet.drop(entry) : fleet.release(entry));
    const done = release === undefined ? 'dropped' : 'released';
    if (isJson) printJsonLine(output, { invocationId: id, done });
    else printLine(output, `${id} ${done}`);
  } finally {
    await fleet.close();
    await fleet.runner.close();
  }
}
