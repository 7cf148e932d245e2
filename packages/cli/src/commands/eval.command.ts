import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type {
  EvalCaseResult,
  EvalCriteria,
  EvalGate,
  EvalMetric,
  EvalReport,
  EvalSet,
  EvalUser,
} from '@adorn/eval';
import type { Runner } from 'adorn';
import { Command, InvalidArgumentError } from 'commander';

import { loadApplication } from '../application/load-application.js';
import { runnerOf } from '../application/runner-of.js';
import { judgeOf } from '../model-choice.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { ProgressBar } from '../terminal/progress-bar.js';
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
  readonly gates?: string;
  readonly passRate: number;
  readonly user?: string;
  readonly results?: string;
  readonly baseline?: string;
  readonly html?: string;
  readonly junit?: string;
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
    .option(
      '--gates <list>',
      'what must hold in each conversation, such as no_double_effect,max_tool_calls=5',
    )
    .option('--cases <ids>', 'the cases to play, separated by commas (default: all)')
    .option('--runs <n>', 'how often each case is played', toCount, 1)
    .option('--pass-rate <share>', 'the share of the playings that has to pass, 0 to 1', toShare, 1)
    .option('--concurrency <n>', 'how many cases are played at once', toCount, 4)
    .option('--approve', 'approve the calls that wait for an approval (default: such a case is an error)')
    .option('--judge <model>', 'the model of metrics that need one (default: by the environment)')
    .option(
      '--user <model>',
      'the model that plays the user of a conversation_scenario (default: by the environment)',
    )
    .option('--model <name>', "a model; offline, or own for the agent's (default: by the environment)")
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--json', 'print the results as JSON')
    .option('--html <file>', 'write a report with plots, one file')
    .option('--junit <file>', 'write a report for a CI server')
    .option('--results <file>', 'write each result at once, and go on behind those that are in the file')
    .option('--baseline <file>', 'compare with the results that an earlier version printed with --json')
    .addHelpText('after', AFTER)
    .action((file: string, sets: string[], options: EvalCommandOptions) =>
      evalSets({ file, sets, bin, output }, options),
    );
}

const AFTER = `
Each case begins with its own state and nothing else. Tools run as in any conversation. The exit code is 1 unless all cases
have passed, or as many as --pass-rate says: also if there are none, or if a case or a metric had nothing to look at. It is 1 if a
gate has failed, whatever the scores are, and if the version is worse than its --baseline.

Metrics: tool_trajectory_avg_score (the expected calls), response_match_score (words of the expected answer),
exact_response_match, rouge_1_f1, rouge_2_f1, rouge_l_f1; by a model: final_response_match_v2, factuality, hallucinations_v1,
safety_v1, rubric_based_final_response_quality_v1 (only in a file of criteria).
Default: tool_trajectory_avg_score=1,response_match_score=0.8

Gates: no_unapproved_call, no_double_effect, no_call_after_refusal, max_tool_calls=N, max_tool_error_rate=SHARE, max_latency_ms=N,
max_cost_usd=N

Examples:
  $ adorn eval src/weather.agent.ts evals/weather.evalset.json
  $ adorn eval . evals/*.evalset.json --metrics tool_trajectory_avg_score=1,final_response_match_v2=0.5
  $ adorn eval . weather.test.json --runs 5 --json > before.json
  $ adorn eval . weather.test.json --runs 5 --baseline before.json --gates no_double_effect --html report.html
`;

function toShare(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError('Pass a share from 0 to 1.');
  return share;
}

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
  if (options.results !== undefined && sets.length > 1)
    throw new UsageError('--results takes the results of one eval set. Call the command once for each.');
  const plans: Plan[] = [];
  for (const path of sets) {
    const criteria = await criteriaOf(path, options);
    const metrics = criteria.metrics && (await metricsIn(criteria.metrics, options));
    plans.push({ path, set: await readEvalSet(path), metrics, gates: criteria.gates });
  }
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const tell = (line: string): void => {
    if (options.json !== true) output.write(`${line}\n`);
  };
  await using runner = await runnerOf(await loadApplication(file, bin), file, options, tell);
  const reports: EvalReport[] = [];
  for (const plan of plans) reports.push(await played(plan, runner, options, output));
  if (options.json === true) output.write(`${JSON.stringify(reports, undefined, 2)}\n`);
  else output.write(`${countsOf(reports)}\n`);
  await writeReports(reports, options);
  const isWorse = baseline !== undefined && (await isWorseThan(baseline, reports, tell));
  if (isWorse || reports.some(({ status }) => status !== 'passed')) process.exitCode = 1;
}

async function writeReports(
  reports: readonly EvalReport[],
  { html, junit }: EvalCommandOptions,
): Promise<void> {
  const { formatHtml, formatJunit } = await import('@adorn/eval');
  if (html !== undefined) await writeFile(html, formatHtml(reports));
  if (junit !== undefined) await writeFile(junit, formatJunit(reports));
}

/** Prints how each set differs from the baseline. */
async function isWorseThan(
  baseline: readonly EvalReport[],
  reports: readonly EvalReport[],
  tell: (line: string) => void,
): Promise<boolean> {
  const { compareReports, linesOfComparison } = await import('@adorn/eval');
  let isWorse = false;
  for (const report of reports) {
    const before = baseline.find(({ evalSetId }) => evalSetId === report.evalSetId);
    if (!before) throw new UsageError(`The baseline has no results of the eval set ${report.evalSetId}.`);
    const comparison = compareReports(before, report);
    tell(`\nCompared with the baseline, ${report.evalSetId}: ${linesOfComparison(comparison).join('\n  ')}`);
    isWorse ||= comparison.verdict === 'worse';
  }
  return isWorse;
}

async function readBaseline(file: string): Promise<readonly EvalReport[]> {
  try {
    const json = JSON.parse(await readFile(file, 'utf8')) as readonly EvalReport[];
    if (
      json.every(({ evalSetId, caseResults }) => typeof evalSetId === 'string' && Array.isArray(caseResults))
    )
      return json;
  } catch (cause) {
    throw new UsageError(`The baseline ${file} cannot be read as JSON.`, { cause });
  }
  throw new UsageError(`The baseline ${file} has no results. Write it with --json.`);
}

/** An eval set, and the metrics by which it is scored. */
interface Plan {
  readonly path: string;
  readonly set: EvalSet;
  /** Absent for the default ones. */
  readonly metrics: readonly EvalMetric[] | undefined;
  readonly gates: readonly EvalGate[];
}

async function played(
  { path, set, metrics, gates }: Plan,
  runner: Runner<unknown>,
  options: EvalCommandOptions,
  output: Output,
): Promise<EvalReport> {
  const { runs, passRate, concurrency, approve = false, json = false, results } = options;
  const { evaluate, linesOf } = await import('@adorn/eval');
  const paint = paletteFor(output);
  if (!json) output.write(`\n${path}\n`);
  const cases = options.cases?.split(',').map((id) => id.trim());
  const bar = new ProgressBar(output, (cases ?? set.evalCases).length * runs);
  const onCase = (result: EvalCaseResult): void => {
    const { finalEvalStatus: status } = result;
    const tone = status === 'passed' ? 'answer' : 'failure';
    if (json) return;
    bar.step(() => {
      for (const line of linesOf(result)) output.write(`  ${paint(tone, line)}\n`);
    });
  };
  const report = await evaluate(runner, set, {
    ...{ metrics, gates, runs, passRate, concurrency, results, cases, onCase },
    approve: approve ? () => true : undefined,
    user: await userOf(set, options),
  });
  bar.clear();
  if (!json) for (const line of report.idleLines()) output.write(`  ${paint('failure', line)}\n`);
  return report;
}

/** Plays the user of scenarios, if the set has one. */
async function userOf({ evalCases }: EvalSet, { user }: EvalCommandOptions): Promise<EvalUser | undefined> {
  if (!evalCases.some(({ conversationScenario }) => conversationScenario)) return undefined;
  const { simulatedUser } = await import('@adorn/eval');
  return simulatedUser({ model: judgeOf(user) });
}

function countsOf(reports: readonly EvalReport[]): string {
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

/** What is wanted of a set; without metrics, the default ones. */
interface Criteria {
  readonly metrics: EvalCriteria | undefined;
  readonly gates: readonly EvalGate[];
}

/** By the options, or by the file that ADK has beside an eval set. */
async function criteriaOf(path: string, { metrics, config, gates }: EvalCommandOptions): Promise<Criteria> {
  const { gatesOf, parseEvalConfig, parseEvalGates } = await import('@adorn/eval');
  if (metrics !== undefined && config !== undefined)
    throw new UsageError('There are --metrics and --config. Pass one of them.');
  const beside = join(dirname(path), 'test_config.json');
  const file = config ?? (metrics === undefined && existsSync(beside) ? beside : undefined);
  const json = file === undefined ? undefined : await readJson(file);
  const named = gates === undefined ? {} : Object.fromEntries(gates.split(',').map(gateOf));
  const own = json === undefined ? [] : parseEvalGates(json, file);
  const found = json === undefined ? undefined : parseEvalConfig(json, file);
  return {
    metrics: metrics === undefined ? found : Object.fromEntries(metrics.split(',').map(criterionOf)),
    gates: [...own.filter(({ name }) => !(name in named)), ...gatesOf(named)],
  };
}

function criterionOf(text: string): [string, number] {
  const [name = '', threshold = ''] = text.split('=').map((part) => part.trim());
  if (name === '' || threshold === '' || !Number.isFinite(Number(threshold)))
    throw new UsageError(
      `--metrics has "${text}". Pass names with thresholds, such as response_match_score=0.8.`,
    );
  return [name, Number(threshold)];
}

function gateOf(text: string): [string, number | true] {
  const [name = '', limit] = text.split('=').map((part) => part.trim());
  if (name === '' || limit === '' || (limit !== undefined && !Number.isFinite(Number(limit))))
    throw new UsageError(`--gates has "${text}". Pass names, such as no_double_effect, or max_tool_calls=5.`);
  return [name, limit === undefined ? true : Number(limit)];
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read as JSON. Write { "criteria": { "tool_trajectory_avg_score": 1 } }.`,
      { cause },
    );
  }
}

async function metricsIn(criteria: EvalCriteria, { judge }: EvalCommandOptions): Promise<EvalMetric[]> {
  const { metricsOf } = await import('@adorn/eval');
  return metricsOf(criteria, (named) => judgeOf(judge ?? named));
}
