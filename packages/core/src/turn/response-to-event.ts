import type { Content } from '../content/genai-types.js';
import { joinText } from '../content/content-parts.js';
import type { Event } from '../events/event.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';
import type { EventActions } from '../events/event-actions.js';
import type { TurnAgent } from './turn-agent.js';

/** A piece of an answer, to be shown and not stored. It bears the id of the event that it becomes a part of. */
export function pieceToEvent(
  agent: TurnAgent,
  context: InvocationContext,
  id: string,
  content: Content | undefined,
): Event {
  return context.event({ id, author: agent.name, partial: true }, content);
}

/** What is known of a whole answer besides what the model said. */
export interface AnswerFacts {
  readonly id: string;
  /** The answer's content as `readContent` gives it, every call with its id. */
  readonly content: Content | undefined;
  readonly isFinal: boolean;
  readonly longRunningToolIds: readonly string[];
  readonly actions?: Partial<EventActions> | undefined;
  readonly customMetadata?: Readonly<Record<string, unknown>> | undefined;
  /** Whether a value fits the agent's `outputSchema`; absent where that is known already. */
  readonly fits?: ((output: unknown) => boolean) | undefined;
}

/** A whole answer of the model as an event. The last one of a turn bears what the agent's `outputKey` keeps. */
export function responseToEvent(
  agent: TurnAgent,
  context: InvocationContext,
  response: ModelResponse,
  facts: AnswerFacts,
): Event {
  const { finishReason, errorCode, errorMessage, modelVersion } = response;
  const { usageMetadata, groundingMetadata, citationMetadata, urlContextMetadata } = response;
  const body = {
    id: facts.id,
    author: agent.name,
    actions: errorCode === undefined ? withOutput(agent, context, facts) : facts.actions,
    longRunningToolIds: facts.longRunningToolIds,
    turnComplete: facts.isFinal,
    finishReason,
    errorCode,
    errorMessage,
    usageMetadata,
    groundingMetadata,
    citationMetadata,
    urlContextMetadata,
    modelVersion,
    customMetadata: facts.customMetadata,
  };
  return context.event(body, facts.content);
}

function withOutput(
  agent: TurnAgent,
  context: InvocationContext,
  facts: AnswerFacts,
): Partial<EventActions> | undefined {
  const { outputKey, outputSchema } = agent.turn;
  const isAsked = outputKey !== undefined || outputSchema !== undefined;
  if (!isAsked || !facts.isFinal || facts.content === undefined) return facts.actions;
  const text = joinText(facts.content);
  if (text === '') return facts.actions;
  const output = outputSchema === undefined ? text : parseOutput(text, agent, context, facts);
  if (outputKey === undefined) return facts.actions;
  return { ...facts.actions, stateDelta: { ...facts.actions?.stateDelta, [outputKey]: output } };
}

/** An output that is no JSON, or does not fit the schema, is kept as the text that it is. */
function parseOutput(
  text: string,
  agent: TurnAgent,
  { services }: InvocationContext,
  { fits }: AnswerFacts,
): unknown {
  let fault = 'is not the JSON its outputSchema asks for';
  try {
    const output = JSON.parse(text) as unknown;
    if (fits?.(output) !== false) return output;
    fault = 'does not fit its outputSchema';
  } catch {
    // The text is no JSON.
  }
  services.logger.warn(`the answer of agent "${agent.name}" ${fault}; kept as text`);
  return text;
}
