import type { Part as AgentPart } from '@adorn/core';
import { type AgentQuestion, present } from '@adorn/core/backend';
import { type Message, type Part, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';

import { isAdkStep, isAdkThought } from '../protocol/adk-parts.js';
import { cleanText } from '../protocol/clean-text.js';
import { isPlainJsonObject } from '../protocol/json-object.js';
import { fromPeerParts, textOf } from '../protocol/parts.js';

const MOST_TEXT = 2_000;

/** The task that a message began, as the log holds it; or the whole answer of a peer that begins none. */
export type Begun =
  | { readonly taskId: string; readonly contextId: string }
  | { readonly contextId: string; readonly parts: AgentPart[]; readonly taskId?: undefined };

/** The end of a task: what the run answers. */
export interface Ending {
  readonly state: TaskState;
  readonly parts: AgentPart[];
}

/** The task, or the whole answer, in the response to a message. */
export function begunBy(answer: Message | Task): Begun {
  if (!('messageId' in answer)) {
    if (answer.id === '') throw new Error('its task has no id');
    return { taskId: answer.id, contextId: answer.contextId };
  }
  return { contextId: answer.contextId, parts: cleanParts(answer.parts) };
}

/** The same in the first update of a stream. */
export function begunByUpdate({ payload }: StreamResponse): Begun {
  switch (payload?.$case) {
    case 'task':
    case 'message':
      return begunBy(payload.value);
    case 'statusUpdate':
    case 'artifactUpdate':
      return { taskId: payload.value.taskId, contextId: payload.value.contextId };
    default:
      throw new Error('the first update of its stream is empty');
  }
}

/** The answer of a task that has ended, or what its status says. */
export function endingOf({ artifacts, status }: Task): Ending {
  const { state = TaskState.TASK_STATE_UNSPECIFIED, message } = status ?? {};
  const answer = artifacts.flatMap(({ parts }) => cleanParts(parts));
  const isAnswered = state === TaskState.TASK_STATE_COMPLETED && answer.length > 0;
  return { state, parts: isAnswered ? answer : cleanParts(message?.parts ?? []) };
}

/** The parts of an answer. The steps of an agent of Google's ADK, its calls and their responses, are not part of it. */
function cleanParts(parts: readonly Part[]): AgentPart[] {
  return parts.flatMap((part) => {
    if (isAdkStep(part)) return [];
    return fromPeerParts([part]).map((one) => {
      if (one.text === undefined) return one;
      const text = cleanText(one.text);
      return isAdkThought(part) ? { text, thought: true } : { ...one, text };
    });
  });
}

/** The question of a peer for a person, with the schema that a data part of it has. */
export function questionOf(kind: 'input' | 'auth', message: Message | undefined): AgentQuestion {
  const said = cleanText(textOf(message), MOST_TEXT);
  if (kind === 'auth')
    return { message: `The remote agent needs an authorization: ${said} Answer when it was granted.` };
  const data = questionData(message);
  const schema = data
    .map((one) => (one as { readonly schema?: unknown } | null)?.schema)
    .find(isPlainJsonObject);
  const payload = data.length === 0 ? undefined : (JSON.parse(cleanText(JSON.stringify(data))) as unknown);
  return present({ message: said, schema, payload });
}

/** True if a data part of the message is a question of its own, beside calls for clients of Google's ADK. */
export function hasOwnQuestion(message: Message | undefined): boolean {
  return questionData(message).some((one) => isPlainJsonObject(one) && 'requestId' in one);
}

function questionData(message: Message | undefined): unknown[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.content?.$case === 'data' && !isAdkStep(part) ? [part.content.value as unknown] : [],
  );
}
