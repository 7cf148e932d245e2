import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import wavefile from 'wavefile';

import { ManualClock } from '../manual.clock.js';
import { wavMicrophone, type WavMicrophoneOptions } from './wav-microphone.js';

describe('wavMicrophone', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wav-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /** Half a second of a tone of 440 hertz. */
  async function tone(
    rate: number,
    channels = 1,
    change: (wave: wavefile.WaveFile) => void = () => undefined,
  ) {
    const samples = Array.from({ length: rate / 2 }, (_, index) =>
      Math.round(8000 * Math.sin((2 * Math.PI * 440 * index) / rate)),
    );
    const wave = new wavefile.WaveFile();
    wave.fromScratch(
      channels,
      rate,
      '16',
      channels === 1 ? samples : Array.from({ length: channels }, () => samples),
    );
    change(wave);
    const path = join(folder, 'tone.wav');
    await writeFile(path, wave.toBuffer());
    return path;
  }

  async function speak(path: string, options?: WavMicrophoneOptions): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of wavMicrophone(path, options)) chunks.push(chunk);
    return chunks;
  }

  function samplesIn(chunks: readonly Uint8Array[]): number[] {
    const bytes = Buffer.concat(chunks);
    return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
  }

  /** How often the tone crosses zero upwards, which is its frequency. */
  function hertzOf(samples: readonly number[]): number {
    return (
      2 * samples.filter((sample, index) => index > 0 && sample >= 0 && (samples[index - 1] ?? 0) < 0).length
    );
  }

  it('gives the samples of a file as they are, in chunks of 20 milliseconds', async () => {
    const chunks = await speak(await tone(16_000));

    expect(chunks).toHaveLength(25);
    expect(chunks.every(({ length }) => length === 640)).toBe(true);
    expect(samplesIn(chunks).slice(0, 3)).toEqual([0, 1375, 2710]);
  });

  it.each([
    [44_100, 1, 16_000],
    [48_000, 2, 24_000],
    [8_000, 1, 16_000],
  ])('resamples %i hertz and %i channels to %i hertz', async (from, channels, rate) => {
    const samples = samplesIn(await speak(await tone(from, channels), { rate }));

    expect(samples.length).toBeGreaterThan(rate / 2 - 5);
    expect(samples.length).toBeLessThan(rate / 2 + 5);
    expect(Math.abs(hertzOf(samples) - 440)).toBeLessThanOrEqual(4);
    expect(Math.max(...samples)).toBeGreaterThan(6000);
  });

  it.each<[string, (wave: wavefile.WaveFile) => void]>([
    ['32 bits', (wave) => wave.toBitDepth('32')],
    ['A-law', (wave) => wave.toALaw()],
    ['μ-law', (wave) => wave.toMuLaw()],
  ])('converts %s', async (_, change) => {
    const samples = samplesIn(await speak(await tone(16_000, 1, change)));

    expect(Math.abs(hertzOf(samples) - 440)).toBeLessThanOrEqual(4);
    expect(Math.abs(Math.max(...samples) - 8000)).toBeLessThan(400);
  });

  it('ends with silence, and a shorter chunk', async () => {
    const chunks = await speak(await tone(16_000), { silenceMs: 50, chunkMs: 100 });

    expect(chunks.map(({ length }) => length)).toEqual([3200, 3200, 3200, 3200, 3200, 1600]);
    expect(samplesIn(chunks.slice(-1)).every((sample) => sample === 0)).toBe(true);
  });

  it('speaks as fast as the clock goes', async () => {
    const clock = new ManualClock();
    const microphone = wavMicrophone(await tone(16_000), { realtime: true, clock });
    await microphone.next();
    let isSpoken = false;
    const second = microphone.next().then(() => (isSpoken = true));
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));

    await clock.advance(19);
    expect(isSpoken).toBe(false);
    await clock.advance(1.1);
    await second;

    expect(isSpoken).toBe(true);
    await microphone.return();
  });

  it('says what is wrong with a file and with its options', async () => {
    const path = join(folder, 'no.wav');
    await writeFile(path, 'not audio');

    await expect(speak(path)).rejects.toThrow(/no\.wav cannot be spoken: .* Use a WAV file/);
    await expect(speak(join(folder, 'none.wav'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(speak(path, { rate: 0 })).rejects.toThrow(
      'rate of wavMicrophone must be a positive number, not 0.',
    );
    await expect(speak(path, { chunkMs: Number.NaN })).rejects.toThrow('chunkMs');
  });
});
