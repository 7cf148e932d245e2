import { setTimeout } from 'node:timers/promises';

import type { Content } from '@adorn/core';
import { isSameJson, LiveConnection, type LiveSetupChange, type LiveToolResponse } from '@adorn/core/backend';

import { CassetteMissError } from '../errors.js';
import { differenceToNearest } from '../miss.js';
import { type LiveFrame, replayedEvent, type SentFrame, type SentFrames } from './live-frame.js';

/** What a session must have sent as it is recorded. The rest depends on how fast somebody hears and speaks. */
const EXACT: ReadonlySet<string> = new Set(['contents', 'responses', 'update']);

/**
 * A connection that reports what is recorded, each event when all that was sent before it has been sent again. Texts, responses
 * to calls and updates must be those that are recorded; speech counts by its amount.
 */
export class ReplayedConnection extends LiveConnection {
  readonly bufferedBytes = 0;
  /** What was sent and no frame has taken yet. */
  private readonly waiting: SentFrame[] = [];
  private audioBytes = 0;
  private position = 0;
  private isPlaying = false;

  /** @param pace `recorded` to report events as fast as they came */
  constructor(
    private readonly frames: readonly LiveFrame[],
    private readonly sent: SentFrames,
    private readonly path: string,
    private readonly pace: 'fast' | 'recorded',
  ) {
    super();
    void this.play();
  }

  /** True if all events have been reported. */
  get isDone(): boolean {
    return !this.frames.slice(this.position).some(({ event }) => event && event.kind !== 'closed');
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    this.take(this.sent.contents(contents, respond));
  }

  override sendAudio(chunk: Uint8Array): void {
    this.audioBytes += chunk.length;
    void this.play();
  }

  override endAudio(): void {
    this.take({ kind: 'endAudio' });
  }

  override sendVideo(): void {
    // Frames are sent as often as a line lets through: none is waited for.
  }

  override sendActivity(activity: 'start' | 'end'): void {
    this.take({ kind: 'activity', activity });
  }

  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    this.take(this.sent.responses(responses));
  }

  override interrupt(): void {
    this.take({ kind: 'interrupt' });
  }

  override update(change: LiveSetupChange): void {
    this.take(this.sent.update(change));
  }

  override close(): void {
    this.report({ kind: 'closed', clean: true });
  }

  private take(sent: SentFrame): void {
    if (this.isClosed) return;
    const left = this.frames.slice(this.position).flatMap((frame) => (frame.sent ? [frame.sent] : []));
    if (left.some((one) => isSameJson(one, sent))) {
      this.waiting.push(sent);
      void this.play();
    } else if (EXACT.has(sent.kind)) this.refuse(sent, left);
  }

  /** Ends the connection: what follows was recorded after something else. */
  private refuse(sent: SentFrame, left: readonly SentFrame[]): void {
    const alike = left.filter(({ kind }) => kind === sent.kind);
    const { code, message } = new CassetteMissError(this.path, 0, differenceToNearest(sent, alike));
    this.report({ kind: 'error', code, message, fatal: true });
    this.report({ kind: 'closed', clean: false, reason: code });
  }

  private async play(): Promise<void> {
    if (this.isPlaying) return;
    this.isPlaying = true;
    // A session reads its first event when the connection is open.
    await Promise.resolve();
    for (let frame = this.nextFrame(); frame && !this.isClosed; frame = this.nextFrame()) {
      if (!frame.event) continue;
      if (this.pace === 'recorded' && frame.after > 0) await setTimeout(frame.after);
      this.report(replayedEvent(frame.event));
    }
    this.isPlaying = false;
  }

  /** The next frame if it may be played; undefined while something has to be sent first, and at the end. */
  private nextFrame(): LiveFrame | undefined {
    const frame = this.frames[this.position];
    if (!frame || (frame.sent && !this.hasSent(frame.sent))) return undefined;
    this.position++;
    return frame;
  }

  /** Takes it out of what was sent. */
  private hasSent(wanted: SentFrame): boolean {
    if (wanted.kind === 'audio') {
      const bytes = Number(wanted['bytes']);
      if (this.audioBytes < bytes) return false;
      this.audioBytes -= bytes;
      return true;
    }
    const found = this.waiting.findIndex((one) => isSameJson(one, wanted));
    if (found < 0) return false;
    this.waiting.splice(found, 1);
    return true;
  }
}
