import type { Content } from '../../content/genai-types.js';
import { History } from '../history/history.js';
import type { RequestProcessor } from '../request-plan.js';

/** The conversation so far. Shared, unless somebody may change it. */
export const historyProcessor: RequestProcessor = (agent, draft) => {
  const onlyThisTurn = agent.turn.includeContents === 'none';
  const isExposed =
    agent.callbacks.beforeModel !== undefined ||
    agent.toolsets.length > 0 ||
    agent.tools.tools.some((tool) => tool.processRequest !== undefined);
  draft.steps.unshift((request) => {
    const { session, branch } = request.context;
    const history = History.of(session, agent, branch);
    const { contents } = history;
    const seen = onlyThisTurn ? history.currentTurn() : isExposed ? [...contents] : contents;
    request.contents = endsWithUser(seen) ? seen : [...seen, GO_ON];
  });
};

function endsWithUser(contents: readonly Content[]): boolean {
  return contents.length > 0 && contents[contents.length - 1]?.role !== 'model';
}

/** A model speaks only to somebody: where it had the last word, it is asked on. */
const GO_ON: Content = {
  role: 'user',
  parts: [{ text: 'Go on with what was asked before. If nothing is left to do, say what was done.' }],
};
