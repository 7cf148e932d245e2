import { FunctionTool } from '../function.tool.js';
import type { Tool } from '../tool.js';

const EXIT_LOOP = new FunctionTool({
  name: 'exit_loop',
  description: 'Exit the loop. Call it only when the work of the loop is done.',
  run: (_args, context) => {
    context.actions.escalate = true;
    return { status: 'exited' };
  },
});

/** A tool with which the model ends the loop that its agent runs in, by handing control upward: `actions.escalate`. */
export function exitLoop(): Tool {
  return EXIT_LOOP;
}
