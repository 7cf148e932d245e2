import { pathToFileURL } from 'node:url';

import type { ListedSchedule, ScheduledService } from '@adorn/schedules';

import { findFile } from '../application/find-file.js';
import { defineCommand } from '../command/declaration.js';
import { count } from '../command/parameter.js';
import { FILE, json } from '../command/shared-parameters.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { printJson } from '../terminal/print.js';
import { printable } from 'adorn/main';
import { loadRunner } from './load-runner.js';

/** `adorn schedules`: the schedules of an application, and when they come next. Nothing begins. */
export const schedulesCommand = defineCommand({
  name: 'schedules',
  summary: 'list the schedules of an application, and when they come next',
  arguments: { file: FILE },
  options: {
    count: count('<n>', 'how many times of each', { fallback: 3, most: 999 }),
    json: json(),
  },
  notes: 'Listed are the schedules of the agents in its tree, and of the classes that the file exports.',
  examples: ['adorn schedules .', 'adorn schedules src/support.agent.ts --count 10'],
  async run({ file, count: times, json: isJson }, { bin, output }) {
    const listed = await listOf(file, bin, times);
    if (isJson) printJson(output, listed);
    else output.write(textOf(listed, output));
  },
});

async function listOf(file: string, bin: string, times: number): Promise<readonly ListedSchedule[]> {
  const { listSchedules, schedulesOf } = await import('@adorn/schedules');
  await using runner = await loadRunner(file, bin, {});
  const exported: object = (await import(pathToFileURL(findFile(file)).href)) as object;
  const agents = listSchedules(runner, { count: times });
  const names = new Set(agents.map(({ name }) => name));
  const services = Object.values(exported).filter(
    (value): value is ScheduledService =>
      typeof value === 'function' &&
      schedulesOf(value as ScheduledService).some(({ name }) => !names.has(name)),
  );
  return listSchedules(runner, { services, count: times });
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
