/** The text of a stream of code, up to a number of bytes. */
export class BoundedOutput {
  private readonly pieces: Buffer[] = [];
  private bytes = 0;
  private dropped = 0;

  constructor(private readonly limit: number) {}

  write(piece: Uint8Array | string): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece);
    const rest = Math.max(0, this.limit - this.bytes);
    if (rest > 0) this.pieces.push(bytes.subarray(0, rest));
    this.bytes += Math.min(rest, bytes.length);
    this.dropped += Math.max(0, bytes.length - rest);
  }

  /** Adds bytes that the writer has dropped itself. */
  drop(bytes: number): void {
    this.dropped += bytes;
  }

  get isFull(): boolean {
    return this.dropped > 0;
  }

  toString(): string {
    const text = Buffer.concat(this.pieces)
      .toString('utf8')
      .replace(/\uFFFD$/, '');
    return this.dropped === 0 ? text : `${text}\n[${String(this.dropped)} bytes were dropped]\n`;
  }
}
