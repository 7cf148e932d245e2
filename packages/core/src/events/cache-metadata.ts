/** A cache at the provider that a model request named: system instruction, tools and first contents were not sent again. */
export interface CacheMetadata {
  /** The provider's name of the cache. */
  readonly cacheName: string;
  /** The same for the same beginning of requests. */
  readonly fingerprint: string;
  /** How many contents the cache holds, from the first on. */
  readonly contentsCount: number;
  /** How many requests have named it, with this one: 1 if it was created for this one. */
  readonly invocationsUsed: number;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Until when the cache is kept and billed, in seconds since 1970. */
  readonly expireTime: number;
}
