/** A function with the signature of `fetch`. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A message of a server is larger than allowed. */
class MessageTooLargeError extends Error {
  constructor(limit: number) {
    super(`the server sent a message of more than ${String(limit)} bytes`);
  }
}

/**
 * A `fetch` for one server: redirects fail, and so does a message of more than `limit` bytes: a whole body, or one event of
 * a stream.
 */
export function boundedFetch(
  limit: number,
  headersOf: () => Readonly<Record<string, string>> = () => ({}),
): Fetch {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headersOf())) headers.set(name, value);
    const response = await fetch(url, { ...init, headers, redirect: 'error' });
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const body = response.body.pipeThrough(isStream ? limitedEvents(limit) : limitedBody(limit));
    const bounded = new Response(body, response);
    Object.defineProperty(bounded, 'url', { value: response.url });
    return bounded;
  };
}

function limitedBody(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size > limit) controller.error(new MessageTooLargeError(limit));
      else controller.enqueue(chunk);
    },
  });
}

const LINE_FEED = 10;
const RETURN = 13;

/** An empty line ends an event, and the count begins anew. */
function limitedEvents(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const byte of chunk) {
        if (byte === LINE_FEED) {
          size = isLineEmpty ? 0 : size + 1;
          isLineEmpty = true;
        } else {
          size++;
          if (byte !== RETURN) isLineEmpty = false;
        }
        if (size > limit) {
          controller.error(new MessageTooLargeError(limit));
          return;
        }
      }
      controller.enqueue(chunk);
    },
  });
}
