import { EventStreamReader, type StreamEvent } from './event-stream.js';

/**
 * The same response in the one form of events that @google/genai reads without loss: a line of data and a blank line.
 * Events that say nothing, such as those that keep a connection open, are left out. `onProgress` is called for each event
 * of the model.
 */
export function withFinishedEvents(response: Response, onProgress: () => void): Response {
  if (response.body === null) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const rewriter = new EventRewriter(onProgress);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let text = ''; text === '';) {
          const { done, value } = await reader.read();
          text = done ? rewriter.end() : rewriter.rewrite(value);
          if (text !== '') controller.enqueue(ENCODER.encode(text));
          if (!done) continue;
          controller.close();
          return;
        }
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

const ENCODER = new TextEncoder();

/** Rewrites the bytes of a stream of events. */
class EventRewriter {
  private readonly reader = new EventStreamReader();
  private hasEvents = false;

  constructor(private readonly onProgress: () => void) {}

  rewrite(bytes: Uint8Array): string {
    return this.write(this.reader.read(bytes));
  }

  /** A body that is no stream of events is passed on as one event, which is not JSON. */
  end(): string {
    const text = this.write(this.reader.end());
    const { strayLine } = this.reader;
    return this.hasEvents || strayLine === undefined ? text : `${text}data: ${strayLine}\n\n`;
  }

  private write(events: readonly StreamEvent[]): string {
    let text = '';
    for (const event of events) {
      this.hasEvents = true;
      const data = dataOf(event);
      if (data === undefined) continue;
      if (data.isOfModel) this.onProgress();
      // A line break in JSON is only a blank.
      text += `data: ${data.json.replaceAll('\n', ' ')}\n\n`;
    }
    return text;
  }
}

/** The fields of Google's answers. */
const FIELDS = ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId'];

interface EventData {
  readonly json: string;
  /** True for a piece of an answer, and for an error. */
  readonly isOfModel: boolean;
}

/** The data to pass on; undefined for an event that only keeps the connection open. */
function dataOf({ name, data }: StreamEvent): EventData | undefined {
  const text = data.trim();
  if (text === '' || text === '[DONE]') return undefined;
  const value = parsed(text);
  const fields = typeof value === 'object' && value !== null ? value : undefined;
  const { error = name === 'error' ? (value ?? text) : undefined } = (fields ?? {}) as {
    readonly error?: unknown;
  };
  if (error !== undefined && error !== null)
    return { json: JSON.stringify({ error: errorOf(error, text) }), isOfModel: true };
  if (fields && FIELDS.some((field) => field in fields)) return { json: text, isOfModel: true };
  const isNamed = name !== '' && name !== 'message';
  const isIdle = fields ? isNamed || Object.keys(fields).length === 0 : isNamed && !text.startsWith('{');
  return isIdle ? undefined : { json: text, isOfModel: false };
}

/** An error as @google/genai recognises it: with a status of HTTP. */
function errorOf(error: unknown, text: string): object {
  const message = typeof error === 'string' ? error : text;
  const given: { readonly code?: unknown } =
    typeof error === 'object' && error !== null ? error : { message };
  const code = Number(given.code);
  return { ...given, code: code >= 400 && code < 600 ? code : 500 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
