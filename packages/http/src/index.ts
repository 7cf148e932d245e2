export { AddressBlockedError, type HttpFailure, HttpOptionInvalidError, HttpRequestError } from './errors.js';
export type { ResolveHost } from './guarded-agent.js';
export { type GuardedFetch, guardedFetch } from './guarded-fetch.js';
export { isPrivateAddress } from './host-guard.js';
export type { GuardedFetchOptions } from './options.js';
export { isRefusedBeforehand, type PeerAnswer } from './refused-requests.js';
export { setTraceHeaders, traceHeaders, withinTrace } from './trace-context.js';
