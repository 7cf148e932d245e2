import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk';

/** Updates of a task for one reader, in the shape of its protocol. */
export interface UpdateStream {
  readonly updates: AsyncIterator<object, void, undefined>;
  /** Aborted when the reader leaves. The task goes on without it. */
  readonly left: AbortController;
  /** A fault as the body of an answer, and as the last event of a stream that has begun. */
  readonly failed: (error: unknown) => StreamFault;
  /** True if a fault before the first update is told as an event, too. */
  readonly alwaysStreams?: boolean;
}

/** A fault of a stream in the shape of its protocol. */
export interface StreamFault {
  readonly status: number;
  readonly body: object;
}

/** Streams of server-sent events, of which each user reads a limited number at a time. */
export class EventStreams {
  private readonly counts = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Answers with a stream. A fault before the first update is a plain answer. Undefined if the user reads too many. */
  async open(userId: string, stream: UpdateStream): Promise<Response | undefined> {
    const count = this.counts.get(userId) ?? 0;
    if (count >= this.limit) {
      stream.left.abort();
      return undefined;
    }
    // Counted from here on: many requests may wait for their first updates.
    this.counts.set(userId, count + 1);
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      const others = (this.counts.get(userId) ?? 1) - 1;
      if (others === 0) this.counts.delete(userId);
      else this.counts.set(userId, others);
    };
    try {
      const first = await stream.updates.next();
      return streamed(bodyOf(first, stream, end));
    } catch (error) {
      end();
      const { status, body } = stream.failed(error);
      if (stream.alwaysStreams === true) return streamed(formatSSEErrorEvent(body));
      return Response.json(body, { status });
    }
  }
}

function streamed(body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: SSE_HEADERS });
}

function bodyOf(
  first: IteratorResult<object, void>,
  { updates, left, failed }: UpdateStream,
  end: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<object, void> | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      try {
        const step = next ?? (await updates.next());
        next = undefined;
        if (step.done !== true) {
          controller.enqueue(encoder.encode(formatSSEEvent(step.value)));
          return;
        }
      } catch (error) {
        controller.enqueue(encoder.encode(formatSSEErrorEvent(failed(error).body)));
      }
      end();
      controller.close();
    },
    cancel() {
      left.abort();
      end();
    },
  });
}
