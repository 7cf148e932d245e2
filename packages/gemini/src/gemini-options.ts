import type { GeminiLiveOptions } from './live/gemini-live-options.js';

/** Options of a {@link GeminiModel}. Missing options are read from the environment at first use. */
export interface GeminiOptions {
  /** `gemini-2.5-flash` unless said. */
  readonly model?: string;
  /** A key of Google AI Studio, or of Vertex AI in express mode. Else `GOOGLE_API_KEY`, else `GEMINI_API_KEY`. */
  readonly apiKey?: string;
  /** Another host than Google's, such as a gateway: https, or plain http to this machine. Else `GOOGLE_GEMINI_BASE_URL`. */
  readonly baseUrl?: string;
  /** `v1beta`, and `v1beta1` on Vertex AI, unless said. */
  readonly apiVersion?: string;
  /** Use Vertex AI. Else `GOOGLE_GENAI_USE_VERTEXAI`. */
  readonly vertexai?: boolean;
  /** The Google Cloud project, for Vertex AI. Else `GOOGLE_CLOUD_PROJECT`. */
  readonly project?: string;
  /** The region, for Vertex AI. Else `GOOGLE_CLOUD_LOCATION`, else `global`. */
  readonly location?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: GeminiRetryOptions;
  /** Options of spoken conversations. */
  readonly live?: GeminiLiveOptions;
  /**
   * Milliseconds that one attempt may be silent, before its answer and between the chunks of a streamed one;
   * 600,000 (ten minutes) unless said.
   */
  readonly timeout?: number;
}

/**
 * When a request is sent again: after status 429, 500, 502, 503 and 504, a lost connection and a timeout, as long as
 * nothing of the answer was passed on. The wait grows exponentially with full jitter; where Google says how long to
 * wait, that is the wait.
 */
export interface GeminiRetryOptions {
  /** Total number of attempts. Default: 5; 1 disables retries. */
  readonly attempts?: number;
  /** The longest wait before the second attempt, in milliseconds; 1,000 unless said. It doubles with each attempt. */
  readonly initialDelay?: number;
  /** No wait of ours is longer, in milliseconds; 30,000 unless said. */
  readonly maxDelay?: number;
  /** No attempt begins later than this after the first one, in milliseconds; 120,000 unless said. */
  readonly maxTotal?: number;
}
