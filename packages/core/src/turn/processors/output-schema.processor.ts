import type { RequestProcessor } from '../request-plan.js';
import { answersThroughTool, SET_MODEL_RESPONSE } from '../structured-answer.js';

/** Adds the output schema: as the model's response schema, or as the tool `set_model_response`. */
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
