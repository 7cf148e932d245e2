import type { EventSink, ToolCall } from './tool-call.js';
import { asResponse } from './completion.js';
import { toJsonValue } from '../json/json-value.js';
import { ReaderWait } from '../policies/reader-wait.js';

/** An async generator on its way. */
export type Progressing = AsyncIterator<unknown, unknown> & AsyncIterable<unknown>;

/** Whether a tool answered with a generator: what it yields is progress, what it returns is the result. */
export function isProgressing(result: unknown): result is Progressing {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result && 'next' in result;
}

/** Passes on what a generator yields and gives what it returns; one that returns nothing gives the list of its yields. */
export async function lastOf(running: Progressing, call: ToolCall, sink: EventSink): Promise<unknown> {
  const yielded: unknown[] = [];
  const { signal } = call.context;
  const stop = (): void => {
    // Within a listener nothing may throw: it would end the process.
    try {
      Promise.resolve(running.return?.(undefined)).catch(() => undefined);
    } catch {
      // A generator that cannot be stopped is left behind.
    }
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await running.next();
      if (done === true) return value === undefined ? yielded : value;
      if (signal.aborted) continue;
      yielded.push(value);
      const readerWait = (call.readerWait ??= new ReaderWait());
      await readerWait.until(sink.emit(progressEvent(call, value)));
    }
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function progressEvent({ id, entry, agent, invocation }: ToolCall, value: unknown) {
  const functionResponse = {
    id,
    name: entry.tool.name,
    response: asResponse(toJsonValue(value, 'digits')),
    willContinue: true,
  };
  return invocation.event({
    author: agent.name,
    content: { role: 'user', parts: [{ functionResponse }] },
    partial: true,
  });
}
