import type { EventType, Interrupt } from '@ag-ui/core';
import type { Event } from '@adorn/core';
import { isReadWithin, type PendingRequestData } from '@adorn/core/backend';

import type { EndFrame, Frame } from '../frames/frame.js';
import { serverSentEvent } from '../frames/server-sent-event.js';
import { endFrame, toWire } from '../frames/to-wire.js';
import { argumentsForPage, isPageCall } from '../page-tools/page-results.js';
import type { RunItem } from '../runs/run-reader.js';
import { mcpAppsActivity } from './mcp-apps.js';

/** An event of AG-UI. */
type AgUiEvent = Readonly<Record<string, unknown>> & { readonly type: `${EventType}` };

/** The run that a client of AG-UI asked for. */
export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
  /** The state of the session before the run. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The names of the tools that the page runs itself. Default: none. */
  readonly pageTools?: ReadonlySet<string>;
  /** True for a client of the protocol before 1.0, which knows no outcome but an interrupt. Default: false. */
  readonly isBefore1?: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Writes the items of a run as events of AG-UI 1.0, or for a client of an earlier one. Requests to a person are the interrupts of the
 * outcome, which the next run answers by `resume`.
 */
export class AgUiEncoder {
  private hasStarted = false;
  /** The message that is being streamed, by the kind and the path of its agent. */
  private readonly open = new Map<string, string>();
  private readonly waiting = new Set<string>();
  /** The arguments of calls for the page, by their ids. */
  private readonly pageCalls = new Map<string, object>();
  /** The arguments of the other calls, by their ids. */
  private readonly args = new Map<string, object>();

  constructor(private readonly run: AgUiRun) {}

  readonly encode = (item: RunItem): string => {
    const events = [...this.start()];
    if (item.kind === 'event') events.push(...this.eventsOfEvent(item.event));
    else events.push(...this.closeAll(), ...this.endEvents(endFrame(item.ending)));
    return events.map((event) => serverSentEvent(event)).join('');
  };

  /** A message that the run has read meanwhile is in the thread of who has sent it; others are told. */
  private *eventsOfEvent(event: Event): Generator<AgUiEvent> {
    if (isReadWithin(event)) {
      yield* this.closeAll();
      yield { type: 'CUSTOM', name: 'message', value: { id: event.id, text: event.text } };
    } else for (const frame of toWire(event)) yield* this.eventsOf(frame);
  }

  private *start(): Generator<AgUiEvent> {
    if (this.hasStarted) return;
    this.hasStarted = true;
    const { threadId, runId, state } = this.run;
    yield { type: 'RUN_STARTED', threadId, runId };
    yield { type: 'STATE_SNAPSHOT', snapshot: state };
  }

  private *eventsOf(frame: Frame): Generator<AgUiEvent> {
    switch (frame.kind) {
      case 'text':
        yield* this.textEvents(frame);
        break;
      case 'call':
        if (frame.partial === true || this.isOfPage(frame.tool)) break;
        this.args.set(frame.id, frame.args);
        yield* this.callEvents(frame);
        break;
      case 'result':
        if (this.isOfPage(frame.tool)) this.pageCalls.set(frame.id, argumentsForPage(frame.response) ?? {});
        if (this.waiting.has(frame.id) || this.isOfPage(frame.tool)) break;
        yield {
          ...{ type: 'TOOL_CALL_RESULT', messageId: `${frame.eventId}-${frame.id}`, toolCallId: frame.id },
          ...{ role: 'tool', content: JSON.stringify(frame.response) },
        };
        yield* this.activityEvents(frame);
        break;
      case 'request': {
        const { request } = frame;
        const { functionCallId: id, tool } = request;
        const args = this.pageCalls.get(id) ?? {};
        this.waiting.add(id);
        // A page runs what it is told of: so it is told when the call has passed the gates.
        if (isPageCall(request, this.pageTools)) yield* this.callEvents({ id, tool, args });
        break;
      }
      case 'state':
        yield* stateEvents(frame);
        break;
      default:
    }
  }

  private *callEvents({ id, tool, args }: { id: string; tool: string; args: object }): Generator<AgUiEvent> {
    yield* this.closeAll();
    yield { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: tool };
    yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: JSON.stringify(args) };
    yield { type: 'TOOL_CALL_END', toolCallId: id };
  }

  /** The page of the call (MCP Apps), as an activity. */
  private *activityEvents(frame: Extract<Frame, { kind: 'result' }>): Generator<AgUiEvent> {
    const activity = mcpAppsActivity(frame, this.args.get(frame.id) ?? {});
    if (!activity) return;
    const { id: messageId, ...shown } = activity;
    yield { type: 'ACTIVITY_SNAPSHOT', messageId, ...shown, replace: true };
  }

  private get pageTools(): ReadonlySet<string> {
    return this.run.pageTools ?? NONE;
  }

  private isOfPage(tool: string): boolean {
    return this.pageTools.has(tool);
  }

  /** Pieces open a message; the whole text closes it, or is a message of its own if there were no pieces. */
  private *textEvents(frame: Extract<Frame, { kind: 'text' }>): Generator<AgUiEvent> {
    if (frame.author === 'user' || frame.text === '') return;
    const kind = frame.thought === true ? 'REASONING' : 'TEXT';
    const key = `${kind} ${frame.path ?? ''}`;
    const opened = this.open.get(key);
    const messageId = opened ?? `${frame.eventId}-${kind.toLowerCase()}`;
    if (opened === undefined) yield* startEvents(kind, messageId);
    if (opened === undefined || frame.partial === true)
      yield { type: `${kind}_MESSAGE_CONTENT`, messageId, delta: frame.text };
    if (frame.partial === true) {
      this.open.set(key, messageId);
      return;
    }
    this.open.delete(key);
    yield* endEvents(kind, messageId);
  }

  private *closeAll(): Generator<AgUiEvent> {
    for (const [key, messageId] of this.open)
      yield* endEvents(key.startsWith('TEXT') ? 'TEXT' : 'REASONING', messageId);
    this.open.clear();
  }

  private *endEvents({ status, error, pending, output, text }: EndFrame): Generator<AgUiEvent> {
    const { threadId, runId } = this.run;
    if (status === 'failed') {
      yield { type: 'RUN_ERROR', message: error?.message ?? 'The run failed.', code: error?.code };
      return;
    }
    const outcome = this.outcomeOf(status, pending);
    yield { type: 'RUN_FINISHED', threadId, runId, result: output ?? text, outcome };
  }

  /** Clients before 1.0 refuse other outcomes than these two, and take a success for one without calls of the page. */
  private outcomeOf(status: EndFrame['status'], pending: EndFrame['pending']) {
    const asked = pending.filter((request) => !isPageCall(request, this.pageTools));
    if (status === 'paused' && asked.length > 0)
      return { type: 'interrupt', interrupts: asked.map(interruptOf) };
    if (this.run.isBefore1 === true) return undefined;
    if (status === 'cancelled') return { type: 'cancelled' };
    return { type: 'success', pendingToolCallIds: pending.map(({ functionCallId }) => functionCallId) };
  }
}

type MessageKind = 'TEXT' | 'REASONING';

function* startEvents(kind: MessageKind, messageId: string): Generator<AgUiEvent> {
  if (kind === 'REASONING') yield { type: 'REASONING_START', messageId };
  yield { type: `${kind}_MESSAGE_START`, messageId, role: kind === 'TEXT' ? 'assistant' : 'reasoning' };
}

function* endEvents(kind: MessageKind, messageId: string): Generator<AgUiEvent> {
  yield { type: `${kind}_MESSAGE_END`, messageId };
  if (kind === 'REASONING') yield { type: 'REASONING_END', messageId };
}

/** What an event changed, as a JSON Patch of the session's state. */
function* stateEvents({
  stateDelta,
  artifactDelta,
  transferToAgent,
}: Extract<Frame, { kind: 'state' }>): Generator<AgUiEvent> {
  const delta = Object.entries(stateDelta).map(([key, value]) => {
    const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { op: 'add', path, value };
  });
  if (delta.length > 0) yield { type: 'STATE_DELTA', delta };
  if (transferToAgent !== undefined)
    yield { type: 'CUSTOM', name: 'transferToAgent', value: transferToAgent };
  if (Object.keys(artifactDelta).length > 0)
    yield { type: 'CUSTOM', name: 'artifactDelta', value: artifactDelta };
}

const DECISION = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    reason: { type: 'string', description: 'Why it is refused.' },
    args: { type: 'object', description: 'Other arguments for the call.' },
  },
  required: ['approved'],
};

/** A pending request as an interrupt of AG-UI. */
export function interruptOf(request: PendingRequestData): Interrupt {
  const { kind, id, hint: message, functionCallId: toolCallId, schema, tool, args, authConfig } = request;
  const responseSchema = kind === 'confirmation' ? DECISION : schema;
  return { id, reason: kind, message, toolCallId, responseSchema, metadata: { tool, args, authConfig } };
}
