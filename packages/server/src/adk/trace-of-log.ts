import { createHash } from 'node:crypto';

import type { Event } from '@adorn/core';
import { composedKey } from '@adorn/core/backend';

/** A span as adk-web reads it. Times are nanoseconds since 1970. */
export interface AdkSpan {
  readonly name: string;
  readonly span_id: string;
  readonly trace_id: string;
  readonly start_time: number;
  readonly end_time: number;
  readonly parent_span_id: string | null;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/**
 * The spans of a session as its log tells them: one for each invocation, each answer of a model and each call of a tool.
 * A model's span begins with the event before it; the log has no exact requests.
 */
export function traceOfLog(events: readonly Event[], sessionId: string): AdkSpan[] {
  const invocations = groups(events);
  return [...invocations].flatMap(([invocationId, own]) => spansOf(invocationId, own, sessionId));
}

function groups(events: readonly Event[]): Map<string, Event[]> {
  const found = new Map<string, Event[]>();
  for (const event of events)
    found.set(event.invocationId, [...(found.get(event.invocationId) ?? []), event]);
  return found;
}

function spansOf(invocationId: string, events: readonly Event[], sessionId: string): AdkSpan[] {
  const trace_id = hex(invocationId, 32);
  const root = hex(`${invocationId} run`, 16);
  const [first] = events;
  if (first === undefined) return [];
  const author = events.find((event) => event.author !== 'user')?.author ?? 'agent';
  const whole: AdkSpan = {
    ...{ name: `invoke_agent ${author}`, span_id: root, trace_id, parent_span_id: null },
    ...timesOf(first, events.at(-1) ?? first),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': author,
      'gen_ai.conversation.id': sessionId,
      'gcp.vertex.agent.invocation_id': invocationId,
    },
  };
  const place = { trace_id, parent_span_id: root };
  const steps = events.flatMap((event, index) => {
    if (event.author === 'user') return [];
    const before = events[index - 1] ?? event;
    if (event.content?.role === 'model') return [modelSpan(event, before, sessionId, place)];
    return event.functionResponses.map((response) => toolSpan(event, response, events, place));
  });
  return [whole, ...steps];
}

type Place = Pick<AdkSpan, 'trace_id' | 'parent_span_id'>;

function modelSpan(event: Event, before: Event, sessionId: string, place: Place): AdkSpan {
  const { promptTokenCount: input, candidatesTokenCount: output } = event.usageMetadata ?? {};
  return {
    ...{ name: 'call_llm', span_id: hex(`${event.id} model`, 16), ...place },
    ...timesOf(before, event),
    attributes: {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.agent.name': event.author,
      'gen_ai.request.model': event.modelVersion ?? 'unknown',
      'gcp.vertex.agent.invocation_id': event.invocationId,
      'gcp.vertex.agent.session_id': sessionId,
      'gcp.vertex.agent.event_id': event.id,
      'gcp.vertex.agent.llm_response': JSON.stringify({ content: event.content }),
      ...(input === undefined ? {} : { 'gen_ai.usage.input_tokens': input }),
      ...(output === undefined ? {} : { 'gen_ai.usage.output_tokens': output }),
    },
  };
}

function toolSpan(
  event: Event,
  { id = '', name = '', response = {} }: Event['functionResponses'][number],
  events: readonly Event[],
  place: Place,
): AdkSpan {
  const called = events.find(({ functionCalls }) => functionCalls.some((call) => call.id === id));
  const { args = {} } = called?.functionCalls.find((call) => call.id === id) ?? {};
  return {
    ...{ name: `execute_tool ${name}`, span_id: hex(composedKey(event.id, id), 16), ...place },
    ...timesOf(called ?? event, event),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gcp.vertex.agent.event_id': event.id,
      'gcp.vertex.agent.tool_call_args': JSON.stringify(args),
      'gcp.vertex.agent.tool_response': JSON.stringify(response),
    },
  };
}

function timesOf(first: Event, last: Event): Pick<AdkSpan, 'start_time' | 'end_time'> {
  return { start_time: Math.round(first.timestamp * 1e9), end_time: Math.round(last.timestamp * 1e9) };
}

/** An id that is the same each time. */
function hex(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
