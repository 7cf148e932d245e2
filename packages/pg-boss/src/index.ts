export { InvocationAcceptedError, NodeTooOldError } from './errors.js';
export {
  Fleet,
  type FleetOptions,
  type FollowedEvent,
  type FollowInput,
  openFleet,
  type Submission,
} from './fleet.js';
export { InProcessQueue } from './in-process.queue.js';
export type { Inbox, InboxEntry } from './inbox.js';
export { type InvocationAddress, type InvocationHandler, InvocationQueue } from './invocation-queue.js';
export { PgBossQueue, type PgBossQueueOptions } from './pg-boss.queue.js';
export type { Signals } from './signals.js';
export { startWorker, type Worker, type WorkerOptions } from './worker.js';
