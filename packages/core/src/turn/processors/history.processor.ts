import type { Content } from '../../content/genai-types.js';
import { History } from '../../log/history/history.js';
import type { RequestProcessor } from '../request-plan.js';

/** Adds the conversation, as a view of the history and not as a copy. */
export const historyProcessor: RequestProcessor = (agent, draft) => {
  const onlyThisTurn = agent.turn.includeContents === 'none';
  draft.steps.unshift((request) => {
    const { session, branch } = request.context;
    const history = History.of(session, agent, branch);
    if (onlyThisTurn) request.contents = history.currentTurn();
    else request.show(history.shared.view());
    const last = onlyThisTurn ? request.contents.at(-1) : history.shared.at(history.shared.length - 1);
    if (last === undefined || last.role === 'model') request.append(GO_ON);
  });
};

/** Models answer only a user's content, so this is appended to a conversation that ends with the model's own. */
const GO_ON: Content = {
  role: 'user',
  parts: [{ text: 'Go on with what was asked before. If nothing is left to do, say what was done.' }],
};
