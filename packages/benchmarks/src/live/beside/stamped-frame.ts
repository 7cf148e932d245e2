/** Microseconds of the clock that all processes of a machine share. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Frames of speech whose first eight bytes say when each was sent. */
export function stampedFrame(bytes: number): Uint8Array {
  const frame = new Uint8Array(bytes);
  new DataView(frame.buffer).setFloat64(0, now());
  return frame;
}

/** @returns milliseconds since a frame was sent */
export function ageOf(frame: Uint8Array): number {
  return (now() - new DataView(frame.buffer, frame.byteOffset).getFloat64(0)) / 1_000;
}
