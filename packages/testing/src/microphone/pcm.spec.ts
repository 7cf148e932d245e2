import { pcm, type PcmOptions } from './pcm.js';

describe('pcm', () => {
  it.each([0, 0.25, 0.9, 1])('has the loudness %d as its peak and its mean', (loudness) => {
    const amounts = samplesOf(pcm({ loudness })).map(Math.abs);

    expect(Math.max(...amounts) / 32_767).toBeCloseTo(loudness, 4);
    expect(amounts.reduce((sum, one) => sum + one, 0) / amounts.length / 32_767).toBeCloseTo(loudness, 4);
  });

  it('is a tone, so that its mean is silence', () => {
    const samples = samplesOf(pcm({ loudness: 0.5, seconds: 0.1 }));

    expect(samples.reduce((sum, one) => sum + one, 0)).toBe(0);
  });

  it('has the length that its seconds and its rate say, by default that of a chunk of a microphone', () => {
    expect(pcm({ loudness: 0 })).toHaveLength(640);
    expect(pcm({ loudness: 0.5, seconds: 1 })).toHaveLength(32_000);
    expect(pcm({ loudness: 0.5, seconds: 0.5, rate: 24_000 })).toHaveLength(24_000);
    expect(pcm({ loudness: 0.5, seconds: 0 })).toHaveLength(0);
  });

  it.each<[PcmOptions, string]>([
    [{ loudness: 90 }, 'loudness of pcm must be from 0 to 1, not 90.'],
    [{ loudness: NaN }, 'loudness of pcm must be from 0 to 1, not NaN.'],
    [{ loudness: 0.5, seconds: -1 }, 'seconds of pcm must be a number from 0, not -1.'],
    [{ loudness: 0.5, rate: 0 }, 'rate of pcm must be a positive number, not 0.'],
  ])('refuses %j', (options, message) => {
    expect(() => pcm(options)).toThrow(new RangeError(message));
  });
});

function samplesOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 2 }, (_, at) => view.getInt16(2 * at, true));
}
