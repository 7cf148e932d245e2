import { Boundary } from '@adorn/core/backend';
import type { Transport } from '@modelcontextprotocol/client';

import { UNANSWERED } from './server-failure.js';

type Message = Parameters<Transport['send']>[0];
type RequestId = Extract<Message, { readonly method: string; readonly id: unknown }>['id'];

/** The requests that a server has not answered. One that it never will answer fails at once, not at its time limit. */
export class UnansweredRequests {
  private readonly waiting = new Set<RequestId>();

  /** @param transport is told of by the streams of its requests; before a client is connected to it */
  constructor(private readonly transport: Transport) {
    const send = transport.send.bind(transport);
    const boundary = new Boundary(() => void transport.close());
    transport.onmessage = boundary.guard((message: Message) => {
      if (!('method' in message) && message.id !== undefined) this.waiting.delete(message.id);
    });
    transport.send = (message, options) => {
      if (!('method' in message && 'id' in message)) return send(message, options);
      const { id } = message;
      this.waiting.add(id);
      const onRequestStreamEnd = (): void => {
        options?.onRequestStreamEnd?.();
        this.fail(id, 'its stream ended without an answer');
      };
      return send(message, { ...options, onRequestStreamEnd });
    };
  }

  /** Fails a request of this id, if there is one without an answer. */
  fail(id: unknown, reason: string): void {
    const waiting = [...this.waiting].find((one) => one === id);
    if (waiting === undefined) return;
    const error = { code: UNANSWERED, message: reason };
    this.transport.onmessage?.({ jsonrpc: '2.0', id: waiting, error });
  }
}

/** The id of the request that a line answers with what is neither a result nor an error; undefined for any other line. */
export function unusableAnswer(line: string): unknown {
  try {
    const { id, method, result, error } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const isAnswer = method === undefined && id !== undefined;
    return isAnswer && !isObject(result) && !isObject(error) ? id : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
