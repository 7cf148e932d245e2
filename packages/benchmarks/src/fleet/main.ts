import { spawnSync } from 'node:child_process';

import { laterNode } from '@adorn/conformance/command-line/later-node';
import { runCommand } from '@adorn/conformance/command-line/run-command';

import { type FleetBenchOptions, HELP, parseOptions } from './options.js';

async function main(options: FleetBenchOptions): Promise<void> {
  if (options.simulate) {
    const { simulate } = await import('./simulation/simulate.js');
    simulate();
    return;
  }
  const node = laterNode();
  if (node !== process.execPath) {
    const { status } = spawnSync(node, ['--expose-gc', ...process.argv.slice(1)], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    return;
  }
  const { measure } = await import('./measure.js');
  await measure(options);
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run bench -- --fleet --help" lists every flag.',
  usageCode: 1,
});
