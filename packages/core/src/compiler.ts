export {
  type AgentGraph,
  agentGraph,
  type GraphTool,
  type TaintedAgent,
  type TaintedOffer,
  type TaintedTool,
  type UntrustedPath,
  untrustedPaths,
} from './agents/tree/agent-graph.js';
export { estimateTokens } from './json/json-size.js';
export {
  DERIVED,
  type DerivedClass,
  type DerivedFunction,
  type DerivedParameter,
  type DerivedTool,
} from './schema/derived-class.js';
export type {
  DerivationFault,
  OnDemandAnswer,
  OnDemandEntry,
  RecordAnswer,
  RecordRequest,
} from './schema/installed-compiler.js';
export type {
  BytesName,
  ChoiceHydration,
  ClassHydration,
  JsonType,
  LeafHydration,
  ListHydration,
  ObjectHydration,
  Hydration,
  HydrationBranch,
} from './schema/hydration.js';
export { overrideOptions } from './tools/tool.decorator.js';
export { isToolName, toolNameOf } from './tools/tool-name.js';
export { withParamOptions } from './tools/tools-of-service.js';
