import type { GeminiAnswer } from '../gemini-step.js';

/** What a request asks for. */
export interface WireTarget {
  readonly apiVersion: string;
  readonly model: string;
  readonly stream: boolean;
}

/** An API of a model provider over HTTP: how answers of a script, which are in Gemini's JSON, look in it. */
export interface Wire {
  /** The paths that it serves, for error messages. */
  readonly paths: string;
  /** The start of a chunk or an answer that breaks off. */
  readonly half: string;
  /** What a request asks for; undefined for a path that is not of this API. */
  read(path: string, body: Readonly<Record<string, unknown>>): WireTarget | undefined;
  /** The JSON of a whole answer. */
  whole(answer: GeminiAnswer): GeminiAnswer;
  /**
   * The server-sent events of a stream, each with its end.
   *
   * @param isComplete false if the connection is torn down after them
   */
  events(chunks: readonly GeminiAnswer[], isComplete: boolean): string[];
  /** The body of a failure. @param body the failure in Google's words */
  failure(status: number, body: Uint8Array): Uint8Array;
}

/** Reads requests of an API whose path is `/{version}/` and a name, and whose body says the rest. */
export function targetAt(name: string): Wire['read'] {
  const form = new RegExp(`^/+([^/]+)/${name}(?:\\?|$)`);
  return (path, { model, stream }) => {
    const found = form.exec(path);
    if (found === null) return undefined;
    return { apiVersion: found[1] ?? '', model: String(model), stream: stream === true };
  };
}
