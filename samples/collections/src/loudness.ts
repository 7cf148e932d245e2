/** The mean of the samples of PCM16 speech, from 0 to 1. */
export function loudnessOf(chunk: Uint8Array): number {
  const samples = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength - (chunk.byteLength % 2));
  let sum = 0;
  for (let at = 0; at < samples.byteLength; at += 2) sum += Math.abs(samples.getInt16(at, true));
  return samples.byteLength === 0 ? 0 : sum / (samples.byteLength / 2) / 32_768;
}
