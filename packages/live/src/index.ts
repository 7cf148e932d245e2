export { PHASE } from './check-declarations.js';
export {
  type DeclaredExtract,
  type ExtractContext,
  extractFields,
  type ExtractOptions,
  ExtractionFailedError,
  type ExtractMoment,
} from './extractor.js';
export { LiveAgent } from './live.agent.js';
export type { LiveSession } from '@adorn/core/backend';
export { liveSessions } from './live-sessions.module.js';
export {
  computed,
  extract,
  type LiveContext,
  phase,
  type PhaseGuard,
  type PhaseOptions,
  type PhaseSources,
  watch,
  type WatchOptions,
} from './phase.decorator.js';
export { PhasesInvalidError } from './phases-invalid.error.js';
export { state, type StateDecorators } from './state-decorators.js';
export type { StateView } from './state-view.js';
export {
  becameFalse,
  becameTrue,
  changed,
  changedFrom,
  changedTo,
  crossedAbove,
  crossedBelow,
  type EndedTurn,
  failures,
  type Observation,
  rate,
  sustained,
  turns,
  type WatchPredicate,
} from './watch-predicates.js';
