import type { Content } from '../../content/genai-types.js';
import { History } from '../history/history.js';
import type { RequestProcessor } from '../request-plan.js';

/** The conversation so far, shared with the history and not copied. */
export const historyProcessor: RequestProcessor = (agent, draft) => {
  const onlyThisTurn = agent.turn.includeContents === 'none';
  draft.steps.unshift((request) => {
    const { session, branch } = request.context;
    const history = History.of(session, agent, branch);
    const contents = onlyThisTurn ? history.currentTurn() : history.contents;
    if (!endsWithUser(contents)) request.contents = [...contents, GO_ON];
    else if (onlyThisTurn) request.contents = contents;
    else request.borrow(history.shared);
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
