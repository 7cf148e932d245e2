/** Hands the samples of a microphone on in pieces of 100 ms, as PCM16. */
class Capture extends AudioWorkletProcessor {
  piece = new Int16Array(Math.round(sampleRate / 10));
  filled = 0;

  process([[samples]]) {
    for (const sample of samples ?? []) {
      this.piece[this.filled++] = Math.max(-1, Math.min(1, sample)) * 0x7fff;
      if (this.filled === this.piece.length) {
        this.port.postMessage(this.piece.slice().buffer);
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor('capture', Capture);
