import type { ProviderToolKind } from '../model.js';

/** The form of a live model's answers: speech, or text only. */
export type LiveModality = 'audio' | 'text';

/** What a user sends during a live conversation. */
export type LiveInputKind = 'text' | 'audio' | 'video' | 'activity';

/**
 * What a live model can do. A setup that asks for more is refused before the connection is opened
 * (`LiveNotSupportedError`), so nothing that was configured is without effect.
 */
export interface LiveCapabilities {
  /** The forms of answers. A conversation has one of them. */
  readonly modalities: readonly LiveModality[];
  /** What may be sent. `activity`: the application says when the user begins and ends to speak. */
  readonly inputs: readonly LiveInputKind[];
  /** Samples per second of the PCM16 audio (mono, little-endian) that the model hears, such as 16,000. */
  readonly inputRate: number;
  /** Samples per second of the PCM16 audio that the model speaks, such as 24,000. */
  readonly outputRate: number;
  /** Whose words are transcribed. */
  readonly transcribes: readonly ('input' | 'output')[];
  /** True if a dropped connection can be continued by a handle. Without it, the history is sent again. */
  readonly resumes: boolean;
  /**
   * True if the instruction and the tools of an open connection can be replaced (`LiveConnection.update`). Without it, they
   * are replaced by a new connection.
   */
  readonly updates: boolean;
  /**
   * True if the model goes on while a call runs, and a later response to a call says when it is read
   * (`LiveToolResponse.scheduling`). Without it, a background tool is answered as running, and its result is sent as text.
   */
  readonly asyncCalls: boolean;
  /** True if `LiveConnection.interrupt` stops the model. Without it, the session drops the rest of the answer. */
  readonly interrupts: boolean;
  /**
   * True if the model may decide not to answer what was said. Where it has not begun two seconds after the user's last words,
   * the turn ends without an answer. Default: it answers.
   */
  readonly staysSilent?: boolean;
  /** True if a voice can be chosen. */
  readonly voices: boolean;
  /** The kinds of tools that the provider runs itself. */
  readonly providerTools: readonly ProviderToolKind[];
}
