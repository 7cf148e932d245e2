// `npm run bench -- --eval`: cases a second, and what an evaluation adds to the run of a case.
import { type EvalGate, type EvaluateOptions, evaluate, noDoubleEffect, noUnapprovedCall } from '@adorn/eval';
import { createRunner, defineAgent, FunctionTool, Model, type ModelRequest, type Runner } from 'adorn';

import { formatTable } from '../overhead/report/format.js';
import { percentile } from '../percentile.js';

const CASES = 500;
const ROUNDS = 5;

/** Calls the tool once a message, and answers at once. */
class Refunding extends Model {
  readonly name = 'refunding';

  override async *generate({ contents }: ModelRequest) {
    const isAnswered = contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse) === true;
    const call = { functionCall: { name: 'refund', args: { order: 'A-17' } } };
    yield { content: { role: 'model', parts: [isAnswered ? { text: 'Done.' } : call] } };
  }
}

const refund = new FunctionTool({
  name: 'refund',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: { order: { type: 'string' } } },
  effect: 'write',
  idempotent: true,
  run: ({ order }) => ({ refunded: order }),
});

const MESSAGE = { role: 'user', parts: [{ text: 'Refund A-17.' }] };
const SET = {
  evalSetId: 'bench',
  evalCases: [{ evalId: 'refund', conversation: [{ userContent: MESSAGE }] }],
};
const METRIC = { name: 'answered', description: '', threshold: 1, score: () => 1 };
const GATES: readonly EvalGate[] = [noDoubleEffect(), noUnapprovedCall()];

const WAYS: Readonly<Record<string, (runner: Runner) => Promise<unknown>>> = {
  'the runs alone': plainRuns,
  'evaluated, a metric': (runner) => evaluated(runner, {}),
  'and two gates': (runner) => evaluated(runner, { gates: GATES }),
  'and a kill in each case': (runner) =>
    evaluated(runner, { gates: GATES, faults: (_case, run) => [{ kind: 'kill', behind: 1 + (run % 4) }] }),
};

async function plainRuns(runner: Runner): Promise<void> {
  for (let number = 0; number < CASES; number++)
    await runner.run({
      userId: 'ada',
      sessionId: `plain-${String(number)}-${String(performance.now())}`,
      message: MESSAGE,
    });
}

async function evaluated(runner: Runner, options: EvaluateOptions): Promise<void> {
  const all = { ...options, metrics: [METRIC], runs: CASES, concurrency: 1 };
  const report = await evaluate(runner, SET, all);
  report.assertPassed();
}

/** Milliseconds of a case. */
async function timeOf(way: (runner: Runner) => Promise<unknown>): Promise<number> {
  const desk = defineAgent({ name: 'desk', model: new Refunding(), tools: [refund] });
  await using runner = await createRunner(desk);
  const began = performance.now();
  await way(runner);
  return (performance.now() - began) / CASES;
}

/** The ways take turns, so that the machine is as warm and as busy for each; the first round does not count. */
const times = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round++)
  for (const [name, way] of Object.entries(WAYS)) {
    const ms = await timeOf(way);
    if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
  }

const medians = [...times].map(([name, own]) => {
  const sorted = own.toSorted((one, other) => one - other);
  return [name, percentile(sorted, 0.5)] as const;
});
const [, plain] = medians[0] ?? ['', 0];
const rows = medians.map(([name, ms]) => [
  name,
  ms.toFixed(3),
  (1_000 / ms).toFixed(0),
  (ms - plain).toFixed(3),
]);
console.log(
  `A case: a message, a call of a tool, an answer; a model that answers at once. ${String(CASES)} cases, one by one.\n`,
);
console.log(formatTable(['', 'ms a case', 'cases a second', 'ms more'], rows));
