import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { type GoldStep, type GoldTask, readRetailBenchmark, type RetailBenchmark } from '../gold-tasks.js';
import { CustomerTools } from './customer.tools.js';
import { DeliveredOrderTools } from './delivered-order.tools.js';
import { PendingOrderTools } from './pending-order.tools.js';
import { ShopTools } from './shop.tools.js';

const fixtures = resolve(process.env['ADORN_FIXTURES'] ?? '../shared/fixtures');
const isPresent = existsSync(resolve(fixtures, 'tau/retail/gold.json'));
const whenPresent = isPresent ? describe : describe.skip;
const title = isPresent ? 'the retail tools' : 'the retail tools (skipped: no tau/retail in ADORN_FIXTURES)';

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
  const tools = [CustomerTools, PendingOrderTools, DeliveredOrderTools, ShopTools].map(
    (toolClass) => new toolClass(database),
  );
  const outputs = task.steps.map((step) => call(tools, step, benchmark));
  return { task: task.id, outputs, hash: database.hash() };
}

/** Calls the method of the published name, its arguments in the published order. */
function call(tools: readonly object[], step: GoldStep, benchmark: RetailBenchmark): unknown {
  const published = benchmark.tools.find((tool) => tool.name === step.name);
  const parameters = Object.keys(published?.parameters.properties ?? {});
  const method = step.name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const owner = tools.find((one) => method in one) ?? {};
  const run = Reflect.get(owner, method) as (...args: unknown[]) => unknown;
  return Reflect.apply(
    run,
    owner,
    parameters.map((name) => step.args[name]),
  );
}
