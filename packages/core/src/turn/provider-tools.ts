import { AdornError } from '@adorn/schema';
import type { Model } from '../models/model.js';
import type { ProviderTool } from '../tools/builtin/provider.tools.js';
import { TRANSFER_TO_AGENT } from '../tools/builtin/control-flow.tools.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import { nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';
import { SET_MODEL_RESPONSE } from './structured-output.js';
import type { TurnAgent } from './turn-agent.js';

/** An agent's tools and the model that serves them. */
export type ServedTools = Pick<TurnAgent, 'name' | 'model' | 'tools' | 'toolsets'>;

/**
 * Checks that the model of an agent supports the agent's provider tools, and their combination with its functions.
 *
 * @throws {ProviderToolUnsupportedError | ProviderToolNotCombinableError}
 */
export function checkProviderTools(served: ServedTools): void {
  const { name, model, tools, toolsets } = served;
  for (const tool of tools.provided) {
    if (!model.supportsProviderTool(tool.kind)) throw new ProviderToolUnsupportedError(name, model, tool);
  }
  if (!mixesProviderTools(served)) return;
  throw new ProviderToolNotCombinableError(name, model, tools.provided, functionsOf(tools, toolsets));
}

/** True for an agent with provider tools and functions whose model does not accept both together. */
export function mixesProviderTools({ model, tools, toolsets }: ServedTools): boolean {
  if (tools.provided.length === 0 || model.supportsFunctionsBesideProviderTools) return false;
  return tools.names.length > 0 || toolsets.length > 0;
}

/** Names the functions and toolsets that add function declarations to the requests of an agent. */
function functionsOf(tools: ToolTable, toolsets: readonly Toolset[]): string[] {
  const functions = tools.names.map((name) => {
    const reason = REASONS[name];
    return reason === undefined ? name : `${name} (${reason})`;
  });
  return [...functions, ...toolsets.map((toolset) => `the toolset ${nameOfToolset(toolset)}`)];
}

/** Why an agent has a function that its author did not list. */
const REASONS: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  [TRANSFER_TO_AGENT]: 'to transfer to other agents',
  [SET_MODEL_RESPONSE]: 'for its outputSchema',
});

/** The model of an agent does not support a provider tool. */
class ProviderToolUnsupportedError extends AdornError {
  readonly code = 'PROVIDER_TOOL_UNSUPPORTED';

  constructor(agentName: string, model: Model, tool: ProviderTool) {
    super(
      `Agent "${agentName}" has the tool ${tool.name}, which needs ${tool.needs}; its model is "${model.name}". ` +
        'Give the agent such a model, or remove the tool.',
    );
  }
}

/** The model of an agent does not accept provider tools together with functions. */
class ProviderToolNotCombinableError extends AdornError {
  readonly code = 'PROVIDER_TOOL_NOT_COMBINABLE';

  constructor(
    agentName: string,
    model: Model,
    provided: readonly ProviderTool[],
    functions: readonly string[],
  ) {
    const names = provided.map(({ name }) => name).join(' and ');
    super(
      `Agent "${agentName}" has ${names}, which its model "${model.name}" cannot combine with functions: ` +
        `${functions.slice(0, 10).join(', ')}${functions.length > 10 ? ', …' : ''}. ` +
        `Use a model that combines them, such as Gemini 3 with an API key of Google AI Studio, or move ${names} to an ` +
        'agent of its own: a sub-agent with disallowTransferToParent and disallowTransferToPeers, or an agent listed as ' +
        'a tool.',
    );
  }
}
