import { AdornError } from '@adorn/core';

/** Converts PCM16, mono, little-endian, from one number of samples per second to another, chunk after chunk. */
export interface Resampler {
  /** The converted chunk, without the samples that the next one decides about. */
  convert(chunk: Uint8Array): Uint8Array;
  close(): void;
}

/**
 * Loads the converter, which is an optional package.
 *
 * @throws {ResamplerMissingError}
 */
export async function createResampler(from: number, to: number): Promise<Resampler> {
  const { default: library } = (await import('@alexanderolsen/libsamplerate-js').catch((cause: unknown) => {
    throw new ResamplerMissingError(from, to, cause);
  })) as { readonly default: SampleRateLibrary };
  const converterType = library.ConverterType.SRC_SINC_FASTEST;
  const source = await library.create(1, from, to, { converterType });
  return {
    convert: (chunk) => toPcm16(source.full(toFloats(chunk))),
    close: () => {
      source.destroy();
    },
  };
}

/** What is used of the package, whose types are not among its exports. */
interface SampleRateLibrary {
  readonly ConverterType: { readonly SRC_SINC_FASTEST: number };
  create(
    channels: number,
    from: number,
    to: number,
    options: { readonly converterType: number },
  ): Promise<{ full(samples: Float32Array): Float32Array; destroy(): void }>;
}

/** Speech of another rate was sent, and the package that converts it is not installed. */
class ResamplerMissingError extends AdornError {
  readonly code = 'NOT_SUPPORTED';

  constructor(from: number, to: number, cause: unknown) {
    super(
      `Speech at ${String(from)} samples per second cannot be converted to the ${String(to)} that the model hears: ` +
        'the package @alexanderolsen/libsamplerate-js is not installed. Install it, or send speech at live.inputRate.',
      { cause },
    );
  }
}

const SCALE = 32_768;

function toFloats(chunk: Uint8Array): Float32Array {
  const bytes = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Float32Array.from(
    { length: chunk.byteLength >> 1 },
    (_, at) => bytes.getInt16(at * 2, true) / SCALE,
  );
}

function toPcm16(samples: Float32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(samples.length * 2));
  samples.forEach((sample, at) => {
    bytes.setInt16(at * 2, Math.max(-SCALE, Math.min(SCALE - 1, Math.round(sample * SCALE))), true);
  });
  return new Uint8Array(bytes.buffer);
}
