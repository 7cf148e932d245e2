/** @isolated */
import { jest } from '@jest/globals';

import { createResampler } from './resampler.js';

const LIBRARY = '@alexanderolsen/libsamplerate-js';

interface Source {
  destroy(): void;
}

interface Library {
  create(channels: number, from: number, to: number): Promise<Source>;
}

describe('the converter of speech', () => {
  it('reads and writes samples of 16 bits, the smaller byte first, in the part of a buffer that it is given', async () => {
    const resampler = await createResampler(16_000, 16_000);
    const samples = [0x00, 0x00, 0x01, 0x00, 0xff, 0xff, 0x34, 0x12, 0xff, 0x7f, 0x00, 0x80];
    const half = 0x55;
    const converted = resampler.convert(new Uint8Array([half, ...samples, half]).subarray(1));
    resampler.close();

    expect([...converted]).toEqual(samples);
  });

  it('makes fewer samples of the same loudness for a lower rate, and cuts off what is too loud', async () => {
    const resampler = await createResampler(16_000, 8_000);
    const samples = samplesOf(resampler.convert(square(16_000, 32_767)));
    resampler.close();

    expect(samples.length).toBeGreaterThan(7_900);
    expect(samples.length).toBeLessThan(8_001);
    expect([Math.min(...samples), Math.max(...samples)]).toEqual([-32_768, 32_767]);
  });

  it('frees its memory when it is closed', async () => {
    const { default: library } = (await import(LIBRARY)) as { readonly default: Library };
    const source = await library.create(1, 48_000, 16_000);
    const destroy = jest.spyOn(Object.getPrototypeOf(source) as Source, 'destroy');
    const resampler = await createResampler(48_000, 16_000);
    resampler.close();
    source.destroy();

    expect(destroy).toHaveBeenCalledTimes(2);
    expect(destroy.mock.contexts[0]).not.toBe(source);
  });

  it('says what to install where it is missing, and why it could not be loaded', async () => {
    jest.resetModules();
    jest.unstable_mockModule(LIBRARY, () => {
      throw new Error(`Cannot find package '${LIBRARY}'`);
    });
    const { createResampler: create } = await import('./resampler.js');

    await expect(create(48_000, 16_000)).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message:
        'Speech at 48000 samples per second cannot be converted to the 16000 that the model hears: the package ' +
        `${LIBRARY} is not installed. Install it, or send speech at live.inputRate.`,
      cause: { message: `Cannot find package '${LIBRARY}'` },
    });
    jest.unstable_unmockModule(LIBRARY);
  });
});

function square(samples: number, height: number): Uint8Array {
  const values = Int16Array.from({ length: samples }, (_, at) => (at % 40 < 20 ? height : -height));
  return new Uint8Array(values.buffer);
}

function samplesOf(bytes: Uint8Array): number[] {
  return [...new Int16Array(bytes.buffer)];
}
