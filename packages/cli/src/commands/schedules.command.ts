import { pathToFileURL } from 'node:url';

import type { ListedSchedule, ScheduledService } from '@adorn/schedules';
import { Command } from 'commander';

import { findFile } from '../application/find-file.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage.error.js';
import { loadRunner } from './load-runner.js';

/**
 * `adorn schedules`: the schedules of an application, and when they come next. Nothing begins.
 *
 * @param bin the URL of the command
 */
export function schedulesCommand(bin: string, output: Output = process.stdout): Command {
  return new Command('schedules')
    .description('list the schedules of an application, and when they come next')
    .argument(
      '[file]',
      'a .js or .ts file that exports an agent or a runner, or a folder that holds one',
      '.',
    )
    .option('--count <n>', 'how many times of each', '3')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nListed are the schedules of the agents in its tree, and of the classes that the file exports.\n',
    )
    .action(async (file: string, { count, json }: SchedulesFlags) => {
      if (!/^[1-9]\d{0,2}$/.test(count))
        throw new UsageError(`--count is "${count}"; it takes a whole number from 1 to 999.`);
      const listed = await listOf(file, bin, Number(count));
      output.write(json === true ? `${JSON.stringify(listed, undefined, 2)}\n` : textOf(listed, output));
    });
}

interface SchedulesFlags {
  readonly count: string;
  readonly json?: boolean;
}

async function listOf(file: string, bin: string, count: number): Promise<readonly ListedSchedule[]> {
  const { listSchedules, schedulesOf } = await import('@adorn/schedules');
  await using runner = await loadRunner(file, bin, {});
  const exported: object = (await import(pathToFileURL(findFile(file)).href)) as object;
  const agents = listSchedules(runner, { count });
  const names = new Set(agents.map(({ name }) => name));
  const services = Object.values(exported).filter(
    (value): value is ScheduledService =>
      typeof value === 'function' &&
      schedulesOf(value as ScheduledService).some(({ name }) => !names.has(name)),
  );
  return listSchedules(runner, { services, count });
}

function textOf(listed: readonly ListedSchedule[], output: Output): string {
  const paint = paletteFor(output);
  const lines = listed.flatMap(({ name, place, pattern, timeZone, missed, next }) => [
    `${paint('title', printable(name))}  ${printable(`${pattern} (${timeZone})`)}`,
    paint('note', printable(`  ${place}, missed: ${missed}`)),
    ...next.map((time) => `  ${time.toISOString()}`),
  ]);
  return [...lines, `${String(listed.length)} schedules`, ''].join('\n');
}
