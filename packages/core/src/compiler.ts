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
export {
  estimateTokens,
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
  type DerivationFault,
  type OnDemandAnswer,
  type OnDemandEntry,
  type RecordAnswer,
  type RecordRequest,
} from '@adorn/schema';
export { agentOptionsFault } from './agents/tree/check-agent-options.js';
export { AGENT_OPTION_NAMES } from './agents/agent-options.js';
export { AGENT_TOOL_OPTION_NAMES, agentToolOptionsFault } from './agents/agent.tool.js';
export { AgentConfigInvalidError } from './agents/tree/errors.js';
export { WRAPPER_OPTION_NAMES, wrapperOptionsFault } from './tools/policies/wrapped.tool.js';
export { PARAM_OPTION_NAMES, paramOptionsError } from './tools/tool.decorator.js';
export { constantPieces } from './turn/instruction-template.js';
export { overrideOptions } from './tools/tool.decorator.js';
export { toolOptionsFault } from './tools/check-tool-options.js';
export { TOOL_OPTION_NAMES } from './tools/tool-options.js';
export { ToolConfigInvalidError } from './tools/errors.js';
export { labelsOf, type ToolLabel } from './tools/tool-traits.js';
export { isToolName, toolNameOf } from './tools/tool-table.js';
export { withParamOptions } from './tools/tools-of-service.js';
