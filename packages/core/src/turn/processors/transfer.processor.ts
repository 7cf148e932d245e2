import { transferTargets } from '../resolve-transfers.js';
import { TRANSFER_TO_AGENT } from '../../tools/builtin/transfer-to-agent.tool.js';
import type { RequestProcessor } from '../request-plan.js';

/** The agents that this one may hand over to, and how. The tool itself is among the agent's tools. */
export const transferProcessor: RequestProcessor = (agent, draft) => {
  const targets = transferTargets(agent);
  if (targets.length === 0) return;
  const roster = targets.map(
    ({ name, description }) => `- ${name}: ${description === '' ? 'no description' : description}`,
  );
  draft.fragments.push(
    `You can hand the conversation over to one of these agents:\n${roster.join('\n')}\n` +
      `If one of them is better suited to answer, call ${TRANSFER_TO_AGENT} with its name and say nothing else. ` +
      'Otherwise answer yourself.',
  );
};
