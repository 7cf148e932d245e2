/** Milliseconds of audio in one item of an answer. */
interface SpokenItem {
  readonly id: string;
  readonly index: number;
  ms: number;
}

/** The place at which an item ends for the conversation, because the user has not heard the rest. */
export interface Truncation {
  readonly item_id: string;
  readonly content_index: number;
  readonly audio_end_ms: number;
}

/** 24,000 samples of two bytes in a second. */
const BYTES_PER_MS = 48;

/** What of the newest answer was received: needed to say where the user stopped listening. */
export class ReceivedAnswer {
  /** True until the response has ended. */
  isOpen = true;
  /** True once the user has interrupted it, or the application: what still comes of it is dropped. */
  isCancelled = false;
  private readonly items: SpokenItem[] = [];
  private firstAt: number | undefined;

  constructor(readonly id: string) {}

  addAudio(itemId: string, index: number, bytes: number): void {
    this.firstAt ??= performance.now();
    const last = this.items.at(-1);
    if (last?.id === itemId) last.ms += bytes / BYTES_PER_MS;
    else this.items.push({ id: itemId, index, ms: bytes / BYTES_PER_MS });
  }

  /** True while a speaker that began with the first piece is not through yet. */
  get isPlaying(): boolean {
    const length = this.items.reduce((sum, { ms }) => sum + ms, 0);
    return this.firstAt !== undefined && performance.now() - this.firstAt < length;
  }

  /** The items of which not everything was played; a second call gives none. */
  takeTruncations(playedMs: number): Truncation[] {
    let left = Math.max(0, playedMs);
    const truncations: Truncation[] = [];
    for (const { id, index, ms } of this.items.splice(0)) {
      if (left < ms) truncations.push({ item_id: id, content_index: index, audio_end_ms: Math.floor(left) });
      left = Math.max(0, left - ms);
    }
    return truncations;
  }
}
