import { FunctionTool } from '../function.tool.js';
import type { Tool } from '../tool.js';

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
  longRunning: true,
  idempotent: true,
  run: ({ prompt, options }) => ({ status: 'awaiting_user', prompt, options }),
});

/**
 * A tool with which the model lets the user choose one of several options. The run pauses; the application shows the
 * prompt and the options, which are the `args` of the request, and supplies the chosen option as the result:
 * `runner.supply(request, 'tea')`.
 */
export function getUserChoice(): Tool {
  return GET_USER_CHOICE;
}
