import type { Content, GenerateContentConfig } from '@google/genai';

import { shareClass } from '../../metadata/shared-class.js';
import type { Awaitable } from '../../runtime/awaitable.js';
import type { Logger } from '../../runtime/logger.js';
import type { LiveCapabilities, LiveModality } from './live-capabilities.js';
import type { LiveConnection } from './live-connection.js';

/**
 * A model for spoken conversations: it keeps a connection open, on which both sides send at any time.
 *
 * A `Model` of the same name has it as its property `live`. The counterpart for tests is `ScriptedLive` of
 * `@adorn/testing`.
 */
export abstract class LiveModel {
  static {
    shareClass(this, 'LiveModel');
  }

  /** The provider's name of the model, such as `gemini-live-2.5-flash-preview`. */
  abstract readonly name: string;

  /** The provider, as in `Model`. Default: `unknown`. */
  get provider(): string {
    return 'unknown';
  }

  /** What the model supports: a session is checked against it before it connects. */
  abstract readonly capabilities: LiveCapabilities;

  /**
   * Called once when a runner is created. Throw here if something is missing, such as an API key. Must not connect.
   *
   * @param _logger the logger of the runner
   */
  ready(_logger?: Logger): Awaitable<void> {
    // A model that needs nothing is ready.
  }

  /**
   * Opens a connection, and resolves when the provider has accepted the setup. The setup has been checked against the
   * capabilities.
   *
   * @throws an `AdornError` if the provider refuses the setup or does not answer in time. Its message contains no key
   */
  abstract connect(setup: LiveSetup, options: LiveConnectOptions): Promise<LiveConnection>;
}

/** Whose words are transcribed. */
export interface LiveTranscription {
  /** True to transcribe the user's speech. */
  readonly input: boolean;
  /** True to transcribe the model's speech. */
  readonly output: boolean;
}

/** The settings of one connection. Shared and readonly: replace it, or a property of it, on a copy. */
export interface LiveSetup {
  /** The system instruction; empty for none. */
  readonly instruction: string;
  /** Declarations of functions, which carry `parametersJsonSchema`, and tools that the provider runs. */
  readonly tools: NonNullable<GenerateContentConfig['tools']>;
  /** Names of declared functions that run in the background: the model goes on speaking while they run. */
  readonly backgroundTools: readonly string[];
  /**
   * The conversation so far, oldest first, without calls that have no response. Not sent to a connection that is resumed.
   */
  readonly history: readonly Content[];
  /** Whether the model answers with speech or with text. */
  readonly modality: LiveModality;
  /** The provider's name of a voice, such as `Kore`. Default: the provider's choice. */
  readonly voice?: string | undefined;
  /** The spoken language as a BCP 47 tag, such as `de-DE`. Default: the provider's choice. */
  readonly language?: string | undefined;
  /** Whose speech is transcribed. */
  readonly transcribe: LiveTranscription;
  /** `manual`: the application says when the user speaks (`sendActivity`). Default of a session: `automatic`. */
  readonly activity: 'automatic' | 'manual';
  /** The handle of the connection to continue: the newest `resumption` event of it. */
  readonly resume?: string | undefined;
  /** Temperature, safety settings, … of the agent, in Google's words. A provider refuses what it cannot apply. */
  readonly config: Readonly<GenerateContentConfig>;
}

/** How a connection is opened. */
export interface LiveConnectOptions {
  /** Aborted when the session is closed or cancelled: closes the connection, also while it is being opened. */
  readonly signal: AbortSignal;
  /** The longest wait for the provider's acceptance, in milliseconds. */
  readonly timeout: number;
  /** The logger of the runner. Default: none. */
  readonly logger?: Logger | undefined;
}
