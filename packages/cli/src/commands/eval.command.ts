import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { EvalCaseResult, EvalCriteria, EvalMetric, EvalReport, EvalSet } from '@adorn/eval';
import type { Runner } from 'adorn';
import { Command, InvalidArgumentError } from 'commander';

import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { judgeOf } from '../model-choice.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { UsageError } from '../usage.error.js';

interface EvalCommandOptions {
  readonly metrics?: string;
  readonly config?: string;
  readonly cases?: string;
  readonly runs: number;
  readonly concurrency: number;
  readonly approve?: boolean;
  readonly judge?: string;
  readonly model?: string;
  readonly app?: string;
  readonly json?: boolean;
}

/**
 * `adorn eval`: plays eval sets and scores what the agent did.
 *
 * @param bin the URL of the command
 */
export function evalCommand(bin: string, output: Output = process.stdout): Command {
  return new Command('eval')
    .description('play eval sets, and score the calls and the answers of an agent')
    .argument('<file>', 'a .js or .ts file that exports an agent or a runner, or a folder that holds one')
    .argument('<sets...>', 'files with eval sets: *.evalset.json or *.test.json, as ADK has them')
    .option('--metrics <list>', 'metrics with their thresholds, such as tool_trajectory_avg_score=1')
    .option(
      '--config <file>',
      'a file with criteria (default: test_config.json beside a set, if there is one)',
    )
    .option('--cases <ids>', 'the cases to play, separated by commas (default: all)')
    .option('--runs <n>', 'how often each case is played', toCount, 1)
    .option('--concurrency <n>', 'how many cases are played at once', toCount, 4)
    .option('--approve', 'approve the calls that wait for an approval (default: such a case is an error)')
    .option('--judge <model>', 'the model of metrics that need one (default: by the environment)')
    .option('--model <name>', "a model; offline, or own for the agent's (default: by the environment)")
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--json', 'print the results as JSON')
    .addHelpText('after', AFTER)
    .action((file: string, sets: string[], options: EvalCommandOptions) =>
      evalSets({ file, sets, bin, output }, options),
    );
}

const AFTER = `
Each case begins with its own state and nothing else. Tools run as in any conversation. The exit code is 1 unless all cases
have passed: also if there are none, or if a case or a metric had nothing to look at.

Metrics: tool_trajectory_avg_score (the expected calls), response_match_score (words of the expected answer),
final_response_match_v2 (a model judges), rubric_based_final_response_quality_v1 (statements that a model judges; only in a
file of criteria). Default: tool_trajectory_avg_score=1,response_match_score=0.8

Examples:
  $ adorn eval src/weather.agent.ts evals/weather.evalset.json
  $ adorn eval . evals/*.evalset.json --metrics tool_trajectory_avg_score=1,final_response_match_v2=0.5
  $ adorn eval . weather.test.json --runs 5 --json > results.json
`;

function toCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Pass a number above 0.');
  return Number(text);
}

interface Wanted {
  readonly file: string;
  readonly sets: readonly string[];
  readonly bin: string;
  readonly output: Output;
}

async function evalSets({ file, sets, bin, output }: Wanted, options: EvalCommandOptions): Promise<void> {
  const { readEvalSet } = await import('@adorn/eval');
  const plans: Plan[] = [];
  for (const path of sets) {
    const criteria = await criteriaOf(path, options);
    const metrics = criteria && (await metricsIn(criteria, options));
    plans.push({ path, set: await readEvalSet(path), metrics });
  }
  const tell = (line: string): void => {
    if (options.json !== true) output.write(`${line}\n`);
  };
  await using runner = await runnerOf(await loadApplication(file, bin), file, options, tell);
  const reports: EvalReport[] = [];
  for (const plan of plans) reports.push(await played(plan, runner, options, output));
  if (options.json === true) output.write(`${JSON.stringify(reports, undefined, 2)}\n`);
  else output.write(`${summaryOf(reports)}\n`);
  if (reports.some(({ status }) => status !== 'passed')) process.exitCode = 1;
}

/** An eval set, and the metrics by which it is scored. */
interface Plan {
  readonly path: string;
  readonly set: EvalSet;
  /** Absent for the default ones. */
  readonly metrics: readonly EvalMetric[] | undefined;
}

async function played(
  { path, set, metrics }: Plan,
  runner: Runner<unknown>,
  { cases, runs, concurrency, approve = false, json = false }: EvalCommandOptions,
  output: Output,
): Promise<EvalReport> {
  const { evaluate, linesOf } = await import('@adorn/eval');
  const paint = paletteFor(output);
  if (!json) output.write(`\n${path}\n`);
  const onCase = (result: EvalCaseResult): void => {
    const { finalEvalStatus: status } = result;
    const tone = status === 'passed' ? 'answer' : 'failure';
    if (!json) for (const line of linesOf(result)) output.write(`  ${paint(tone, line)}\n`);
  };
  const report = await evaluate(runner, set, {
    ...{ metrics, runs, concurrency, onCase },
    cases: cases?.split(',').map((id) => id.trim()),
    approve: approve ? () => true : undefined,
  });
  if (!json) for (const line of report.idleLines()) output.write(`  ${paint('failure', line)}\n`);
  return report;
}

function summaryOf(reports: readonly EvalReport[]): string {
  const count = (status: EvalReport['status']): number =>
    reports.reduce((sum, report) => sum + report.count(status), 0);
  const counts = [
    ['passed', count('passed')],
    ['failed', count('failed')],
    ['with an error', count('error')],
    ['without expectations', count('notEvaluated')],
  ] as const;
  const told = counts.filter(([what, number]) => number > 0 || what === 'passed' || what === 'failed');
  return `\n${told.map(([what, number]) => `${String(number)} ${what}`).join(', ')}`;
}

/** By the options, or by the file that ADK has beside an eval set. */
async function criteriaOf(
  path: string,
  { metrics, config }: EvalCommandOptions,
): Promise<EvalCriteria | undefined> {
  if (metrics !== undefined && config !== undefined)
    throw new UsageError('There are --metrics and --config. Pass one of them.');
  if (metrics !== undefined) return Object.fromEntries(metrics.split(',').map(criterionOf));
  const beside = join(dirname(path), 'test_config.json');
  const file = config ?? (existsSync(beside) ? beside : undefined);
  return file === undefined ? undefined : readCriteria(file);
}

function criterionOf(text: string): [string, number] {
  const [name = '', threshold = ''] = text.split('=').map((part) => part.trim());
  if (name === '' || threshold === '' || !Number.isFinite(Number(threshold)))
    throw new UsageError(
      `--metrics has "${text}". Pass names with thresholds, such as response_match_score=0.8.`,
    );
  return [name, Number(threshold)];
}

async function readCriteria(file: string): Promise<EvalCriteria> {
  const { parseEvalConfig } = await import('@adorn/eval');
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read as JSON. Write { "criteria": { "tool_trajectory_avg_score": 1 } }.`,
      { cause },
    );
  }
  return parseEvalConfig(json, file);
}

async function metricsIn(criteria: EvalCriteria, { judge }: EvalCommandOptions): Promise<EvalMetric[]> {
  const { metricsOf } = await import('@adorn/eval');
  return metricsOf(criteria, (named) => judgeOf(judge ?? named));
}
