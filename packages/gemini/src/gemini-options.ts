import type { ContextCacheConfig } from './cache/context-cache-config.js';
import type { GeminiLiveOptions } from './live/gemini-live-options.js';

/** Options of a {@link GeminiModel}. Missing options are read from the environment at first use. */
export interface GeminiOptions {
  /** Default: `gemini-2.5-flash`. */
  readonly model?: string;
  /** A key of Google AI Studio, or of Vertex AI in express mode. Else `GOOGLE_API_KEY`, else `GEMINI_API_KEY`. */
  readonly apiKey?: string;
  /** Another host than Google's, such as a gateway: https, or plain http to this machine. Else `GOOGLE_GEMINI_BASE_URL`. */
  readonly baseUrl?: string;
  /** Default: `v1beta`; on Vertex AI `v1beta1`. */
  readonly apiVersion?: string;
  /** Use Vertex AI. Else `GOOGLE_GENAI_USE_VERTEXAI`. */
  readonly vertexai?: boolean;
  /** The Google Cloud project, for Vertex AI. Else `GOOGLE_CLOUD_PROJECT`. */
  readonly project?: string;
  /** The region, for Vertex AI. Else `GOOGLE_CLOUD_LOCATION`, else `global`. */
  readonly location?: string;
  /**
   * True to declare the results of tools too, beside their parameters. Default: false. The schemas of results are often
   * larger than all other parts of a declaration, and each request repeats them.
   */
  readonly declareResults?: boolean;
  /**
   * True, or when to do so, to cache the beginning of requests at Google explicitly. Default: false. Gemini finds most
   * beginnings in its cache without; an explicit cache is certain, and its time is billed.
   */
  readonly contextCache?: boolean | ContextCacheConfig;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: GeminiRetryOptions;
  /** Options of spoken conversations. */
  readonly live?: GeminiLiveOptions;
  /**
   * Maximum silence of one attempt in milliseconds, before its answer and between the chunks of a stream. Default:
   * 600,000 (ten minutes).
   */
  readonly timeout?: number;
}

/**
 * When a request is repeated: after status 429, 500, 502, 503 and 504, a lost connection and a timeout, unless a part
 * of the answer was passed on. The delay grows exponentially with full jitter; a delay that Google states takes
 * precedence.
 */
export interface GeminiRetryOptions {
  /** Total number of attempts. Default: 5; 1 disables retries. */
  readonly attempts?: number;
  /** The maximum delay before the second attempt, in milliseconds; doubled for each further attempt. Default: 1,000. */
  readonly initialDelay?: number;
  /** The maximum of all delays that Adorn chooses, in milliseconds. Default: 30,000. */
  readonly maxDelay?: number;
  /** The time after the first attempt, in milliseconds, at which no further attempt begins. Default: 120,000. */
  readonly maxTotal?: number;
}
