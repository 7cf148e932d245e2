export { type BuildOptions, type BuildReport, buildSchemas } from './build.js';
export { type CheckOptions, checkProject } from './check/check-project.js';
export type {
  AgentSize,
  CheckReport,
  Diagnostic,
  Severity,
  SkillSize,
  ToolSize,
} from './check/check-report.js';
export type { FoundSkill, SkillReader } from './check/skills/found-skills.js';
export { listRules, type RuleSummary } from './check/rules/rules.js';
export { type DerivationAnswer, type DerivedFile, deriveFiles } from './derive/derive-files.js';
export type { DerivationFault } from '@adorn/core/compiler';
export {
  DerivationFailedError,
  SchemaInvalidError,
  SchemaStaleError,
  SeveralFaultsError,
  ToolMisplacedError,
  TypeNotRepresentableError,
  type TypePlace,
} from './errors/errors.js';
export type { ByHand } from './migrate/by-hand.js';
export { migrateCode, type MigratedFile } from './migrate/migrate-code.js';
export type { NameChange } from './migrate/migrate-source.js';
export { type Rename, RENAMES } from './migrate/renames.js';
export { type ExportedName, findSuccessor, type Successor } from './migrate/successor.js';
export type { WatchRound } from './watch/watch-reporter.js';
export { type WatchOptions, watchSchemas } from './watch/watch-schemas.js';
