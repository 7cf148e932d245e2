export { toFastifyPlugin } from './adapters/fastify-plugin.js';
export { type NodeListener, toNodeHandler } from './adapters/node-handler.js';
export { type RouteHandlers, toRouteHandlers } from './adapters/route-handlers.js';
export { pathAfterSignIn } from './access/sign-in.js';
export { type AdornHandler, adornHandler } from './adorn-handler.js';
export type {
  AnswerFrame,
  CallFrame,
  EndFrame,
  ErrorFrame,
  EventJson,
  FileFrame,
  Frame,
  RequestFrame,
  ResultFrame,
  SessionJson,
  StateFrame,
  TextFrame,
} from './frames/frame.js';
export { sse, type SseOptions } from './frames/sse.js';
export { toWire } from './frames/to-wire.js';
export { type AdornServer, serve } from './serve.js';
export type {
  AppSource,
  Authenticate,
  EndpointHost,
  EvalOptions,
  ServedEndpoint,
  ServedProfile,
  HandlerOptions,
  InboxWebhookOptions,
  PeerHandler,
  PeerHandlerFactory,
  PeerPlace,
  Principal,
  ServeOptions,
  ServerLimits,
} from './server-options.js';
export { PageToolset, pageTools, type PageToolsOptions } from './page-tools/page.toolset.js';
