import { FunctionTool } from '../function.tool.js';
import type { Tool } from '../tool.js';

const EXIT_LOOP = new FunctionTool({
  name: 'exit_loop',
  idempotent: true,
  description: 'Exit the loop. Call it only when the work of the loop is done.',
  run: (_args, context) => {
    context.actions.escalate = true;
    return { status: 'exited' };
  },
});

/**
 * A tool with which the model ends the loop that its agent runs in, by handing control upward: `actions.escalate`.
 *
 * @param loop name of the loop that ends, with all that runs in it. Default: the innermost. The tool of a named loop is
 *   called `exit_loop_` and the name
 */
export function exitLoop(loop?: string): Tool {
  if (loop === undefined) return EXIT_LOOP;
  return new FunctionTool({
    name: `exit_loop_${loop}`,
    idempotent: true,
    description: `Exit the loop "${loop}". Call it only when the work of this loop is done.`,
    run: (_args, context) => {
      context.actions.escalate = true;
      return { status: 'exited', loop };
    },
  });
}
