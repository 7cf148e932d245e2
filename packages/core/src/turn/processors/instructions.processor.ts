import type { Content } from '../../content/genai-types.js';
import { joinText } from '../../content/content-parts.js';
import type { InvocationContext } from '../../invocation/invocation-context.js';
import { ReadonlyContext } from '../../invocation/callback-context.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import { compileTemplate } from '../instruction-template.js';
import type { Fragment, RequestProcessor } from '../request-plan.js';
import type { Instruction, TurnAgent } from '../turn-agent.js';

/** Adds the instructions: static, then global, then the agent's own. */
export const instructionsProcessor: RequestProcessor = (agent, draft) => {
  const { globalInstruction, instruction, staticInstruction } = agent.turn;
  if (globalInstruction !== undefined) draft.fragments.push(toFragment(globalInstruction, agent));
  if (staticInstruction === undefined) {
    if (instruction !== undefined) draft.fragments.push(toFragment(instruction, agent));
    return;
  }
  draft.fragments.unshift(
    typeof staticInstruction === 'string' ? staticInstruction : joinText(staticInstruction),
  );
  if (instruction === undefined) return;
  const fragment = toFragment(instruction, agent);
  draft.steps.push(async (request) => {
    request.append(await asUserContent(fragment, request.context));
  });
};

function toFragment(instruction: Instruction, agent: TurnAgent): Fragment {
  if (typeof instruction === 'function') {
    return (context): Awaitable<string> => instruction(new ReadonlyContext(context, agent));
  }
  const template = compileTemplate(instruction, agent.name);
  return template.constant ?? template.fill;
}

async function asUserContent(fragment: Fragment, context: InvocationContext): Promise<Content> {
  return {
    role: 'user',
    parts: [{ text: typeof fragment === 'string' ? fragment : await fragment(context) }],
  };
}
