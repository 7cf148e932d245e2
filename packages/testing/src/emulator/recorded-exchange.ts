import type { GeminiStep } from './gemini-step.js';

/** One request and the answer it got, as some other project recorded them. */
export interface RecordedExchange {
  /** Absent if only the answer was recorded. */
  readonly request?: RecordedRequest;
  readonly response: RecordedResponse;
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query, without the host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if it is empty or not JSON. */
  readonly body: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as recorded. */
  readonly body: Buffer;
  /** The bytes are server-sent events. */
  readonly stream: boolean;
}

/** Those say how the recorded connection carried the bytes, which is not how this one does. */
const OF_THE_CONNECTION = new Set(['connection', 'content-encoding', 'content-length', 'transfer-encoding']);

/** The recorded answer, byte for byte. */
export function plays({ response }: RecordedExchange): GeminiStep {
  const headers = Object.entries(response.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return {
    kind: 'bytes',
    status: response.status,
    headers: Object.fromEntries(headers),
    body: response.body,
  };
}
