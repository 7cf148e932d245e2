import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { type GoldStep, type GoldTask, readRetailBenchmark, type RetailBenchmark } from './gold-tasks.js';
import { RetailTools } from './retail.tools.js';

const fixtures = resolve(process.env['ADORN_FIXTURES'] ?? '../shared/fixtures');
const isPresent = existsSync(resolve(fixtures, 'tau/retail/gold.json'));
const whenPresent = isPresent ? describe : describe.skip;
const title = isPresent ? 'RetailTools' : 'RetailTools (skipped: no tau/retail in ADORN_FIXTURES)';

whenPresent(title, () => {
  it('answers each gold call with the published text, and leaves the published database', () => {
    const benchmark = readRetailBenchmark(fixtures);

    for (const task of benchmark.tasks) {
      const outputs = task.steps.map((step) => step.output);
      expect(play(task, benchmark)).toEqual({ task: task.id, outputs, hash: task.db_sha256 });
    }
  });
});

function play(
  task: GoldTask,
  benchmark: RetailBenchmark,
): { task: string; outputs: unknown[]; hash: string } {
  const database = benchmark.database.copy();
  const tools = new RetailTools(database);
  const outputs = task.steps.map((step) => call(tools, step, benchmark));
  return { task: task.id, outputs, hash: database.hash() };
}

/** Calls the method of the published name, its arguments in the published order. */
function call(tools: RetailTools, step: GoldStep, benchmark: RetailBenchmark): unknown {
  const published = benchmark.tools.find((tool) => tool.name === step.name);
  const parameters = Object.keys(published?.parameters.properties ?? {});
  const method = step.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const run = Reflect.get(tools, method) as (...args: unknown[]) => unknown;
  return Reflect.apply(
    run,
    tools,
    parameters.map((name) => step.args[name]),
  );
}
