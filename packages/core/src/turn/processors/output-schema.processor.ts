import type { RequestProcessor } from '../request-plan.js';
import { answersThroughTool, SET_MODEL_RESPONSE } from '../structured-answer.js';

/** The form of the answer: as the model's own response schema, or by the tool that stands for it. */
export const outputSchemaProcessor: RequestProcessor = (agent, draft) => {
  const { outputSchema } = agent.turn;
  if (outputSchema === undefined) return;
  if (answersThroughTool(agent)) {
    draft.fragments.push(
      `When you have the final answer, give it by calling ${SET_MODEL_RESPONSE}, and in no other way.`,
    );
  } else {
    draft.config = {
      ...draft.config,
      responseMimeType: 'application/json',
      responseJsonSchema: outputSchema,
    };
  }
};
