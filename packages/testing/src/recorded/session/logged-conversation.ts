import type { Content, Event, ModelResponse, PendingRequest } from '@adorn/core';
import { canonicalJson, isRequestName, type StoodInCall } from '@adorn/core/backend';

/** A call of the log, with what it came to. */
interface LoggedCall {
  readonly tool: string;
  readonly args: string;
  readonly response: unknown;
  /** True if its tool handed over, or ended something. */
  readonly steers: boolean;
}

/** What was said in a stored conversation, for agents that hold it again. */
export class LoggedConversation {
  /** The messages and answers of the user. */
  readonly messages: readonly Content[];
  private readonly answers: Event[];
  /** Those that no call has taken yet. Ids differ each time, so that a call is found by its tool and its arguments. */
  private readonly calls: LoggedCall[];
  /** By the ids of the new calls, which an attempt that is repeated has again. */
  private readonly taken = new Map<string, LoggedCall | undefined>();

  /** @param agents the names of the agents, which run if they are called */
  constructor(
    private readonly events: readonly Event[],
    private readonly agents: readonly string[],
  ) {
    this.messages = events.flatMap(({ author, content }) => (author === 'user' && content ? [content] : []));
    this.answers = events.filter(isAnswer);
    this.calls = this.answers.flatMap(({ functionCalls }) =>
      functionCalls.map(({ id, name = '', args = {} }) => loggedCall(events, { id, name, args })),
    );
  }

  /** What the next model answers; empty if the log has no more. */
  nextAnswer(): ModelResponse {
    const event = this.answers.shift();
    if (!event)
      return { errorCode: 'NOT_RECORDED', errorMessage: 'The stored conversation has no further answer.' };
    const { content, finishReason, errorCode, errorMessage, usageMetadata, groundingMetadata, modelVersion } =
      event;
    return JSON.parse(
      JSON.stringify({
        content: content && withoutIds(content),
        finishReason,
        errorCode,
        errorMessage,
        usageMetadata,
        groundingMetadata,
        modelVersion,
      }),
    ) as ModelResponse;
  }

  /** What a tool returned; it runs only if it is an agent, or has handed over or ended something. */
  async resultOf(call: StoodInCall, run: () => Promise<unknown>): Promise<unknown> {
    const { callId, tool } = call;
    if (!this.taken.has(callId)) this.taken.set(callId, this.take(call));
    const found = this.taken.get(callId);
    if (this.agents.includes(tool) || found?.steers === true) return run();
    return found?.response ?? { error: 'The stored conversation has no result of this call.' };
  }

  private take({ tool, args }: StoodInCall): LoggedCall | undefined {
    const wanted = canonicalJson(args);
    const equal = this.calls.findIndex((one) => one.tool === tool && one.args === wanted);
    // A person may have changed the arguments, and a check may have completed them.
    const place = equal >= 0 ? equal : this.calls.findIndex((one) => one.tool === tool);
    return place < 0 ? undefined : this.calls.splice(place, 1)[0];
  }

  /** The message with the ids of the requests that are open now. */
  addressed(content: Content, open: readonly PendingRequest[]): Content {
    const asked = this.events.flatMap(({ pending }) => pending);
    const parts = (content.parts ?? []).map((part) => {
      const { functionResponse } = part;
      const before = asked.find(({ id }) => id === functionResponse?.id);
      const now = before && open.find((one) => isAlike(one, before));
      return functionResponse && now ? { functionResponse: { ...functionResponse, id: now.id } } : part;
    });
    return { ...content, parts };
  }
}

function withoutIds(content: Content): Content {
  const parts = (content.parts ?? []).map((part) => {
    if (part.functionCall?.id?.startsWith('adk-') !== true) return part;
    const { id: _given, ...functionCall } = part.functionCall;
    return { ...part, functionCall };
  });
  return { ...content, parts };
}

/** True for what a model has answered, and not for the call by which a request to a person is stored. */
function isAnswer({ author, content, functionCalls }: Event): boolean {
  if (author === 'user' || content?.role !== 'model') return false;
  return functionCalls.length === 0 || !functionCalls.every(({ name }) => isRequestName(name));
}

function loggedCall(
  events: readonly Event[],
  { id, name, args }: { readonly id: string | undefined; readonly name: string; readonly args: object },
): LoggedCall {
  const event = events.findLast(({ functionResponses }) => functionResponses.some((one) => one.id === id));
  const { transferToAgent, escalate } = event?.actions ?? {};
  return {
    tool: name,
    args: canonicalJson(args),
    response: event?.functionResponses.find((one) => one.id === id)?.response,
    steers: transferToAgent !== undefined || escalate === true,
  };
}

/** True for a request about an equal call. */
function isAlike(one: RequestOfCall, other: RequestOfCall): boolean {
  return (
    one.kind === other.kind &&
    one.tool === other.tool &&
    canonicalJson(one.args) === canonicalJson(other.args)
  );
}

type RequestOfCall = Pick<PendingRequest, 'kind' | 'tool' | 'args'>;
