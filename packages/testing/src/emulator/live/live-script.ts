import type { EmulatedCall } from '../answer-steps.js';
import type { HeardContent, HeardMessage, LiveJson } from './live-message.js';
import type { LiveWireStep, LiveUsage, SayingStep } from './live-step.js';

/**
 * As the first step: waits for the setup and leaves its answer to the next steps. A script without it begins with the
 * acceptance of the setup.
 */
export function hearsSetup(): LiveWireStep {
  return { kind: 'setup', isAccepted: false };
}

/** As the first step, or after others that delay it: waits for the setup and accepts it. */
export function acceptsSetup(): LiveWireStep {
  return { kind: 'setup', isAccepted: true };
}

/** Waits for text of the user: this text, or any. */
export function hearsText(text?: string): LiveWireStep {
  const what = text === undefined ? 'text' : `the text "${text}"`;
  return hears((message) => message.kind === 'text' && (text === undefined || message.text === text), what);
}

/** Waits until this many bytes of audio have come, of which none has been waited for before. Default: 1. */
export function hearsAudio(bytes = 1): LiveWireStep {
  return { kind: 'hearAudio', bytes };
}

/** Waits for the responses to these calls, in one message or in several; without ids, for any response. */
export function hearsResults(...ids: readonly string[]): LiveWireStep {
  return { kind: 'hearResults', ids };
}

/** Waits for a message of this kind. */
export function hearsKind(kind: HeardContent['kind']): LiveWireStep {
  return hears((message) => message.kind === kind, `a message of kind "${kind}"`);
}

/** Waits for a message for which the function is true. @param what it, for the error if it never comes */
export function hears(isHeard: (message: HeardMessage) => boolean, what = 'a certain message'): LiveWireStep {
  return { kind: 'hear', isHeard, what };
}

/** Waits this many milliseconds. */
export function pauses(ms: number): LiveWireStep {
  return { kind: 'pause', ms };
}

/** Text of the model, each piece in a message of its own. */
export function writes(...pieces: readonly string[]): SayingStep {
  return { kind: 'text', pieces };
}

/** Thoughts of the model, as text. OpenAI's Realtime API has none. */
export function thinks(text: string): SayingStep {
  return { kind: 'thought', text };
}

/** Speech of the model: PCM16 at 24,000 samples per second, each piece in a message of its own. */
export function speaks(pieces: readonly Uint8Array[], ...transcript: readonly string[]): SayingStep {
  return { kind: 'speech', pieces, transcript };
}

/** The transcription of the user's speech. */
export function transcribes(...pieces: readonly string[]): SayingStep {
  return { kind: 'heardWords', pieces };
}

/** Calls in one message. A call without an id gets one; two may have the same. */
export function calls(...calls: readonly EmulatedCall[]): SayingStep {
  return { kind: 'calls', calls };
}

/** Calls that are not needed any more. OpenAI's Realtime API has no such message. */
export function cancelsCalls(...ids: readonly string[]): SayingStep {
  return { kind: 'cancelCalls', ids };
}

/** The answer is complete, and the turn ends. */
export function endsTurn(usage?: LiveUsage): SayingStep {
  return { kind: 'endTurn', usage };
}

/** The user has begun to speak while the model answered: the answer ends here, and the turn with it. */
export function isInterrupted(): SayingStep {
  return { kind: 'interrupt' };
}

/** The user begins or ends to speak. */
export function detectsVoice(activity: 'start' | 'end'): SayingStep {
  return { kind: 'voice', activity };
}

/** Announces that the connection will be closed. OpenAI's Realtime API has no such message. */
export function goesAway(ms: number): SayingStep {
  return { kind: 'goAway', ms };
}

/** The handle by which the conversation can be continued; undefined while it cannot. OpenAI's API has none. */
export function offersHandle(handle: string | undefined): SayingStep {
  return { kind: 'handle', handle };
}

/** An error. Gemini closes the connection with it; on OpenAI's Realtime API the connection stays open. */
export function fails(code: string, message: string): SayingStep {
  return { kind: 'failure', code, message };
}

/** A message as it is: JSON, or a text or bytes that need not be any. */
export function sends(frame: string | Uint8Array | LiveJson): SayingStep {
  return { kind: 'frame', frame };
}

/** Each message of the steps twice. */
export function twice(...steps: readonly SayingStep[]): LiveWireStep {
  return { kind: 'twice', steps };
}

/** The messages of the steps in reverse order. */
export function backwards(...steps: readonly SayingStep[]): LiveWireStep {
  return { kind: 'backwards', steps };
}

/** Plays the steps after `ms` milliseconds, while the script continues. */
export function late(ms: number, ...steps: readonly SayingStep[]): LiveWireStep {
  return { kind: 'late', ms, steps };
}

/** A step that breaks off in the middle of its last message, with the connection. */
export function cuts(step: SayingStep): LiveWireStep {
  return { kind: 'cut', step };
}

/** The connection is torn down. */
export function drops(): LiveWireStep {
  return { kind: 'drop' };
}

/** The connection is closed, in the manner of WebSocket. @param reason at most 123 bytes */
export function closes(code = 1000, reason = ''): LiveWireStep {
  return { kind: 'close', code, reason };
}

/** As the only step: the WebSocket is refused with this status of HTTP. */
export function refuses(status: number, message = `HTTP ${String(status)}`): LiveWireStep {
  return { kind: 'refuse', status, message };
}

/** As the only step: the request for a WebSocket is never answered. */
export function ignores(): LiveWireStep {
  return { kind: 'ignore' };
}
