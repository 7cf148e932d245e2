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
  type BytesName,
  type ChoiceHydration,
  type ClassHydration,
  DERIVED,
  type DerivedClass,
  type DerivedFunction,
  type DerivedParameter,
  type DerivedTool,
  type Hydration,
  type HydrationBranch,
  type JsonType,
  type LeafHydration,
  type ListHydration,
  type ObjectHydration,
} from './schema/derived-class.js';
export type {
  DerivationFault,
  OnDemandAnswer,
  OnDemandEntry,
  RecordAnswer,
  RecordRequest,
} from './schema/derive-on-demand.js';
export { overrideOptions } from './tools/tool.decorator.js';
export { isToolName, toolNameOf } from './tools/tool-table.js';
export { withParamOptions } from './tools/tools-of-service.js';
