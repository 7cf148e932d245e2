export { EvalConfigInvalidError, EvalSetInvalidError, EvalsFailedError } from './errors.js';
export { parseEvalConfig } from './eval-config.js';
export type {
  EvalCase,
  EvalInvocation,
  EvalSet,
  IntermediateData,
  InvocationEvent,
  Rubric,
  SessionInput,
} from './eval-set.js';
export {
  type EvalCaseResult,
  type EvalInvocationResult,
  type EvalMetricResult,
  EvalReport,
  type EvalStatus,
  linesOf,
} from './eval-report.js';
export { EvalStore, type EvalSetResult, InMemoryEvalStore } from './eval-store.js';
export { evaluate, type EvaluateOptions } from './evaluate.js';
export { FolderEvalStore } from './folder-eval.store.js';
export { evalCaseOf, invocationsOf } from './invocations-of.js';
export { judgedResponse, type JudgedResponseOptions } from './metrics/judged-response.js';
export type { EvalMetric, ScoreInterval } from './metrics/metric.js';
export {
  DEFAULT_CRITERIA,
  type EvalCriteria,
  type EvalCriterion,
  type FindJudge,
  METRIC_DESCRIPTIONS,
  metricsOf,
} from './metrics/named-metrics.js';
export { responseMatch, type ResponseMatchOptions } from './metrics/response-match.js';
export { rubrics, type RubricsOptions } from './metrics/rubrics.js';
export { toolTrajectory, type ToolTrajectoryOptions } from './metrics/tool-trajectory.js';
export { parseEvalCase, parseEvalSet, readEvalSet } from './read-eval-set.js';
export { formatEvalSet } from './write-eval-set.js';
