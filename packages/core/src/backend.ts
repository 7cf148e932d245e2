export { isAgentClass } from './agents/agent.decorator.js';
export { checkArtifact, checkArtifactStream } from './artifacts/artifact.service.js';
export { flowOf, isOAuth } from './auth/auth-scheme.js';
export { guardedCredential } from './auth/auth-credential.js';
export {
  type ContentFault,
  type OnContentFault,
  readContent,
  requireContent,
} from './content/read-content.js';
export { describeThrown, kindOf, type ThrownDescription } from './errors/describe-thrown.js';
export { ERROR_CODES } from './errors/error-codes.js';
export { eventFromJson } from './events/event.js';
export { EVENT_LOG, EventLog, findState, keyOf, logOf } from './events/session.js';
export { openedRun } from './events/run-record.js';
export { canonicalJson } from './json/json-value.js';
export {
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  checkSessionKey,
  MAX_NAME_BYTES,
  type NamedScope,
} from './names/check-name.js';
export { shownName } from './names/check-name.js';
export {
  type ArgumentCheck,
  type ArgumentCheckOptions,
  type CheckedArguments,
  compileArgumentCheck,
} from './schema/argument-check.js';
export type { JsonType } from './schema/derived-class.js';
export { areDisjoint, type DisjointOptions } from './schema/reader/are-disjoint.js';
export { SchemaDocument, valueAt } from './schema/reader/schema-document.js';
export {
  asSchema,
  branchesOf,
  definitionsOf,
  elementSchema,
  elementsOf,
  type ElementSchemas,
  isObject,
  literalsOf,
  patternsOf,
  propertiesOf,
  requiredOf,
  schemasIn,
  schemasWithin,
  statedTypes,
  subschemasOf,
  typeOf,
} from './schema/reader/schema-parts.js';
export { type OptionFault, optionNames, suggestName, unknownOption } from './schema/nearest-names.js';
export { ScopedState, ScopeValues, type StoredScope } from './sessions/stored-session.js';
export {
  NotSupportedError,
  SessionConflictError,
  SessionExistsError,
  SessionNotFoundError,
  SessionTakenOverError,
} from './sessions/errors.js';
export { runOfLog } from './sessions/run-of-log.js';
export { ownState, persistedEvent, withOwnState } from './sessions/session-record.js';
export { APPEND_AT_ONCE, type AppendAtOnce } from './sessions/session.service.js';
export { RequestNotPendingError } from './events/errors.js';
export { applyKey, persistedDelta, scopeOf, type StateScope } from './state/state.js';
export { isToolName } from './tools/tool-table.js';
export {
  type AttemptRunner,
  type FailedAttempt,
  ModelAttempt,
  type ModelRetryOptions,
  type RetriedRequest,
  retryAfterWait,
  SYSTEM_TIMING,
  type Timing,
  withModelRetries,
} from './models/model-attempt.js';
export { cutResponse, interruptedResponse, malformedResponse } from './models/model-response.js';
