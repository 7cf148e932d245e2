import type { Content, Event, PendingRequest, Session } from '@adorn/core';
import { isObject, isRequestName } from '@adorn/core/backend';

/** What the user and the tools have said in a conversation: what it takes, beside models, to hold it again. */
export interface Conversation {
  readonly userId: string;
  readonly sessionId: string;
  /** The state that it began with. Absent if it is not known. */
  readonly state?: StateValues;
  /** The messages and answers of the user. */
  readonly messages: readonly UserMessage[];
  /** What the answers among the messages are about. Absent if it is not known what the user was asked. */
  readonly asked?: readonly AskedOfUser[];
  /** The calls of models, in their order. */
  readonly calls: readonly HeldCall[];
}

/** A message of the user, or an answer with who has given it. */
export interface UserMessage {
  readonly content: Content;
  /** What was written to the state with it. Absent if nothing was. */
  readonly state?: StateValues;
}

/** Values of the state by their keys. */
export type StateValues = Readonly<Record<string, unknown>>;

/** A request that the user has answered. */
export type AskedOfUser = Pick<PendingRequest, 'id' | 'kind' | 'tool' | 'args'>;

/** A call, with what it came to. */
export interface HeldCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the model read of it. Absent if it read nothing. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** What its tool wrote to the state; null for a key that it removed. Absent if it wrote nothing. */
  readonly state?: StateValues;
  /** True if its tool handed over, or ended something, which it does again. */
  readonly steers?: boolean;
}

/**
 * The conversation of a stored session.
 *
 * @param created the state with which the session was created, as far as that is stored
 */
export function conversationOf(session: Session, created: StateValues): Conversation {
  const { userId, id: sessionId, events, state } = session;
  const written = new Set(events.flatMap(({ actions }) => Object.keys(actions.stateDelta)));
  const kept = Object.entries(state).filter(([key]) => !written.has(key));
  return {
    userId,
    sessionId,
    state: { ...Object.fromEntries(kept), ...created },
    messages: events.filter(isOfUser).flatMap(messageOf),
    asked: events.flatMap(({ pending }) =>
      pending.map(({ id, kind, tool, args }) => ({ id, kind, tool, args })),
    ),
    calls: events
      .filter(isAnswer)
      .flatMap(({ functionCalls }) =>
        functionCalls.map(({ id, name = '', args = {} }) => ({ tool: name, args, ...outcomeOf(events, id) })),
      ),
  };
}

/** True for what the user has said, and not for what a model has passed to an agent that it called as a tool. */
function isOfUser({ author, isolationScope }: Event): boolean {
  return author === 'user' && isolationScope === undefined;
}

function messageOf({ content, actions: { stateDelta: state } }: Event): UserMessage[] {
  if (!content) return [];
  return [{ content, ...(Object.keys(state).length > 0 && { state }) }];
}

/** True for what a model has answered, and not for the call by which a request to a person is stored. */
export function isAnswer({ author, content, functionCalls }: Event): boolean {
  if (author === 'user' || content?.role !== 'model') return false;
  return functionCalls.length === 0 || !functionCalls.every(({ name }) => isRequestName(name));
}

function outcomeOf(
  events: readonly Event[],
  callId: string | undefined,
): Pick<HeldCall, 'response' | 'state' | 'steers'> {
  const event = events.findLast(({ functionResponses }) => functionResponses.some(({ id }) => id === callId));
  const response = event?.functionResponses.find(({ id }) => id === callId)?.response;
  const { transferToAgent, escalate, stateDelta: state = {} } = event?.actions ?? {};
  const steers = transferToAgent !== undefined || escalate === true;
  const hasWritten = Object.keys(state).length > 0;
  return { ...(response && { response }), ...(hasWritten && { state }), ...(steers && { steers }) };
}

/** True for a conversation as a file has it. */
export function isConversation(value: unknown): value is Conversation {
  if (!isObject(value)) return false;
  const { userId, sessionId, messages, asked, calls, state = {} } = value;
  return (
    typeof userId === 'string' &&
    typeof sessionId === 'string' &&
    isObject(state) &&
    isListOfObjects(messages) &&
    messages.every(({ content }) => isObject(content)) &&
    isListOfObjects(asked) &&
    isListOfObjects(calls) &&
    [...asked, ...calls].every(({ tool, args }) => typeof tool === 'string' && isObject(args))
  );
}

function isListOfObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isObject);
}
