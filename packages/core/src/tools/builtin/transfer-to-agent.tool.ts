import { FunctionTool } from '../function.tool.js';
import type { Tool } from '../tool.js';

export const TRANSFER_TO_AGENT = 'transfer_to_agent';

const TRANSFER = new FunctionTool({
  name: TRANSFER_TO_AGENT,
  idempotent: true,
  description:
    'Transfer control to another agent by name. Use it when another agent is better suited to answer the user.',
  parameters: {
    type: 'object',
    properties: { agent_name: { type: 'string', description: 'The name of the agent to transfer to.' } },
    required: ['agent_name'],
    additionalProperties: false,
  },
  run: ({ agent_name: name }, context) => {
    context.actions.transferToAgent = String(name);
    return { status: 'transferred', agent: name };
  },
});

/**
 * A tool with which the model transfers the rest of the invocation to another agent. Added to agents with sub-agents
 * unless transfer is disabled. The turn checks whether the agent may be transferred to, as for any tool that requests a
 * transfer.
 */
export function transferToAgent(): Tool {
  return TRANSFER;
}
