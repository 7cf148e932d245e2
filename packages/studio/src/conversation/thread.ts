import type { AnswerFrame, CallFrame, Frame, RequestFrame, ResultFrame } from '@adorn/server/client';

/** A text of the user or an agent. */
export interface MessageItem {
  readonly kind: 'message';
  readonly key: string;
  readonly author: string;
  readonly text: string;
  readonly isThought: boolean;
  readonly isStreaming: boolean;
  readonly timestamp: number;
  readonly eventId: string;
}

/** A file of the user or an agent. */
export interface FileItem {
  readonly kind: 'file';
  readonly key: string;
  readonly author: string;
  readonly mimeType: string;
  readonly name?: string | undefined;
  readonly data?: string | undefined;
  readonly uri?: string | undefined;
  readonly eventId: string;
}

/** How a call stands. */
export type CallStatus = 'running' | 'waiting' | 'done' | 'refused' | 'failed';

/** A call with its result, the request that it waits for, and the answer of a person. */
export interface CallItem {
  readonly kind: 'call';
  readonly key: string;
  readonly author: string;
  readonly call: Pick<CallFrame, 'id' | 'tool' | 'args'>;
  readonly status: CallStatus;
  readonly result?: ResultFrame | undefined;
  readonly request?: RequestFrame | undefined;
  readonly answer?: AnswerFrame | undefined;
  /** The ids of the people who have approved it, each once. */
  readonly approvedBy: readonly string[];
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly eventId: string;
}

/** A hand-off to another agent. */
export interface TransferItem {
  readonly kind: 'transfer';
  readonly key: string;
  readonly author: string;
  readonly to: string;
  readonly eventId: string;
}

/** A failure, or a run that was stopped. */
export interface ErrorItem {
  readonly kind: 'error';
  readonly key: string;
  readonly code: string;
  readonly message: string;
  readonly eventId: string;
}

/** One entry of the conversation as a person reads it. */
export type ThreadItem = MessageItem | FileItem | CallItem | TransferItem | ErrorItem;

/** What is gathered of a call while the frames are read. */
interface CallRecord {
  readonly call: CallFrame;
  readonly index: number;
  result?: ResultFrame;
  request?: RequestFrame;
  answer?: AnswerFrame;
  readonly approvedBy: Set<string>;
}

/** Entries of the conversation from its frames, in order. Pieces of a streamed answer are joined until its whole text is there. */
export function threadOf(frames: readonly Frame[], pending: ReadonlySet<string>): ThreadItem[] {
  return new ThreadBuilder(pending).build(frames);
}

class ThreadBuilder {
  private readonly items: ThreadItem[] = [];
  private readonly calls = new Map<string, CallRecord>();
  private readonly callOfRequest = new Map<string, string>();
  private readonly pieces = new Map<string, MessageItem>();
  private users = 0;

  constructor(private readonly pending: ReadonlySet<string>) {}

  build(frames: readonly Frame[]): ThreadItem[] {
    for (const frame of frames) this.add(frame);
    for (const record of this.calls.values()) this.items[record.index] = this.callItem(record);
    return [...this.items.filter((item) => !isHandOver(item)), ...this.pieces.values()];
  }

  private add(frame: Frame): void {
    if (frame.kind === 'end') return;
    const isPartial = 'partial' in frame && frame.partial === true;
    if (isPartial) {
      if (frame.kind === 'text') this.addPiece(frame);
      return;
    }
    this.dropPieces(frame);
    switch (frame.kind) {
      case 'text':
        this.items.push(this.messageOf(frame, false));
        return;
      case 'file':
        this.items.push({ ...frame, kind: 'file', key: this.keyOf(frame) });
        return;
      case 'call':
        this.addCall(frame);
        return;
      case 'result':
        this.addResult(frame);
        return;
      case 'request':
        this.addRequest(frame);
        return;
      case 'answer': {
        const record = this.calls.get(this.callOfRequest.get(frame.id) ?? frame.id);
        if (record) addAnswer(record, frame);
        return;
      }
      case 'state':
        this.addTransfer(frame);
        return;
      case 'error':
        this.items.push({
          kind: 'error',
          key: this.keyOf(frame),
          code: frame.code,
          message: frame.message,
          eventId: frame.eventId ?? '',
        });
    }
  }

  private addPiece(frame: Extract<Frame, { kind: 'text' }>): void {
    const key = `${placeOf(frame)}:${frame.thought === true ? 'thought' : 'text'}`;
    const before = this.pieces.get(key);
    const item = this.messageOf(frame, true);
    this.pieces.set(key, before ? { ...before, text: before.text + frame.text } : item);
  }

  private dropPieces(frame: Frame): void {
    const place = placeOf(frame);
    for (const key of this.pieces.keys()) if (key.startsWith(`${place}:`)) this.pieces.delete(key);
  }

  private messageOf(frame: Extract<Frame, { kind: 'text' }>, isStreaming: boolean): MessageItem {
    const { author, text, timestamp, eventId } = frame;
    const key = author === 'user' ? `user-${String(this.users++)}` : this.keyOf(frame);
    return {
      kind: 'message',
      key,
      author,
      text,
      isThought: frame.thought === true,
      isStreaming,
      timestamp,
      eventId,
    };
  }

  /** The same for the pieces of an answer and for the whole one, so that its element stays. */
  private keyOf({ kind }: Frame): string {
    return `${kind}-${String(this.items.length)}`;
  }

  private addCall(call: CallFrame): void {
    const record: CallRecord = { call, index: this.items.length, approvedBy: new Set() };
    this.calls.set(call.id, record);
    this.items.push(this.callItem(record));
  }

  private addResult(result: ResultFrame): void {
    const record = this.calls.get(result.id);
    if (record) record.result = result;
  }

  private addRequest(frame: RequestFrame): void {
    const { id, functionCallId, tool, args } = frame.request;
    this.callOfRequest.set(id, functionCallId);
    const known = this.calls.get(functionCallId);
    if (known) {
      known.request = frame;
      return;
    }
    const call: CallFrame = { ...frame, kind: 'call', id: functionCallId, tool, args };
    this.addCall(call);
    const record = this.calls.get(functionCallId);
    if (record) record.request = frame;
  }

  private addTransfer({ transferToAgent: to, author, eventId }: Extract<Frame, { kind: 'state' }>): void {
    if (to !== undefined)
      this.items.push({ kind: 'transfer', key: `to-${String(this.items.length)}`, author, to, eventId });
  }

  private callItem({ call, result, request, answer, approvedBy }: CallRecord): CallItem {
    const isWaiting = request !== undefined && this.pending.has(request.request.id);
    const status = isWaiting ? 'waiting' : statusOf(result, request, answer);
    const { author, timestamp: startedAt, eventId } = call;
    return {
      ...{
        kind: 'call',
        key: `call-${call.id}`,
        author,
        call,
        status,
        result,
        request,
        answer,
        approvedBy: [...approvedBy],
        startedAt,
        eventId,
      },
      endedAt: isWaiting ? undefined : result?.timestamp,
    };
  }
}

function addAnswer(record: CallRecord, answer: AnswerFrame): void {
  record.answer = answer;
  const { confirmed, by } = answer.response;
  if (confirmed === true && typeof by === 'string') record.approvedBy.add(by);
}

/** A call that handed over is told by the entry of the hand-over. */
function isHandOver(item: ThreadItem): boolean {
  return item.kind === 'call' && item.call.tool === 'transfer_to_agent' && item.status === 'done';
}

function statusOf(result?: ResultFrame, request?: RequestFrame, answer?: AnswerFrame): CallStatus {
  if (answer?.response['confirmed'] === false) return 'refused';
  if (!result || result.willContinue === true) return 'running';
  if (request && !answer && request.timestamp >= result.timestamp) return 'refused';
  return errorOf(result) === undefined ? 'done' : 'failed';
}

/** The error of a result, if it is one. */
export function errorOf(result: ResultFrame | undefined): string | undefined {
  const error = result?.response['error'];
  if (error === undefined || error === null || error === '') return undefined;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function placeOf(frame: Frame): string {
  if (frame.kind === 'end') return '';
  return JSON.stringify([frame.author, frame.path, frame.scope]);
}
