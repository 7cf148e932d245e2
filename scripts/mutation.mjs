// Mutation tests: how much of what the sources do is held by the specs beside them. `npm run mutation -- --help` says
// more.

import { parseOptions } from './mutation/options.mjs';
import { printReport } from './mutation/report.mjs';
import { ensureStryker, runStryker } from './mutation/stryker.mjs';
import { since } from './setup/seconds.mjs';
import { ROOT } from './setup/workspace.mjs';

process.chdir(ROOT);
const runs = parseOptions(process.argv.slice(2));
ensureStryker();
for (const run of runs) {
  const started = performance.now();
  const done = await runStryker(run);
  if (done === undefined) {
    process.exitCode = 1;
    continue;
  }
  printReport(done.report, run);
  const share =
    run.every === 1 ? 'every mutant' : `one mutant in ${String(run.every)}, part ${String(run.part)}`;
  console.log(`\n${run.name}: ${share}, in ${since(started)}; the whole report is ${done.path}`);
}
