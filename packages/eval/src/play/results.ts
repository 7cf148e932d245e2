import { type Awaitable, describeThrown } from '@adorn/core/backend';

import type { EvalConversation } from '../conversation.js';
import type { EvalInvocationResult, EvalMetricResult } from '../eval-report.js';
import type { EvalGate } from '../gates/gate.js';
import type { EvalMetric } from '../metrics/metric.js';

/** What a metric says of a turn. One that throws is an error of the case. */
export async function resultOf(
  { name: metricName, threshold }: EvalMetric,
  score: () => Awaitable<number | undefined>,
): Promise<EvalMetricResult> {
  try {
    const found = await score();
    if (found === undefined) return { metricName, threshold, evalStatus: 'notEvaluated' };
    if (!Number.isFinite(found)) throw new Error(`the metric returned ${String(found)}, and no number`);
    return { metricName, threshold, score: found, evalStatus: found >= threshold ? 'passed' : 'failed' };
  } catch (thrown) {
    return { metricName, threshold, evalStatus: 'error', error: describeThrown(thrown).message };
  }
}

/** The mean over the turns that were evaluated. */
export function overallOf(metric: EvalMetric, turns: readonly EvalInvocationResult[]): EvalMetricResult {
  const { name: metricName, threshold } = metric;
  const own = turns.flatMap(({ evalMetricResults }) =>
    evalMetricResults.filter((result) => result.metricName === metricName),
  );
  const broken = own.find(({ evalStatus }) => evalStatus === 'error');
  if (broken) return broken;
  const scores = own.flatMap(({ score }) => (score === undefined ? [] : [score]));
  if (scores.length === 0) return { metricName, threshold, evalStatus: 'notEvaluated' };
  const score = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  return { metricName, threshold, score, evalStatus: score >= threshold ? 'passed' : 'failed' };
}

/** What a gate says of a conversation: its value passes up to the limit. */
export async function gateResult(gate: EvalGate, conversation: EvalConversation): Promise<EvalMetricResult> {
  const { name: metricName, limit: threshold = 0 } = gate;
  const own = { metricName, threshold, isGate: true };
  try {
    const found = await gate.measure(conversation);
    if (found === undefined) return { ...own, evalStatus: 'notEvaluated' };
    const { value: score, detail } = found;
    if (!Number.isFinite(score)) throw new Error(`the gate returned ${String(score)}, and no number`);
    if (score <= threshold) return { ...own, score, evalStatus: 'passed' };
    return { ...own, score, evalStatus: 'failed', ...(detail !== undefined && { detail }) };
  } catch (thrown) {
    return { ...own, evalStatus: 'error', error: describeThrown(thrown).message };
  }
}
