export { LiveAgent, PHASE, PhasesInvalidError } from './live.agent.js';
export {
  computed,
  type LiveContext,
  phase,
  type PhaseOptions,
  watch,
  type WatchOptions,
} from './phase.decorator.js';
export type { StateView } from './state-view.js';
export {
  becameFalse,
  becameTrue,
  changed,
  changedFrom,
  changedTo,
  crossedAbove,
  crossedBelow,
  type Observation,
  sustained,
  type WatchPredicate,
} from './watch-predicates.js';
