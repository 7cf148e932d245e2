import type { LiveModality } from '../../models/live/live-capabilities.js';
import type { LiveModel, LiveTranscription } from '../../models/live/live.model.js';
import type { RunInput } from '../begin/run-input.js';

/** The options of `runner.live`. */
export interface LiveRunInput extends Pick<
  RunInput,
  'appName' | 'userId' | 'sessionId' | 'invocationId' | 'config' | 'signal' | 'by' | 'channel'
> {
  /** The live model of all agents. Default: `live` of the model of each agent. */
  readonly model?: LiveModel | undefined;
  /** The provider's name of a voice. Default: the provider's choice. */
  readonly voice?: string | undefined;
  /** The spoken language as a BCP 47 tag. Default: the provider's choice. */
  readonly language?: string | undefined;
  /** Whether the model speaks or writes. Default: `audio`. */
  readonly modality?: LiveModality | undefined;
  /** Whose words are transcribed, and so stored. Default: both, if the model can. */
  readonly transcribe?: boolean | Partial<LiveTranscription> | undefined;
  /** `manual`: the application says when the user speaks (`sendActivity`). Default: `automatic`. */
  readonly activity?: 'automatic' | 'manual' | undefined;
  /** Milliseconds for one attempt to connect. Default: 10,000. */
  readonly connectTimeout?: number | undefined;
  /** Milliseconds for all attempts to connect again. Default: 30,000. */
  readonly reconnectLimit?: number | undefined;
  /**
   * The `resumptionHandle` of an earlier live session of this conversation: the model continues it as it remembers it. What
   * was said otherwise since then it does not know. Default, and if the handle is not valid any more: the model reads the
   * conversation so far.
   */
  readonly resume?: string | undefined;
  /** True to save what is said as WAV files, artifacts of the session. Default: speech is not kept. */
  readonly saveAudio?: boolean | undefined;
  /**
   * True to hold the speech and the words of an answer back until its transcript has passed `afterModel` and the output
   * guardrails: then nothing is heard of an answer that is refused or replaced, and each answer begins when it is complete.
   * Needs transcripts of the model. Default: speech is played as it comes, and stopped if its transcript is refused.
   */
  readonly holdSpeech?: boolean | undefined;
  /** What a refused answer ends: the session, or only itself. Default: `end`. */
  readonly onTripwire?: 'end' | 'continue' | undefined;
}
