export { digestOf, digestOfNames } from './digest.js';
export {
  CredentialSubmittedError,
  FleetBusyError,
  InvocationAcceptedError,
  NodeTooOldError,
} from './errors.js';
export {
  Fleet,
  type FleetForgetReceipt,
  type FleetOptions,
  type FollowedEvent,
  type FollowInput,
  openFleet,
} from './fleet.js';
export { InProcessQueue } from './in-process.queue.js';
export type { AcceptOptions, Inbox, InboxCounts, InboxEntry, InboxLimits } from './inbox.js';
export {
  type InvocationAddress,
  type InvocationHandler,
  InvocationQueue,
  type PutOptions,
} from './invocation-queue.js';
export type { Lease, Leases } from './leases.js';
export type { Signals } from './signals.js';
export { POSTGRES_URL } from './postgres-url.js';
export { sharedBudgets, type SharedBudget, type SharedBudgetsOptions } from './shared-budgets.js';
export { sharedLimits } from './store-places.js';
export type { Answering, Submission } from './submission.js';
export { startWorker, type Worker, type WorkerOptions } from './worker.js';
