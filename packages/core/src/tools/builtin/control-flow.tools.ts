import { FunctionTool } from '../function.tool.js';
import { ToolError } from '../errors.js';
import type { Tool } from '../tool.js';

export const TRANSFER_TO_AGENT = 'transfer_to_agent';

const TRANSFER = new FunctionTool({
  name: TRANSFER_TO_AGENT,
  effect: 'read',
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

const EXIT_LOOP = new FunctionTool({
  name: 'exit_loop',
  effect: 'read',
  description: 'Exit the loop. Call it only when the work of the loop is done.',
  run: (_args, context) => {
    if (!context.hasLoopAbove) throw new ToolError('The agent is in no loop. Nothing was ended.');
    context.actions.escalate = true;
    return { status: 'exited' };
  },
});

/**
 * A tool with which the model ends the loop in which its agent runs. It sets `actions.escalate`. Where no loop is above
 * the agent, the model is told so, and nothing ends. An agent that runs as a tool cannot end a loop around its caller.
 *
 * @param loop the name of the loop to end, including all loops inside it. Default: the innermost. The tool is then
 * called `exit_loop_` and the name
 */
export function exitLoop(loop?: string): Tool {
  if (loop === undefined) return EXIT_LOOP;
  return new FunctionTool({
    name: `exit_loop_${loop}`,
    effect: 'read',
    description: `Exit the loop "${loop}". Call it only when the work of this loop is done.`,
    run: (_args, context) => {
      const above = context.compositesAbove;
      if (!above.includes(loop) || !context.hasLoopAbove) {
        const found = above.length === 0 ? 'It is in none.' : `Above it: ${above.join(', ')}.`;
        throw new ToolError(`The agent is in no loop "${loop}". ${found} Nothing was ended.`);
      }
      context.actions.escalate = true;
      return { status: 'exited', loop };
    },
  });
}

const GET_USER_CHOICE = new FunctionTool({
  name: 'get_user_choice',
  description: 'Ask the user to choose one of several options.',
  parameters: {
    type: 'object',
    properties: {
      prompt: { type: 'string', description: 'The question to the user.' },
      options: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'What can be chosen.' },
    },
    required: ['prompt', 'options'],
  },
  effect: 'read',
  run: ({ prompt, options }, context) =>
    context.requestInput({
      message: String(prompt),
      schema: { type: 'string', enum: [...new Set(options as readonly string[])] },
    }),
});

/**
 * A tool with which the model lets the user choose one of several options. The run pauses; the application shows the
 * prompt and the options, which are the `args` of the request, and supplies the chosen option:
 * `runner.supply(request, 'tea')`. Any other answer is `ANSWER_INVALID`; `runner.reject` refuses to choose.
 */
export function getUserChoice(): Tool {
  return GET_USER_CHOICE;
}
