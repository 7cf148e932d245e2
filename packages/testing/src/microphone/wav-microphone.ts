import type { Clock } from '@adorn/core';
import { SystemClock } from '@adorn/core/backend';
import { readFile } from 'node:fs/promises';

/** How a file is spoken. */
export interface WavMicrophoneOptions {
  /** Samples per second of the chunks; others are resampled. Default: 16,000, which Gemini hears. */
  readonly rate?: number;
  /** Milliseconds of speech in a chunk. The last one may be shorter. Default: 20. */
  readonly chunkMs?: number;
  /** Milliseconds of silence after the file, in which a model notices that the speech has ended. Default: 0. */
  readonly silenceMs?: number;
  /** True: chunks come as fast as they are spoken, by `clock`. Default: as fast as they are read. */
  readonly realtime?: boolean;
  /** By which `realtime` waits. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * A microphone for tests and demonstrations, which speaks a WAV file: chunks of PCM16, mono, little-endian. Channels are
 * mixed; bit depths, A-law and μ-law are converted.
 *
 * @throws SyntaxError for a file that is no WAV file, and what reading the file throws
 * @example
 * live.sendAudio(wavMicrophone('hello.wav', { realtime: true }));
 */
export async function* wavMicrophone(
  file: string,
  {
    rate = 16_000,
    chunkMs = 20,
    silenceMs = 0,
    realtime = false,
    clock = new SystemClock(),
  }: WavMicrophoneOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  requirePositive({ rate, chunkMs });
  const speech = await readSpeech(file, rate);
  const samples = new Int16Array(speech.length + Math.round((silenceMs * rate) / 1000));
  samples.set(speech);
  const length = Math.max(1, Math.round((chunkMs * rate) / 1000));
  const begun = clock.now();
  for (let at = 0; at < samples.length; at += length) {
    if (realtime) await sleepUntil(begun + at / rate, clock);
    yield toBytes(samples.subarray(at, at + length));
  }
}

function requirePositive(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options))
    if (!(value > 0))
      throw new RangeError(`${name} of wavMicrophone must be a positive number, not ${String(value)}.`);
}

async function readSpeech(file: string, rate: number): Promise<Int16Array> {
  const { default: wavefile } = await import('wavefile');
  const bytes = await readFile(file);
  try {
    const wave = new wavefile.WaveFile(bytes);
    if (wave.bitDepth === '8a') wave.fromALaw();
    if (wave.bitDepth === '8m') wave.fromMuLaw();
    if (wave.bitDepth !== '16') wave.toBitDepth('16');
    if ((wave.fmt as { readonly sampleRate: number }).sampleRate !== rate) wave.toSampleRate(rate);
    return mixed(wave.getSamples(false, Int16Array) as unknown as Int16Array | Int16Array[]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SyntaxError(`${file} cannot be spoken: ${why}. Use a WAV file of PCM, A-law or μ-law.`, {
      cause: error,
    });
  }
}

/** The mean of the channels. */
function mixed(samples: Int16Array | Int16Array[]): Int16Array {
  if (!Array.isArray(samples)) return samples;
  const [first = new Int16Array()] = samples;
  return first.map((_, index) =>
    Math.round(samples.reduce((sum, channel) => sum + (channel[index] ?? 0), 0) / samples.length),
  );
}

/** Little-endian, whatever this machine has. */
function toBytes(samples: Int16Array): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * 2));
  return bytes;
}

function sleepUntil(time: number, clock: Clock): Promise<void> {
  const milliseconds = (time - clock.now()) * 1000;
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    if (!clock.after) setTimeout(resolve, milliseconds);
    else clock.after(milliseconds, resolve);
  });
}
