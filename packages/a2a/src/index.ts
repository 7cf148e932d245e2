export { A2aConfigInvalidError, A2aOutcomeUnknownError, A2aPeerFailedError } from './errors.js';
export { a2aHandler, type A2aHandler, type A2aSource } from './server/a2a-handler.js';
export { serveA2a, type A2aServing } from './server/serve-a2a.js';
export type {
  A2aHandlerOptions,
  CardOptions,
  PeerLimits,
  ServeA2aOptions,
  SigningKey,
} from './server/serve-options.js';
export { fetchAgentCard, RemoteAgent, remoteAgent } from './client/remote-agent.js';
export type { PeerOptions, RemoteAgentOptions } from './client/remote-agent-options.js';
