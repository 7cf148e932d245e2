import type { Content } from '../content/genai-types.js';
import { joinText } from '../content/join-text.js';
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
  return context.event({ id, author: agent.name, content, partial: true });
}

/** What is known of a whole answer besides what the model said. */
export interface AnswerFacts {
  readonly id: string;
  /** The answer's content, every call with its id. */
  readonly content: Content | undefined;
  readonly isFinal: boolean;
  readonly longRunningToolIds: readonly string[];
  readonly actions?: Partial<EventActions> | undefined;
}

/** A whole answer of the model as an event. The last one of a turn bears what the agent's `outputKey` keeps. */
export function responseToEvent(
  agent: TurnAgent,
  context: InvocationContext,
  response: ModelResponse,
  facts: AnswerFacts,
): Event {
  const { finishReason, errorCode, errorMessage, modelVersion } = response;
  const { usageMetadata, groundingMetadata, citationMetadata } = response;
  return context.event({
    id: facts.id,
    author: agent.name,
    content: facts.content,
    actions: errorCode === undefined ? withOutput(agent, context, facts) : facts.actions,
    longRunningToolIds: facts.longRunningToolIds,
    turnComplete: facts.isFinal,
    finishReason,
    errorCode,
    errorMessage,
    usageMetadata,
    groundingMetadata,
    citationMetadata,
    modelVersion,
  });
}

function withOutput(
  agent: TurnAgent,
  context: InvocationContext,
  facts: AnswerFacts,
): Partial<EventActions> | undefined {
  const { outputKey, outputSchema } = agent.turn;
  if (outputKey === undefined || !facts.isFinal || facts.content === undefined) return facts.actions;
  const text = joinText(facts.content);
  if (text === '') return facts.actions;
  const output = outputSchema === undefined ? text : parseOutput(text, agent, context);
  return { ...facts.actions, stateDelta: { ...facts.actions?.stateDelta, [outputKey]: output } };
}

function parseOutput(text: string, agent: TurnAgent, { services }: InvocationContext): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    services.logger.warn(
      `the answer of agent "${agent.name}" is not the JSON its outputSchema asks for; kept as text`,
    );
    return text;
  }
}
