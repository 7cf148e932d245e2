const BLANK_LINE = new TextEncoder().encode('\n\n');

/**
 * The same response with a blank line after its last byte: a server that ends its last event without one has still
 * said it, and @google/genai would refuse it. `onBytes` is called whenever some have come.
 */
export function withFinishedEvents(response: Response, onBytes: () => void): Response {
  if (response.body === null) return response;
  const marker = new EventMarker();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        onBytes();
        controller.enqueue(done ? BLANK_LINE : marker.mark(value));
        if (done) controller.close();
      },
      cancel: (reason: unknown) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

const MARK = new TextEncoder().encode('data: ');
const OPENING_BRACE = 0x7b;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/**
 * Marks what stands in a stream of events as bare JSON, which is how Google says that it failed in the middle of one:
 * @google/genai passes over everything that is not marked as data, and would take what came before for the whole.
 */
export class EventMarker {
  /** Newlines since the last byte that says something: an event begins after two, and at the very start. */
  private newlines = 2;

  mark(bytes: Uint8Array): Uint8Array {
    const start = bytes.findIndex((byte) => this.isBareStart(byte));
    if (start === -1) return bytes;
    const rest = this.mark(bytes.subarray(start + 1));
    return Buffer.concat([bytes.subarray(0, start), MARK, bytes.subarray(start, start + 1), rest]);
  }

  private isBareStart(byte: number): boolean {
    const isEventStart = this.newlines >= 2;
    if (byte === NEWLINE) this.newlines += 1;
    else if (byte > SPACE) this.newlines = 0;
    return isEventStart && byte === OPENING_BRACE;
  }
}
