/** Options of an {@link OpenAiRealtimeModel}. Missing options are read from the environment at first use. */
export interface OpenAiRealtimeOptions {
  /** `gpt-realtime` unless said. */
  readonly model?: string;
  /** Else `OPENAI_API_KEY`. */
  readonly apiKey?: string;
  /** Another address than OpenAI's: https, or plain http to this machine. Else `OPENAI_BASE_URL`, else `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** Sent with every connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The model that transcribes the user. `gpt-4o-mini-transcribe` unless said. */
  readonly transcriptionModel?: string;
  /** How OpenAI detects that the user speaks. Without effect for a session with `activity: 'manual'`. */
  readonly turnDetection?: {
    /** `server_vad` (the default) goes by silence, `semantic_vad` by what is said. */
    readonly type?: 'server_vad' | 'semantic_vad';
    /** From 0 to 1: how loud speech has to be. Only `server_vad`. */
    readonly threshold?: number;
    /** Milliseconds of audio before the speech that count as part of it. Only `server_vad`. */
    readonly prefixPadding?: number;
    /** Milliseconds of silence before speech counts as ended. Only `server_vad`. */
    readonly silence?: number;
    /** How soon the model answers. Only `semantic_vad`. */
    readonly eagerness?: 'low' | 'medium' | 'high' | 'auto';
  };
  /** `false`: the user's speech does not interrupt the model. Default: `true`. */
  readonly interruptible?: boolean;
  /** Reduces noise before the user is heard: of a microphone that is near (a headset) or far (a laptop). Default: none. */
  readonly noiseReduction?: 'near_field' | 'far_field';
}
