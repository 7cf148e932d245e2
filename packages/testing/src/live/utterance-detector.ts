/** How an {@link UtteranceDetector} listens. */
export interface UtteranceListener {
  /** True if the application says when somebody speaks; loudness does not count then. */
  readonly isManual: boolean;
  readonly begins: () => void;
  /** @param seconds the length of the utterance, without the silence after it */
  readonly ends: (seconds: number) => void;
}

const SAMPLES_PER_SECOND = 16_000;

/** The mean of the samples above which a chunk counts as speech; the largest sample is 32,768. */
const LOUD = 300;

/** Seconds of silence after which an utterance has ended. */
const PAUSE = 0.5;

/** Finds utterances in PCM16, mono, 16,000 samples per second: stretches of sound between silences of half a second. */
export class UtteranceDetector {
  private isSpeaking = false;
  private seconds = 0;
  private silent = 0;

  constructor(private readonly listener: UtteranceListener) {}

  take(chunk: Uint8Array): void {
    const seconds = chunk.byteLength / 2 / SAMPLES_PER_SECOND;
    if (!this.listener.isManual && loudnessOf(chunk) >= LOUD) {
      this.begin();
      this.silent = 0;
    } else this.silent += seconds;
    if (this.isSpeaking) this.seconds += seconds;
    if (!this.listener.isManual && this.isSpeaking && this.silent >= PAUSE) this.end();
  }

  /** Somebody begins to speak. */
  begin(): void {
    if (this.isSpeaking) return;
    this.isSpeaking = true;
    this.seconds = 0;
    this.silent = 0;
    this.listener.begins();
  }

  /** Nobody speaks any more. */
  end(): void {
    if (!this.isSpeaking) return;
    this.isSpeaking = false;
    this.listener.ends(this.listener.isManual ? this.seconds : this.seconds - this.silent);
  }
}

function loudnessOf(chunk: Uint8Array): number {
  const samples = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength - (chunk.byteLength % 2));
  let sum = 0;
  for (let at = 0; at < samples.byteLength; at += 2) sum += Math.abs(samples.getInt16(at, true));
  return samples.byteLength === 0 ? 0 : sum / (samples.byteLength / 2);
}
