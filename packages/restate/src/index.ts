export { RestateRequestError, RestateWorkerOpenError } from './errors.js';
export { RestateQueue, type RestateQueueOptions } from './restate.queue.js';
