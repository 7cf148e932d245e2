import type { Logger } from '@adorn/core';
import type { StablePart } from '@adorn/core/backend';

import type { GeminiCall } from '../gemini-call.js';
import { type Beginning, beginningsOf } from './beginnings.js';
import { type ContextCacheEntry, createCache, deleteCache, findCache } from './cached-contents.js';
import type { ContextCacheConfig } from './context-cache-config.js';

/** Milliseconds. A cache that is about to expire is not named: it may be gone when Google reads the request. */
const MARGIN = 10_000;

/** How many fingerprints are remembered. */
const MOST_REMEMBERED = 10_000;

/** A cache as a request names it. */
export interface NamedCache extends ContextCacheEntry {
  /** How many requests have named it, with this one: 1 if it was created for this one. */
  readonly uses: number;
}

/** Milliseconds. How long no cache is created after one was refused, which the next one would probably be, too. */
const PAUSE = 300_000;

/** A cache that this process knows. */
interface KnownCache {
  readonly entry: ContextCacheEntry;
  uses: number;
}

/**
 * The caches of one model at Google. A beginning that comes twice is cached, up to the last message. Whatever happens to a
 * cache, the request does not fail for it: it is sent whole.
 */
export class ContextCache {
  private readonly minTokens: number;
  private readonly ttl: number;
  private readonly cacheIntervals: number;
  /** When a request last began like this, by fingerprint. */
  private readonly seen = new Map<string, number>();
  /** By fingerprint. */
  private readonly known = new Map<string, KnownCache>();
  private pausedUntil = 0;
  /** Caches that are being created, by fingerprint: requests that begin alike wait for the same one. */
  private readonly pending = new Map<string, Promise<void>>();

  constructor({ minTokens = 4_096, ttlSeconds = 1_800, cacheIntervals = 10 }: ContextCacheConfig) {
    this.minTokens = minTokens;
    this.ttl = ttlSeconds * 1000;
    this.cacheIntervals = cacheIntervals;
  }

  /** The cache that a request names, created if that pays; undefined for a request that is to be sent whole. */
  async find(
    call: GeminiCall,
    stable: StablePart | undefined,
    logger: Logger | undefined,
  ): Promise<NamedCache | undefined> {
    if (call.config.cachedContent !== undefined) return undefined;
    const now = call.timing.now();
    const beginnings = beginningsOf({ ...call, stable });
    const cached = this.longestCached(beginnings, now);
    const wanted = this.worthCaching(beginnings, cached, now);
    this.remember(beginnings, now);
    if (!wanted) return cached && named(cached);
    await this.cacheOnce(call, wanted, logger);
    const created = this.longestCached(beginnings, now);
    if (cached && created !== cached) await this.discard(call, cached);
    return created && named(created);
  }

  /** Forgets a cache that Google did not accept. */
  forget({ fingerprint }: NamedCache, now: number): void {
    this.known.delete(fingerprint);
    this.pausedUntil = now + PAUSE;
  }

  private longestCached(beginnings: readonly Beginning[], now: number): KnownCache | undefined {
    return beginnings
      .map(({ fingerprint }) => this.known.get(fingerprint))
      .findLast((known) => known !== undefined && known.entry.expireTime - MARGIN > now);
  }

  /**
   * The beginning that a new cache would pay for: large enough, longer than what is cached, and seen before. A
   * conversation that goes on is cached up to its last message, since it is sent again with the next one.
   */
  private worthCaching(
    beginnings: readonly Beginning[],
    cached: KnownCache | undefined,
    now: number,
  ): Beginning | undefined {
    if (now < this.pausedUntil) return undefined;
    if (cached && cached.uses < this.cacheIntervals) return undefined;
    const again = beginnings.findLast(({ fingerprint }) => {
      const before = this.seen.get(fingerprint);
      return before !== undefined && now - before <= this.ttl;
    });
    const wanted = again && again.contents > 0 ? beginnings.at(-1) : again;
    const isLarge = wanted && wanted.tokens - (cached?.entry.tokens ?? 0) >= this.minTokens;
    return isLarge ? wanted : undefined;
  }

  private remember(beginnings: readonly Beginning[], now: number): void {
    for (const one of new Set([beginnings[0], beginnings.at(-1)]))
      if (one) keep(this.seen, one.fingerprint, now);
  }

  private async cacheOnce(call: GeminiCall, wanted: Beginning, logger: Logger | undefined): Promise<void> {
    const { fingerprint } = wanted;
    let creating = this.pending.get(fingerprint);
    if (!creating) {
      creating = this.cache(call, wanted, logger).finally(() => this.pending.delete(fingerprint));
      this.pending.set(fingerprint, creating);
    }
    await creating;
  }

  /** Another process may have cached the same beginning. */
  private async cache(call: GeminiCall, wanted: Beginning, logger: Logger | undefined): Promise<void> {
    const { fingerprint } = wanted;
    try {
      const found = await findCache(call, wanted);
      const entry = found ?? (await createCache(call, wanted, this.ttl / 1000));
      keep(this.known, fingerprint, { entry, uses: found ? 1 : 0 });
    } catch (error) {
      if (call.signal.aborted) return;
      this.pausedUntil = call.timing.now() + PAUSE;
      const reason = error instanceof Error ? error.message : String(error);
      logger?.warn('Gemini did not cache the beginning of a request, which is sent whole', { reason });
    }
  }

  /** Deletes the cache that a longer one of the same conversation replaces. Other conversations may use one without contents. */
  private async discard(call: GeminiCall, { entry }: KnownCache): Promise<void> {
    if (entry.contents === 0) return;
    this.known.delete(entry.fingerprint);
    await deleteCache(call, entry).catch(() => undefined);
  }
}

function named(known: KnownCache): NamedCache {
  known.uses += 1;
  return { ...known.entry, uses: known.uses };
}

/** Adds an entry as the newest one, and drops the oldest if there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
}
