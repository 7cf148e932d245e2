import type { Content } from '@adorn/core';
import { LiveConnection, type LiveSetupChange, type LiveToolResponse } from '@adorn/core/backend';

import { type Cleaning, redacted } from '../recording-options.js';
import { type LiveFrame, recordedEvent, type SentFrame, type SentFrames } from './live-frame.js';

/** A connection that notes what passes on another one. */
export class RecordingConnection extends LiveConnection {
  private readonly frames: LiveFrame[] = [];
  private last = performance.now();

  /** @param keep called once with all frames, when the connection has closed */
  constructor(
    private readonly inner: LiveConnection,
    private readonly sent: SentFrames,
    private readonly cleaning: Cleaning,
    private readonly keep: (frames: readonly LiveFrame[]) => void,
  ) {
    super();
    void this.pass();
  }

  override get bufferedBytes(): number {
    return this.inner.bufferedBytes;
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    this.note(this.sent.contents(contents, respond));
    this.inner.sendContents(contents, respond);
  }

  override sendAudio(chunk: Uint8Array): void {
    this.noteAudio(chunk.length);
    this.inner.sendAudio(chunk);
  }

  override endAudio(): void {
    this.note({ kind: 'endAudio' });
    this.inner.endAudio();
  }

  override sendVideo(frame: Uint8Array, mimeType: string): void {
    this.inner.sendVideo(frame, mimeType);
  }

  override sendActivity(activity: 'start' | 'end'): void {
    this.note({ kind: 'activity', activity });
    this.inner.sendActivity(activity);
  }

  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    this.note(this.sent.responses(responses));
    this.inner.sendToolResponses(responses);
  }

  override interrupt(playedMs: number): void {
    this.note({ kind: 'interrupt' });
    this.inner.interrupt(playedMs);
  }

  override update(change: LiveSetupChange): void {
    this.note(this.sent.update(change));
    this.inner.update(change);
  }

  override close(): void {
    this.inner.close();
  }

  /** Passes on what the model reports, to its end. */
  private async pass(): Promise<void> {
    for await (const event of this.inner) {
      this.frames.push({ after: this.elapsed(), event: redacted(recordedEvent(event), this.cleaning) });
      // A session may read the file as soon as it has read the end.
      if (event.kind === 'closed') this.keep(this.frames);
      this.report(event);
    }
  }

  private note(sent: SentFrame): void {
    this.frames.push({ after: this.elapsed(), sent });
  }

  /** Speech is noted by its amount: chunks that follow each other are one frame. */
  private noteAudio(bytes: number): void {
    const before = this.frames.at(-1)?.sent;
    if (before?.kind !== 'audio') {
      this.note({ kind: 'audio', bytes });
      return;
    }
    const { after } = this.frames.pop() as LiveFrame;
    this.frames.push({ after, sent: { kind: 'audio', bytes: Number(before['bytes']) + bytes } });
  }

  private elapsed(): number {
    const now = performance.now();
    const elapsed = Math.round(now - this.last);
    this.last = now;
    return elapsed;
  }
}
