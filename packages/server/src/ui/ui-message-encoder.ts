import type { Event } from '@adorn/core';
import { isReadWithin, type PendingRequestData } from '@adorn/core/backend';

import type { Frame } from '../frames/frame.js';
import { DONE_EVENT, serverSentEvent } from '../frames/server-sent-event.js';
import { endFrame, toWire } from '../frames/to-wire.js';
import { argumentsForPage, isPageCall } from '../page-tools/page-results.js';
import type { RunItem } from '../runs/run-reader.js';
import { toolMetadata } from './mcp-apps.js';
import { approvalDescriptor, type UiMessage } from './ui-message-history.js';
import { type Chunk, replayed } from './ui-message-replay.js';

/** The headers of a UI message stream. */
export const UI_MESSAGE_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' };

/**
 * Writes the items of a run as a UI message stream (AI SDK, "stream protocol v1"): texts and thoughts with their pieces, calls
 * and results as dynamic tools, confirmations as approval requests, other requests as data parts `data-request`, errors as
 * `data-error`, messages that the run has read meanwhile as `data-message`.
 */
export class UiMessageEncoder {
  private hasStarted = false;
  private isInStep = false;
  /** The blocks that are being streamed, by the kind and the path of their agent. */
  private readonly open = new Map<string, string>();
  private readonly waiting = new Set<string>();
  /** The arguments of calls for the page, by their ids. */
  private readonly pageCalls = new Map<string, object>();
  private blocks = 0;

  /**
   * @param denied the ids of calls that the answers of this request refuse
   * @param pageTools the names of the tools that the page runs itself
   * @param begun the message that the run goes on with, for a page that has nothing of it; `new` for a message of its own, whose
   *   id is then that of its first event, as in the history. Default: the page has it, under an id of its own
   */
  constructor(
    private readonly denied: ReadonlySet<string> = new Set(),
    private readonly pageTools: ReadonlySet<string> = new Set(),
    private readonly begun?: UiMessage | 'new',
  ) {}

  readonly encode = (item: RunItem): string => {
    const chunks = [...this.start(item)];
    if (item.kind === 'event') chunks.push(...this.eventChunks(item.event));
    else chunks.push(...this.chunksOf(endFrame(item.ending)));
    const text = chunks.map((chunk) => serverSentEvent(chunk)).join('');
    return item.kind === 'end' ? text + DONE_EVENT : text;
  };

  /** A message that the run has read meanwhile is a part that says so: the stream is a message of the assistant. */
  private *eventChunks(event: Event): Generator<Chunk> {
    if (isReadWithin(event)) {
      yield* this.endStep();
      yield { type: 'data-message', id: event.id, data: { text: event.text } };
    } else for (const frame of toWire(event)) yield* this.chunksOf(frame);
  }

  private *start(item: RunItem): Generator<Chunk> {
    if (this.hasStarted) return;
    this.hasStarted = true;
    if (typeof this.begun === 'object') yield* replayed(this.begun);
    else {
      const isNew = this.begun === 'new' && item.kind === 'event' && item.event.content !== undefined;
      yield isNew ? { type: 'start', messageId: item.event.id } : { type: 'start' };
    }
  }

  private *chunksOf(frame: Frame): Generator<Chunk> {
    switch (frame.kind) {
      case 'text':
        yield* this.textChunks(frame);
        break;
      case 'file':
        if (frame.partial === true) break;
        yield* this.step();
        yield {
          type: 'file',
          mediaType: frame.mimeType,
          url: frame.uri ?? `data:${frame.mimeType};base64,${frame.data ?? ''}`,
        };
        break;
      case 'call':
        if (frame.partial === true || this.pageTools.has(frame.tool)) break;
        yield* this.callChunks(frame);
        break;
      case 'result':
        yield* this.resultChunks(frame);
        break;
      case 'request':
        yield* this.requestChunks(frame.request);
        break;
      case 'state': {
        const { stateDelta, artifactDelta, transferToAgent } = frame;
        yield { type: 'data-state', data: { stateDelta, artifactDelta, transferToAgent }, transient: true };
        break;
      }
      case 'error':
        yield { type: 'data-error', data: { code: frame.code, message: frame.message } };
        break;
      case 'end':
        yield* this.endStep();
        if (frame.status === 'failed')
          yield { type: 'error', errorText: frame.error?.message ?? 'The run failed.' };
        yield frame.status === 'cancelled' ? { type: 'abort' } : { type: 'finish' };
        break;
      default:
    }
  }

  private *callChunks({ id, tool, args }: { id: string; tool: string; args: object }): Generator<Chunk> {
    yield* this.step();
    yield { type: 'tool-input-available', toolCallId: id, toolName: tool, input: args, dynamic: true };
  }

  /** A page runs what it is told of: so it is told when the call has passed the gates. */
  private *requestChunks(request: PendingRequestData): Generator<Chunk> {
    const { id, kind, functionCallId, tool, hint: reason } = request;
    const args = this.pageCalls.get(functionCallId) ?? {};
    this.waiting.add(functionCallId);
    if (isPageCall(request, this.pageTools)) yield* this.callChunks({ id: functionCallId, tool, args });
    else if (kind === 'confirmation' && !this.pageTools.has(tool))
      yield {
        ...{ type: 'tool-approval-request', approvalId: id, toolCallId: functionCallId, reason },
        approvalDescriptor: approvalDescriptor(request),
      };
    else yield { type: 'data-request', id, data: request };
  }

  /** Pieces open a block; the whole text closes it, or is a block of its own if there were no pieces. */
  private *textChunks(frame: Extract<Frame, { kind: 'text' }>): Generator<Chunk> {
    if (frame.author === 'user') return;
    const kind = frame.thought === true ? 'reasoning' : 'text';
    const key = `${kind} ${frame.path ?? ''}`;
    yield* this.step();
    const opened = this.open.get(key);
    const id = opened ?? `${kind}-${String(++this.blocks)}`;
    if (opened === undefined) yield { type: `${kind}-start`, id };
    if (opened === undefined || frame.partial === true)
      yield { type: `${kind}-delta`, id, delta: frame.text };
    if (frame.partial === true) {
      this.open.set(key, id);
      return;
    }
    this.open.delete(key);
    yield { type: `${kind}-end`, id };
  }

  /** A call that waits for a person has a result that says so, which its part in the message tells better. */
  private *resultChunks({
    id: toolCallId,
    tool,
    response,
    ui,
  }: Extract<Frame, { kind: 'result' }>): Generator<Chunk> {
    if (this.pageTools.has(tool)) this.pageCalls.set(toolCallId, argumentsForPage(response) ?? {});
    if (this.waiting.has(toolCallId) || this.pageTools.has(tool)) return;
    if (this.denied.has(toolCallId)) yield { type: 'tool-output-denied', toolCallId };
    else if (typeof response['error'] === 'string')
      yield { type: 'tool-output-error', toolCallId, errorText: response['error'] };
    else {
      const metadata = toolMetadata({ ui });
      const chunk = { type: 'tool-output-available', toolCallId, output: response, dynamic: true };
      yield metadata ? { ...chunk, toolMetadata: metadata } : chunk;
    }
    yield* this.endStep();
  }

  private *step(): Generator<Chunk> {
    if (this.isInStep) return;
    this.isInStep = true;
    yield { type: 'start-step' };
  }

  private *endStep(): Generator<Chunk> {
    for (const [key, id] of this.open) yield { type: `${key.split(' ', 1)[0] ?? 'text'}-end`, id };
    this.open.clear();
    if (!this.isInStep) return;
    this.isInStep = false;
    yield { type: 'finish-step' };
  }
}
