/** A sound of one loudness. */
export interface PcmOptions {
  /** From 0, silence, to 1, the loudest: the amount of each sample, and so their peak and their mean. */
  readonly loudness: number;
  /** Default: 0.02, as a chunk of a microphone. */
  readonly seconds?: number;
  /** Samples per second. Default: 16,000, which Gemini hears. */
  readonly rate?: number;
}

/**
 * A sound for tests of what listens: PCM16, mono, little-endian, as a tone of 400 Hz.
 *
 * @throws RangeError for a loudness that is not from 0 to 1, a negative length, and a rate that is not positive
 * @example
 * void live.sendAudio(pcm({ loudness: 0.9, seconds: 1 }));
 */
export function pcm({ loudness, seconds = 0.02, rate = 16_000 }: PcmOptions): Uint8Array {
  requireOption('loudness', loudness, 'from 0 to 1', loudness >= 0 && loudness <= 1);
  requireOption('seconds', seconds, 'a number from 0', seconds >= 0 && seconds < Infinity);
  requireOption('rate', rate, 'a positive number', rate > 0 && rate < Infinity);
  const data = new DataView(new ArrayBuffer(2 * Math.round(seconds * rate)));
  const height = Math.round(loudness * LOUDEST);
  for (let at = 0; 2 * at < data.byteLength; at++) {
    const isUp = (at * HERTZ) % rate < rate / 2;
    data.setInt16(2 * at, isUp ? height : -height, true);
  }
  return new Uint8Array(data.buffer);
}

/** The largest sample. */
const LOUDEST = 32_767;

const HERTZ = 400;

function requireOption(name: string, value: number, range: string, isMet: boolean): void {
  if (!isMet) throw new RangeError(`${name} of pcm must be ${range}, not ${String(value)}.`);
}
