import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type {
  EvalCaseResult,
  EvalCriteria,
  EvalGate,
  EvalMetric,
  EvalReport,
  EvalSet,
  EvalTarget,
  EvalUser,
} from '@adorn/eval';
import { closeOnSignal } from '../application/close-on-signal.js';
import { loadApplication } from '../application/load-application.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { count, flag, type Parameters, share, text, texts, type ValuesOf } from '../command/parameter.js';
import { json, REQUIRED_FILE, STORE_OPTIONS } from '../command/shared-parameters.js';
import { writeWhole } from '../files/write-whole.js';
import { judgeOf } from '../judge.js';
import { paletteFor } from '../terminal/palette.js';
import { printJson } from '../terminal/print.js';
import { ProgressBar } from '../terminal/progress-bar.js';
import { UsageError } from '../usage.error.js';
import { CaseRunners } from './case-runners.js';
import { evalApprover } from './eval-approver.js';

const OPTIONS = {
  metrics: text('<list>', 'metrics with their thresholds, such as tool_trajectory_avg_score=1', {
    conflicts: ['config'],
  }),
  config: text('<file>', 'a file with criteria (default: test_config.json beside a set, if there is one)', {
    completes: 'files',
  }),
  gates: text('<list>', 'what must hold in each conversation, such as no_double_effect,max_tool_calls=5'),
  cases: text('<ids>', 'the cases to play, separated by commas (default: all)'),
  runs: count('<n>', 'how often each case is played', { fallback: 1 }),
  passRate: share('<share>', 'the share of the playings that has to pass, 0 to 1', { fallback: 1 }),
  concurrency: count('<n>', 'how many cases are played at once', { fallback: 4 }),
  approve: flag('approve the calls that wait for an approval (default: such a case is an error)'),
  by: texts(
    '<id>',
    'who approves (default: the user of the session); may be repeated, for calls that several have to approve',
  ),
  role: texts('<name>', 'a role of the people of --by; may be repeated'),
  tenant: text('<name>', 'the tenant of the people of --by'),
  judge: text('<model>', 'the model of metrics that need one (default: by the environment)'),
  user: text(
    '<model>',
    'the model that plays the user of a conversation_scenario (default: by the environment)',
  ),
  model: text('<name>', "a model; offline, or own for the agent's (default: by the environment)"),
  app: STORE_OPTIONS.app,
  json: json('print the results as JSON'),
  html: text('<file>', 'write a report with plots, one file', { completes: 'files' }),
  junit: text('<file>', 'write a report for a CI server', { completes: 'files' }),
  results: text('<file>', 'write each result at once, and go on behind those that are in the file', {
    completes: 'files',
  }),
  baseline: text('<file>', 'compare with the results that an earlier version printed with --json', {
    completes: 'files',
  }),
} satisfies Parameters;

type EvalCommandOptions = ValuesOf<typeof OPTIONS>;

/** `adorn eval`: plays eval sets and scores what the agent did. */
export const evalCommand = defineCommand({
  name: 'eval',
  summary: 'play eval sets, and score the calls and the answers of an agent',
  arguments: {
    file: REQUIRED_FILE,
    sets: texts('<sets...>', 'files with eval sets: *.evalset.json or *.test.json, as ADK has them', {
      completes: 'files',
    }),
  },
  options: OPTIONS,
  notes: `
Each case begins with its own state and nothing else. Tools run as in any conversation.

Metrics: tool_trajectory_avg_score (the expected calls), response_match_score (words of the expected answer), exact_response_match,
rouge_1_f1, rouge_2_f1, rouge_l_f1; by a model: final_response_match_v2, factuality, hallucinations_v1, safety_v1,
rubric_based_final_response_quality_v1 (only in a file of criteria). Default: tool_trajectory_avg_score=1,response_match_score=0.8

Gates: no_unapproved_call, no_double_effect, no_call_after_refusal, max_tool_calls=N, max_tool_error_rate=SHARE, max_latency_ms=N,
max_cost_usd=N

Interrupted, it has written each result that was done to the file of --results: the same command goes on from there.`,
  exitCodes: {
    1: 'fewer cases have passed than --pass-rate says, or none was played, a gate has failed, or it is worse than the baseline',
  },
  elsewhere: {
    'config-file-path': '--config',
    'print-detailed-results': 'nothing: each metric of a case is printed',
    'num-runs': '--runs',
    'eval-storage-uri': 'the files of the eval sets as arguments',
  },
  examples: [
    'adorn eval src/weather.agent.ts evals/weather.evalset.json',
    'adorn eval . evals/*.evalset.json --metrics tool_trajectory_avg_score=1,final_response_match_v2=0.5',
    'adorn eval . weather.test.json --runs 5 --json > before.json',
    'adorn eval . weather.test.json --runs 5 --baseline before.json --gates no_double_effect --html report.html',
    'adorn eval . refunds.evalset.json --approve --by mia --by max --role manager',
  ],
  run: ({ file, sets, ...options }, context) => evalSets({ file, sets, ...context }, options),
});

interface Wanted extends CommandContext {
  readonly file: string;
  readonly sets: readonly string[];
}

async function evalSets(wanted: Wanted, options: EvalCommandOptions): Promise<void> {
  const { file, sets, bin, output } = wanted;
  const { readEvalSet } = await import('@adorn/eval');
  if (options.results !== undefined && sets.length > 1)
    throw new UsageError('--results takes the results of one eval set. Call the command once for each.');
  const plans: Plan[] = [];
  for (const path of sets) {
    const criteria = await criteriaOf(path, options);
    const metrics = criteria.metrics && (await metricsIn(criteria.metrics, options));
    plans.push({ path, set: await readEvalSet(path), metrics, gates: criteria.gates });
  }
  checkApproval(options);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const tell = (line: string): void => {
    if (!options.json) output.write(`${line}\n`);
  };
  await using runners = new CaseRunners(await loadApplication(file, bin), file, options, tell);
  using _closing = closeOnSignal(runners);
  const reports: EvalReport[] = [];
  const target = await runners.target();
  for (const plan of plans) reports.push(await played(plan, target, options, wanted));
  if (options.json) printJson(output, reports);
  else output.write(`${countsOf(reports)}\n`);
  await writeReports(reports, options);
  const isWorse = baseline !== undefined && (await isWorseThan(baseline, reports, tell));
  if (isWorse || reports.some(({ status }) => status !== 'passed')) process.exitCode = FAILED;
}

function checkApproval({ approve, by, role, tenant }: EvalCommandOptions): void {
  if (!approve && by.length > 0) throw new UsageError('--by says who approves. Pass --approve, too.');
  if (by.length === 0 && (role.length > 0 || tenant !== undefined))
    throw new UsageError('--role and --tenant are those of a person. Pass --by, too.');
}

async function writeReports(
  reports: readonly EvalReport[],
  { html, junit }: EvalCommandOptions,
): Promise<void> {
  const { formatHtml, formatJunit } = await import('@adorn/eval');
  if (html !== undefined) await writeWhole(html, [formatHtml(reports)]);
  if (junit !== undefined) await writeWhole(junit, [formatJunit(reports)]);
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
  target: EvalTarget,
  options: EvalCommandOptions,
  { output, errors }: CommandContext,
): Promise<EvalReport> {
  const { runs, passRate, concurrency, approve, json: isJson, results } = options;
  const { evaluate, linesOf } = await import('@adorn/eval');
  const paint = paletteFor(output);
  if (!isJson) output.write(`\n${path}\n`);
  const cases = options.cases?.split(',').map((id) => id.trim());
  const bar = new ProgressBar(errors, (cases ?? set.evalCases).length * runs);
  const onCase = (result: EvalCaseResult): void => {
    const { finalEvalStatus: status } = result;
    const tone = status === 'passed' ? 'answer' : 'failure';
    bar.step(() => {
      if (isJson) return;
      for (const line of linesOf(result)) output.write(`  ${paint(tone, line)}\n`);
    });
  };
  const report = await evaluate(target, set, {
    ...{ metrics, gates, runs, passRate, concurrency, results, cases, onCase },
    approve: approve ? await evalApprover(options.by, options) : undefined,
    user: await userOf(set, options),
  });
  bar.clear();
  if (!isJson) for (const line of report.idleLines()) output.write(`  ${paint('failure', line)}\n`);
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
