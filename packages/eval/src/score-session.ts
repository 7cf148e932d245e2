import type { Runner, SessionKey } from '@adorn/core';
import { feedbackOf, optionFault, type OptionRules } from '@adorn/core/backend';

import { conversationOf, toolsOf } from './conversation.js';
import { EvalConfigInvalidError } from './errors.js';
import { type EvalCaseResult, type EvalInvocationResult, statusOf } from './eval-report.js';
import { GATES, METRICS } from './evaluate.js';
import type { EvalGate } from './gates/gate.js';
import { judgedInvocationsOf } from './invocations-of.js';
import type { EvalMetric } from './metrics/metric.js';
import { gateResult, overallOf, resultOf } from './play/results.js';

/** The options of {@link scoreSession}. */
export interface ScoreSessionOptions {
  /** Scored for each turn. Default: none. */
  readonly metrics?: readonly EvalMetric[];
  /** Measured for the whole conversation. Default: none. */
  readonly gates?: readonly EvalGate[];
}

const RULES: OptionRules<ScoreSessionOptions> = { metrics: METRICS, gates: GATES };

/**
 * Scores a stored conversation, such as a sample of live traffic, by the gates and metrics of evaluations. Nothing is expected of
 * its turns: metrics that compare have nothing to look at. No model and no tool of the agent runs.
 *
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) if there is no such session, or an option cannot be used
 */
export async function scoreSession(
  runner: Runner<unknown>,
  key: Omit<SessionKey, 'appName'>,
  options: ScoreSessionOptions,
): Promise<EvalCaseResult> {
  const found = optionFault(options, RULES);
  if (found) throw new EvalConfigInvalidError('scoreSession', found.fault, found.cure);
  const { metrics = [], gates = [] } = options;
  const { userId, sessionId } = key;
  const session = await runner.sessions.getSession({ appName: runner.appName, userId, sessionId });
  if (!session)
    throw new EvalConfigInvalidError(
      'scoreSession',
      `the user "${userId}" has no session "${sessionId}"`,
      'Pass the ids of one that runner.sessions lists.',
    );
  const turns: EvalInvocationResult[] = [];
  for (const actual of judgedInvocationsOf(session.events, feedbackOf(session))) {
    const expected = { userContent: actual.userContent };
    const results = metrics.map((metric) => resultOf(metric, () => metric.score(actual, expected)));
    turns.push({
      ...{ actualInvocation: actual, expectedInvocation: expected },
      evalMetricResults: await Promise.all(results),
    });
  }
  const conversation = conversationOf(runner, session, { tools: await toolsOf(runner) });
  const overall = metrics.map((metric) => overallOf(metric, turns));
  for (const gate of gates) overall.push(await gateResult(gate, conversation));
  return {
    ...{ evalSetId: 'stored', evalId: sessionId, sessionId, userId, run: 1 },
    finalEvalStatus: statusOf(overall.map(({ evalStatus }) => evalStatus)),
    overallEvalMetricResults: overall,
    evalMetricResultPerInvocation: turns,
  };
}
