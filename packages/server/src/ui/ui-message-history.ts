import { type PendingRequestData, present } from '@adorn/core/backend';

import type { Frame } from '../frames/frame.js';
import { argumentsForPage } from '../page-tools/page-results.js';
import type { Conversation } from './conversation.js';
import { toolMetadata } from './mcp-apps.js';

type Fields = Record<string, unknown>;

/** A message of `useChat`. */
export interface UiMessage {
  /** The id of the event that began the message. */
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly parts: Fields[];
}

/**
 * The messages of a conversation as `useChat` would have collected them, for its option `messages`. Confirmations that wait
 * are approval requests, other requests that wait are parts `data-request`, errors parts `data-error`.
 */
export function uiMessages({ frames, pending }: Conversation): UiMessage[] {
  const history = new UiMessageHistory(new Set(pending.map(({ id }) => id)));
  for (const frame of frames) history.add(frame);
  return history.messages;
}

/** What a page knows of a confirmation: the question, and who may answer it. A page has it as `approval.descriptor`. */
export function approvalDescriptor({
  hint,
  approvers,
}: PendingRequestData): Pick<PendingRequestData, 'hint' | 'approvers'> {
  return present({ hint, approvers });
}

/** The calls that a person has refused. */
export function deniedCalls(messages: readonly UiMessage[]): Set<string> {
  const parts = messages.flatMap((message) => message.parts);
  return new Set(parts.filter(isDenied).map(({ toolCallId }) => String(toolCallId)));
}

class UiMessageHistory {
  readonly messages: UiMessage[] = [];
  private readonly calls = new Map<string, Fields>();
  private readonly approvals = new Map<string, Fields>();
  /** The calls that the page runs. */
  private readonly ofPage = new Set<string>();
  private isInStep = false;

  constructor(private readonly pending: ReadonlySet<string>) {}

  add(frame: Frame): void {
    switch (frame.kind) {
      case 'text': {
        const type = frame.thought === true ? 'reasoning' : 'text';
        this.place(frame).push({ type, text: frame.text, state: 'done' });
        break;
      }
      case 'file': {
        const { mimeType: mediaType, uri, data = '', name: filename } = frame;
        const url = uri ?? `data:${mediaType};base64,${data}`;
        this.place(frame).push({ type: 'file', mediaType, url, filename });
        break;
      }
      case 'call': {
        const { id: toolCallId, tool: toolName, args: input } = frame;
        const part = { type: 'dynamic-tool', toolName, toolCallId, state: 'input-available', input };
        this.calls.set(toolCallId, part);
        this.place(frame).push(part);
        break;
      }
      case 'result':
        this.settle(frame);
        break;
      case 'request':
        this.ask(frame);
        break;
      case 'answer':
        this.answer(frame);
        break;
      case 'error':
        this.fail(frame);
        break;
      default:
    }
  }

  /** The parts of the message that a frame belongs to: those of the agent are one message until the user writes again. */
  private place({
    author,
    eventId,
  }: Pick<Extract<Frame, { eventId: string }>, 'author' | 'eventId'>): Fields[] {
    const role = author === 'user' ? 'user' : 'assistant';
    const last = this.messages.at(-1);
    const isSame = last?.role === role && (role === 'assistant' || last.id === eventId);
    const message: UiMessage = isSame ? last : { id: eventId, role, parts: [] };
    if (!isSame) {
      this.messages.push(message);
      this.isInStep = false;
    }
    if (role === 'assistant' && !this.isInStep) {
      this.isInStep = true;
      message.parts.push({ type: 'step-start' });
    }
    return message.parts;
  }

  private ask(frame: Extract<Frame, { kind: 'request' }>): void {
    const { request } = frame;
    const { id, kind, functionCallId, hint: reason } = request;
    const part = this.calls.get(functionCallId);
    if (kind === 'confirmation' && part !== undefined) {
      this.approvals.set(id, part);
      const descriptor = approvalDescriptor(request);
      Object.assign(part, { state: 'approval-requested', approval: { id, reason, descriptor } });
    } else if (this.pending.has(id) && !this.ofPage.has(functionCallId)) {
      this.place(frame).push({ type: 'data-request', id, data: request });
    }
  }

  private answer({ id, response }: Extract<Frame, { kind: 'answer' }>): void {
    if (this.ofPage.has(id)) this.settle({ id, response });
    const part = this.approvals.get(id);
    if (part === undefined) return;
    const { confirmed, reason } = response;
    const approval = { id, approved: confirmed === true, reason };
    Object.assign(part, { state: 'approval-responded', approval });
  }

  /** Tells why there is no answer, such as that the run was cancelled. */
  private fail({ code, message, author, eventId }: Extract<Frame, { kind: 'error' }>): void {
    if (author === undefined || eventId === undefined) return;
    this.place({ author, eventId }).push({ type: 'data-error', data: { code, message } });
  }

  /** The first result of a call that waits for a person only says so. */
  private settle({
    id,
    response,
    ui,
  }: Pick<Extract<Frame, { kind: 'result' }>, 'id' | 'response' | 'ui'>): void {
    if (argumentsForPage(response)) {
      this.ofPage.add(id);
      return;
    }
    const part = this.calls.get(id);
    this.isInStep = false;
    if (part === undefined || part['state'] === 'approval-requested') return;
    const { error } = response;
    if (isDenied(part)) part['state'] = 'output-denied';
    else if (typeof error === 'string') Object.assign(part, { state: 'output-error', errorText: error });
    else
      Object.assign(part, {
        ...{ state: 'output-available', output: response },
        ...(ui !== undefined && { toolMetadata: toolMetadata({ ui }) }),
      });
  }
}

function isDenied({ approval }: Fields): boolean {
  return (approval as { approved?: boolean } | undefined)?.approved === false;
}
