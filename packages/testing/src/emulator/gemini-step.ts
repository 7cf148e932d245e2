/** A `GenerateContentResponse` as it travels: the JSON of a whole answer, or of one chunk of a streamed one. */
export type GeminiAnswer = Readonly<Record<string, unknown>>;

/**
 * The reaction of the emulator to one request, created by `saysText`, `callsFunctions`, `failsWith` and
 * others.
 */
export type GeminiStep =
  /** A whole answer; asked for a stream, it is sent in pieces. */
  | { readonly kind: 'answer'; readonly answer: GeminiAnswer }
  /** The chunks of a streamed answer; asked for a whole one, they are joined. */
  | { readonly kind: 'chunks'; readonly chunks: readonly GeminiAnswer[] }
  /** These bytes and no others, however they were asked for. */
  | {
      readonly kind: 'bytes';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  /** Status 200 and this text in place of JSON. */
  | { readonly kind: 'malformed'; readonly text: string }
  /** The connection is torn down before a byte of the answer. */
  | { readonly kind: 'reset' }
  /** The whole chunks, then half of one more, then the connection is torn down. */
  | { readonly kind: 'cut'; readonly chunks: readonly GeminiAnswer[] }
  /** The server never answers. */
  | { readonly kind: 'silence' }
  /** The step, after `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly ms: number; readonly step: GeminiStep };
