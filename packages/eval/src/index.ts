export { EvalConfigInvalidError, EvalSetInvalidError, EvalsFailedError } from './errors.js';
export { parseEvalConfig, parseEvalGates } from './eval-config.js';
export { conversationOf, type EvalConversation, type EvalTool, type ToolExecution } from './conversation.js';
export type {
  ConversationScenario,
  EvalCase,
  EvalFault,
  EvalInvocation,
  EvalSet,
  IntermediateData,
  InvocationEvent,
  JudgedInvocation,
  KillFault,
  Rubric,
  ServiceFault,
  SessionInput,
  ToolStub,
  UserBehavior,
  UserPersona,
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
export { evaluate, type EvalTarget, type EvaluateOptions } from './evaluate.js';
export type { EvalGate, Measured } from './gates/gate.js';
export {
  maxCost,
  type MaxCostOptions,
  maxLatency,
  type MaxLatencyOptions,
  maxToolCalls,
  type MaxToolCallsOptions,
  maxToolErrorRate,
  type MaxToolErrorRateOptions,
} from './gates/limits.js';
export { callsIn, type LoggedCall } from './gates/logged-call.js';
export { GATE_DESCRIPTIONS, type GateCriteria, gatesOf } from './gates/named-gates.js';
export { noCallAfterRefusal, type NoCallAfterRefusalOptions } from './gates/no-call-after-refusal.js';
export { noDoubleEffect, type NoDoubleEffectOptions } from './gates/no-double-effect.js';
export { noUnapprovedCall, type NoUnapprovedCallOptions } from './gates/no-unapproved-call.js';
export type { StubFunction, Stubs } from './play/stand-ins.js';
export type { EvalAnswer, EvalUser, UserMove, UserView } from './users/eval-user.js';
export { FolderEvalStore } from './folder-eval.store.js';
export { evalCaseOf, invocationsOf } from './invocations-of.js';
export { dislikedCases, type DislikedOptions } from './disliked-cases.js';
export { factuality, groundedness, safety } from './metrics/judged-answers.js';
export type { JudgedMetric, JudgeOptions } from './metrics/judged-metric.js';
export { judgedResponse } from './metrics/judged-response.js';
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
export { exactResponse, type ExactResponseOptions, rouge, type RougeOptions } from './metrics/text-match.js';
export { toolTrajectory, type ToolTrajectoryOptions } from './metrics/tool-trajectory.js';
export { userFeedback, type UserFeedbackOptions } from './metrics/user-feedback.js';
export { parseEvalCase, parseEvalSet, readEvalSet } from './read-eval-set.js';
export { formatEvalSet } from './write-eval-set.js';
export { formatHtml } from './reports/html.js';
export { formatJunit } from './reports/junit.js';
export { scoreSession, type ScoreSessionOptions } from './score-session.js';
export {
  type AgreementOptions,
  type JudgeAgreement,
  judgeAgreement,
  type LabelledTurn,
} from './statistics/agreement.js';
export { compareTargets, type CompareTargetsOptions, type TargetComparison } from './compare-targets.js';
export {
  type CaseDifference,
  type CompareOptions,
  compareReports,
  type Difference,
  type EvalComparison,
  linesOfComparison,
} from './statistics/compare.js';
export { type Interval, meanInterval, rateInterval } from './statistics/intervals.js';
export { type EvalSummary, type RateSummary, type ScoreSummary, summaryOf } from './statistics/summary.js';
export { scriptedUser, type ScriptedUserOptions, type UserLine } from './users/scripted-user.js';
export { simulatedUser, type SimulatedUserOptions } from './users/simulated-user.js';
