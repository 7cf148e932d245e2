/** Plays pieces of PCM16 one after the other. */
export class Speaker {
  private readonly context = new AudioContext();
  private readonly playing = new Set<AudioBufferSourceNode>();
  /** When the last piece ends, in seconds of the context. */
  private end = 0;

  /** @param data base64, also that of URLs */
  play(data: string, mimeType: string): void {
    const bytes = atob(data.replace(/-/g, '+').replace(/_/g, '/'));
    const rate = Number(/rate=(\d+)/.exec(mimeType)?.[1] ?? 24_000);
    const length = bytes.length >> 1;
    if (length === 0) return;
    const buffer = this.context.createBuffer(1, length, rate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < length; index++) {
      const value = bytes.charCodeAt(2 * index) | (bytes.charCodeAt(2 * index + 1) << 8);
      samples[index] = ((value << 16) >> 16) / 0x8000;
    }
    const source = new AudioBufferSourceNode(this.context, { buffer });
    source.connect(this.context.destination);
    source.onended = () => this.playing.delete(source);
    this.playing.add(source);
    this.end = Math.max(this.end, this.context.currentTime);
    source.start(this.end);
    this.end += buffer.duration;
  }

  /** Stops what is played, and drops what was to follow. */
  stop(): void {
    for (const source of this.playing) source.stop();
    this.playing.clear();
    this.end = 0;
  }

  close(): void {
    void this.context.close();
  }
}
