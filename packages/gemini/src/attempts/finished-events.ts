import { EventMarker } from './event-marker.js';

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
