export type { BuildReport } from './emit/build-report.js';
export { type BuildOptions, buildSchemas } from './emit/build-schemas.js';
export { type CheckOptions, checkProject } from './check/check-project.js';
export type { AgentSize, CheckReport, Diagnostic, Severity, ToolSize } from './check/check-report.js';
export { listRules, type RuleSummary } from './check/rules/list-rules.js';
export {
  type DerivationAnswer,
  type DerivationFault,
  type DerivedFile,
  deriveFiles,
} from './derive/derive-files.js';
export { DerivationFailedError } from './errors/errors.js';
export { SchemaInvalidError } from './errors/errors.js';
export { SchemaStaleError } from './errors/errors.js';
export { SeveralFaultsError } from './errors/several-faults.error.js';
export { ToolMisplacedError } from './errors/errors.js';
export { type TypePlace, TypeNotRepresentableError } from './errors/errors.js';
export type { WatchRound } from './watch/watch-reporter.js';
export { type WatchOptions, watchSchemas } from './watch/watch-schemas.js';
