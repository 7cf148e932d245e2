/** The JSON text that one store keeps, in characters. */
const MOST_TEXT = 16 * 2 ** 20;

interface StoredResult {
  readonly text: string;
  /** Seconds since 1970. */
  readonly keptAt: number;
}

/** Results by key, each for a limited time, the most recently used ones up to a number and a size. */
export class ResultStore {
  /** The least recently used first. */
  private readonly entries = new Map<string, StoredResult>();
  private size = 0;

  constructor(private readonly limits: { readonly ttlMs: number; readonly maxEntries: number }) {}

  /**
   * The result of a key, if it is not too old. One from the future is: the clock was set back.
   *
   * @param now seconds since 1970
   */
  find(key: string, now: number): string | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.drop(key, entry);
    const age = Math.round((now - entry.keptAt) * 1000);
    if (age < 0 || age >= this.limits.ttlMs) return undefined;
    this.add(key, entry);
    return entry.text;
  }

  /** @param now seconds since 1970 */
  keep(key: string, text: string, now: number): void {
    const former = this.entries.get(key);
    if (former !== undefined) this.drop(key, former);
    this.add(key, { text, keptAt: now });
    for (const [oldest, entry] of this.entries) {
      if (this.entries.size <= this.limits.maxEntries && this.size <= MOST_TEXT) return;
      this.drop(oldest, entry);
    }
  }

  private add(key: string, entry: StoredResult): void {
    this.entries.set(key, entry);
    this.size += entry.text.length;
  }

  private drop(key: string, entry: StoredResult): void {
    this.entries.delete(key);
    this.size -= entry.text.length;
  }
}
